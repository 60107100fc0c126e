#include <gearshift/io/folder.hpp>
#include <gearshift/io/series.hpp>

#include "petsc/files/durable.hpp"
#include "petsc/ranks/agree.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace gearshift::io {
namespace {

/// Visits a text as integers that contain eight characters each.
void archive_text(Archive& state, const char* name, std::string& text) {
  const Archive::Group group(state, name);
  auto size = static_cast<std::int64_t>(text.size());
  state("size", size);
  std::vector<std::int64_t> packed((static_cast<std::size_t>(size) + 7) / 8);
  const auto characters = reinterpret_cast<char*>(packed.data());
  std::copy_n(text.data(), std::min(text.size(), 8 * packed.size()), characters);
  state.integers("text", packed);
  text.resize(static_cast<std::size_t>(size));
  std::copy_n(characters, text.size(), text.data());
}

std::string digits(PetscReal number) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.17g", number);
  return text.data();
}

}  // namespace

void Series::add(PetscReal t, const std::string& data) {
  steps_.emplace_back(t, data);
  write();
}

void Series::write() const {
  petsc::on_first_rank(comm_, [&] { write_atomically(file_, file_.extension() == ".series" ? as_json() : as_xml()); });
}

std::string Series::as_xml() const {
  std::string text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n";
  for (const auto& [time, file] : steps_)
    text += "    <DataSet timestep=\"" + digits(time) + "\" part=\"0\" file=\"" + file + "\"/>\n";
  return text + "  </Collection>\n</VTKFile>\n";
}

std::string Series::as_json() const {
  std::string text = "{\n  \"file-series-version\": \"1.0\",\n  \"files\": [";
  for (const auto& [time, file] : steps_)
    text += (&time == &steps_.front().first ? "\n" : ",\n") + std::string("    { \"name\": \"") + file +
            "\", \"time\": " + digits(time) + " }";
  return text + "\n  ]\n}\n";
}

void Series::archive(Archive& state) {
  std::vector<PetscReal> times;
  std::string names;
  for (const auto& [time, name] : steps_) {
    times.push_back(time);
    names += name + "\n";
  }
  state("times", times);
  archive_text(state, "files", names);
  if (!state.loading()) {
    petsc::on_first_rank(comm_, [&] {
      if (!steps_.empty()) petsc::File(file_.string(), petsc::File::Mode::read).sync();
    });
    return;
  }
  steps_.clear();
  std::size_t at = 0;
  for (const PetscReal time : times) {
    const std::size_t end = names.find('\n', at);
    steps_.emplace_back(time, names.substr(at, end - at));
    at = end + 1;
  }
  if (!steps_.empty()) write();
}

bool Series::has(const std::string& data) const {
  return std::any_of(steps_.begin(), steps_.end(), [&](const auto& step) { return step.second == data; });
}

}  // namespace gearshift::io
