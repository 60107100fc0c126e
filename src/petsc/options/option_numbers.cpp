#include "petsc/options/option_numbers.hpp"

#include "petsc/options/check_option.hpp"
#include "petsc/options/key_names.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace gearshift::petsc {

std::optional<PetscReal> number_of(const std::string& text) {
  char* end = nullptr;
  const PetscReal number = std::strtod(text.c_str(), &end);
  if (std::isnan(number) || end == text.c_str() ||
      text.find_first_not_of(' ', static_cast<std::size_t>(end - text.c_str())) != text.npos)
    return std::nullopt;
  return number;
}

namespace {

/// Returns the text of an option, if it was given.
std::optional<std::string> given_text(std::string_view prefix, const char* key) {
  std::array<char, 8192> text{};
  PetscBool set = PETSC_FALSE;
  check(PetscOptionsGetString(nullptr, std::string(prefix).c_str(), key, text.data(), text.size(), &set));
  if (!set) return std::nullopt;
  std::string value = text.data();
  check_length(full_key(prefix, key), value, text.size());
  return value;
}

}  // namespace

void check_whole_number(std::string_view prefix, const char* key) {
  const auto text = given_text(prefix, key);
  if (!text) return;
  PetscInt number = 0;
  const char *begin = text->data() + (text->starts_with('+') && !text->starts_with("+-") ? 1 : 0),
             *end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(begin, end, number);
  if (error == std::errc::result_out_of_range)
    throw OptionError("option " + full_key(prefix, key) + ": " + *text + " is beyond " + std::to_string(PETSC_MAX_INT) +
                      ", the largest whole number of this PETSc");
  if (error != std::errc() || stop != end) refuse_value(full_key(prefix, key), "a whole number");
}

std::optional<std::vector<PetscReal>> number_list(std::string_view prefix, const char* key) {
  const auto text = given_text(prefix, key);
  if (!text) return std::nullopt;
  const std::string own = full_key(prefix, key), option = "option " + own, list = *text;
  if (list.empty()) throw OptionError(option + " has no value; give numbers separated by commas");
  std::vector<PetscReal> numbers;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string word = list.substr(begin, end - begin);
    begin = end + 1;
    if (word.find_first_not_of(' ') == std::string::npos)
      throw OptionError(option + ": a number is missing next to a comma in '" + list + "'");
    const std::optional<PetscReal> number = number_of(word);
    if (!number) refuse_value(own, "a list of numbers separated by commas");
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace gearshift::petsc
