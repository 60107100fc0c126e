#pragma once

/// @file
/// Tables of numbers in text files.

#include <petscsys.h>

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace gearshift::expression {

/// Calls use(values) with the numbers in the given columns (1 is the first) of each row. Numbers are separated by
/// commas, semicolons, tabs or blanks. A header line, empty lines, and lines that begin with # are skipped. Throws
/// OptionError "<title>, line <n>: <why>"; use() may throw an OptionError with the reason why a row is invalid. Not
/// collective.
void read_rows(std::string_view bytes, const std::string& title, std::span<const int> columns,
               const std::function<void(std::span<const PetscReal>)>& use);

}  // namespace gearshift::expression
