#include <gearshift/petsc/options.hpp>

#include "petsc/options/check_option.hpp"
#include "petsc/options/key_names.hpp"
#include "petsc/options/nearest.hpp"
#include "petsc/options/option_catalogue.hpp"
#include "petsc/options/option_numbers.hpp"
#include "petsc/versions.hpp"

#include <strings.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <sstream>

namespace gearshift::petsc {
namespace {

PetscErrorCode run_block(MPI_Comm comm, const char* prefix, const char* title,
                         const std::function<void(Options&)>& body, std::exception_ptr& failure) {
  PetscFunctionBegin;
  PetscOptionsBegin(comm, prefix, title, "");
  try {
    Options options(PetscOptionsObject, prefix, title);
    body(options);
  } catch (...) {
    failure = std::current_exception();
  }
  PetscOptionsEnd();
  PetscFunctionReturn(petsc::success);
}

/// Returns the default to show in the help: nothing for an infinite limit and for 0, the code of "no value".
std::string text_of(PetscReal number) {
  constexpr auto no_end = static_cast<PetscReal>(PETSC_MAX_INT);
  if (number == 0 || number == PETSC_DEFAULT || !std::isfinite(number) || std::abs(number) >= no_end) return {};
  std::ostringstream text;
  text << number;
  return text.str();
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

}  // namespace

void Options::note(const char* key, std::string kind, std::string value, const char* text) {
  keys_.emplace_back(key);
  OptionCatalogue::note({heading_, full_key(prefix_, key), std::move(kind), std::move(value), text});
}

void Options::mention(const char* key, const char* kind, const char* text) {
  OptionCatalogue::note({heading_, full_key(prefix_, key), kind, "", text});
}

void Options::require_value(const char* key) const {
  std::array<char, 8> text{};
  PetscBool set = PETSC_FALSE;
  check(PetscOptionsGetString(nullptr, prefix_.c_str(), key, text.data(), text.size(), &set));
  if (set && text[0] == '\0')
    throw OptionError("option " + full_key(prefix_, key) +
                      " has no value. A value that begins with '-' and a letter is taken for the next option: write "
                      "0-sin(t) instead of -sin(t), or put it into quotes in a YAML file");
}

bool Options::integer(const char* key, const char* text, PetscInt& value) {
  note(key, "<n>", text_of(static_cast<PetscReal>(value)), text);
  OptionItems PetscOptionsObject = static_cast<OptionItems>(items_);
  PetscBool set = PETSC_FALSE;
  require_value(key);
  check_whole_number(prefix_, key);
  check_option(PetscOptionsInt(key, text, "", value, &value, &set), full_key(prefix_, key), "a whole number");
  return set;
}

bool Options::real(const char* key, const char* text, PetscReal& value) {
  note(key, "<x>", text_of(value), text);
  OptionItems PetscOptionsObject = static_cast<OptionItems>(items_);
  PetscBool set = PETSC_FALSE;
  require_value(key);
  std::array<char, 64> given{};
  check(PetscOptionsGetString(nullptr, prefix_.c_str(), key, given.data(), given.size(), &set));
  const auto number = number_of(given.data());
  if (set && !number) check_option(PETSC_ERR_ARG_WRONG, full_key(prefix_, key), "a number");
  // From 3.21 on PETSc rejects values and defaults that are infinite or not a number.
  if (number && !std::isfinite(*number)) {
    value = *number;
    return set;
  }
  PetscReal finite = std::isnan(value) ? 0 : std::clamp(value, -PETSC_MAX_REAL, PETSC_MAX_REAL);
  check_option(PetscOptionsReal(key, text, "", finite, &finite, &set), full_key(prefix_, key), "a number");
  if (set) value = finite;
  return set;
}

bool Options::flag(const char* key, const char* text, bool& value) {
  note(key, "<true|false>", value ? "true" : "", text);
  OptionItems PetscOptionsObject = static_cast<OptionItems>(items_);
  PetscBool set = PETSC_FALSE, flag = value ? PETSC_TRUE : PETSC_FALSE;
  check_option(PetscOptionsBool(key, text, "", flag, &flag, &set), full_key(prefix_, key), "true or false");
  value = flag;
  return set;
}

bool Options::string(const char* key, const char* text, std::string& value) {
  note(key, "<text>", value, text);
  OptionItems PetscOptionsObject = static_cast<OptionItems>(items_);
  std::array<char, 8192> buffer{};
  PetscBool set = PETSC_FALSE;
  require_value(key);
  check(PetscOptionsString(key, text, "", value.c_str(), buffer.data(), buffer.size(), &set));
  if (set) value = buffer.data();
  check_length(full_key(prefix_, key), value, buffer.size());
  return set;
}

bool Options::strings(const char* key, const char* text, std::vector<std::string>& value) {
  std::string list = joined(value, ",");
  OptionCatalogue::note({heading_, full_key(prefix_, key), "<a,b,..>", list, text});
  if (!string(key, text, list)) return false;
  value = split_top_level(list);
  return true;
}

bool Options::reals(const char* key, const char* text, std::vector<PetscReal>& value) {
  std::vector<std::string> words;
  for (const PetscReal number : value) words.push_back(number == 0 ? "0" : text_of(number));
  note(key, "<x,y,..>", joined(words, ","), text);
  OptionItems PetscOptionsObject = static_cast<OptionItems>(items_);
  require_value(key);
  if (const auto given = number_list(prefix_, key)) value = *given;
  // Shows the values in PETSc's help, and marks the key as read.
  std::vector<PetscReal> shown(std::max<std::size_t>(1, value.size()));
  std::copy(value.begin(), value.end(), shown.begin());
  auto count = static_cast<PetscInt>(shown.size());
  PetscBool set = PETSC_FALSE;
  check_option(PetscOptionsRealArray(key, text, "", shown.data(), &count, &set), full_key(prefix_, key),
               "a list of numbers separated by commas");
  return set;
}

bool Options::viewer(const char* key, const char* text, ViewerChoice& value) {
  note(key, "[viewer]", "", text);
  OptionItems PetscOptionsObject = static_cast<OptionItems>(items_);
  PetscBool set = PETSC_FALSE;
  PetscViewer viewer = nullptr;
  PetscViewerFormat format = PETSC_VIEWER_DEFAULT;
  check_option(PetscOptionsViewer(key, text, "", &viewer, &format, &set), full_key(prefix_, key),
               "a viewer (such as ascii, :file.txt or ascii:file.txt::append)");
  if (set) value = ViewerChoice(viewer, format);
  return set;
}

ViewerChoice::ViewerChoice(PetscViewer viewer, PetscViewerFormat format)
    : viewer_(Handle<PetscViewer>::adopt(viewer)), format_(format) {}

void ViewerChoice::with(const std::function<void(PetscViewer)>& print) const {
  if (!viewer_) return;
  check(PetscViewerPushFormat(viewer_.get(), format_));
  print(viewer_.get());
  check(PetscViewerFlush(viewer_.get()));
  check(PetscViewerPopFormat(viewer_.get()));
}

bool Options::choice(const char* key, const char* text, std::span<const char* const> names, int& value) {
  note(key, "<" + joined({names.begin(), names.end()}, "|") + ">", names[value], text);
  OptionItems PetscOptionsObject = static_cast<OptionItems>(items_);
  PetscInt index = value;
  PetscBool set = PETSC_FALSE;
  require_value(key);
  // PETSc would leak memory when it rejects a word, so the word is looked up here first.
  std::array<char, 256> word{};
  check(PetscOptionsGetString(nullptr, prefix_.c_str(), key, word.data(), word.size(), &set));
  const auto is_word = [&](const char* name) { return strcasecmp(name, word.data()) == 0; };
  if (set && std::none_of(names.begin(), names.end(), is_word)) {
    const std::vector<std::string> known(names.begin(), names.end());
    throw OptionError("option " + full_key(prefix_, key) + ": '" + word.data() + "' is unknown; " +
                      meant(word.data(), known) + "choose one of " + joined(known, ", "));
  }
  check(
      PetscOptionsEList(key, text, "", names.data(), static_cast<PetscInt>(names.size()), names[value], &index, &set));
  value = static_cast<int>(index);
  return set;
}

void read_options(MPI_Comm comm, std::string_view prefix, const char* title,
                  const std::function<void(Options&)>& body) {
  const ErrorCapture capture;
  std::exception_ptr failure;
  const PetscErrorCode code = run_block(comm, std::string(prefix).c_str(), title, body, failure);
  if (failure) std::rethrow_exception(failure);
  check(code);
}

bool has_option(std::string_view prefix, const char* key) {
  PetscBool set = PETSC_FALSE;
  check(PetscOptionsHasName(nullptr, std::string(prefix).c_str(), key, &set));
  return set;
}

std::vector<std::string> split_top_level(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else if (c != ' ' || depth > 0 || !parts.back().empty())
      parts.back() += c;
  }
  for (std::string& part : parts)
    while (!part.empty() && part.back() == ' ') part.pop_back();
  return parts;
}

}  // namespace gearshift::petsc
