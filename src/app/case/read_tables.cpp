#include "app/case/read_tables.hpp"

#include "petsc/options/check_option.hpp"
#include "petsc/options/nearest.hpp"
#include "petsc/options/unread_options.hpp"
#include "petsc/ranks/agree.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace gearshift::app {
namespace {

constexpr std::array endings{"_column", "_spline"};

/// Returns the name without this ending, or an empty string if it does not end in it.
std::string without(std::string_view ending, const std::string& name) {
  return name.ends_with(ending) ? name.substr(0, name.size() - ending.size()) : std::string();
}

/// Throws OptionError for misspelled endings and names: next to -table_quake, -table_quake_colunm and
/// -table_quak_column are misspelled options, not tables.
void refuse_misspelled_ending(const std::string& name, const std::vector<std::string>& names) {
  const auto ask = [&](const std::string& meant) {
    throw OptionError("option -table_" + name + ": unknown option. Did you mean -table_" + meant + "?");
  };
  for (const std::string& table : names)
    if (name.starts_with(table + "_")) {
      const std::string ending = petsc::nearest(name.substr(table.size()), endings);
      if (!ending.empty() && !name.ends_with(ending)) ask(table + ending);
    }
  for (const char* ending : endings) {
    const std::string table = without(ending, name);
    if (table.empty() || std::binary_search(names.begin(), names.end(), table)) continue;
    const std::string found = petsc::nearest(table, names);
    if (!found.empty()) ask(found + ending);
  }
}

void read_table(MPI_Comm comm, petsc::Options& options, const std::string& name, expression::Tables& tables) {
  const std::string key = "-table_" + name;
  std::string file;
  bool spline = false;
  PetscInt column = 2;
  options.string(key.c_str(), "CSV file", file);
  options.flag((key + "_spline").c_str(), "smooth", spline);
  options.integer((key + "_column").c_str(), "column", column);
  if (column < 2) throw OptionError("option " + key + "_column: give 2 or more; the first column is the argument");
  petsc::for_option(key, [&] {
    expression::check_table_name(name);
    std::string hint;
    for (const char* ending : endings)
      if (const std::string table = without(ending, name); !table.empty())
        hint = ", or that of the table " + table + ", too: -table_" + table + " file.csv";
    const std::string bytes = petsc::read_file(comm, file, "give the path of a CSV file" + hint);
    const auto kind = spline ? expression::Table::Kind::spline : expression::Table::Kind::linear;
    tables[name] = std::make_shared<const expression::Table>(
        expression::Table::from_text(bytes, file, static_cast<int>(column), kind));
  });
}

}  // namespace

void read_tables(MPI_Comm comm, petsc::Options& options, expression::Tables& tables) {
  std::string documented;
  bool spline = false;
  PetscInt column = 2;
  options.string("-table_<name>",
                 "CSV file with rows t,value: formulas may then call <name>(t), linear between the rows and constant "
                 "outside of them; two rows with the same t are a jump",
                 documented);
  options.flag("-table_<name>_spline",
               "true: interpolate by a spline with continuous second derivatives; false: linear", spline);
  options.integer("-table_<name>_column", "column of the values, 2 or more; column 1 is t", column);
  std::vector<std::string> names;
  for (const std::string& key : petsc::unread_options())
    if (key.starts_with("table_") && key.size() > 6) names.push_back(key.substr(6));
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    refuse_misspelled_ending(name, names);
    const auto belongs_to_another = [&](const char* ending) {
      const std::string table = without(ending, name);
      return !table.empty() && std::binary_search(names.begin(), names.end(), table);
    };
    if (std::none_of(endings.begin(), endings.end(), belongs_to_another)) read_table(comm, options, name, tables);
  }
}

}  // namespace gearshift::app
