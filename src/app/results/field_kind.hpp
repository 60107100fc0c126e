#pragma once

/// @file
/// The table of fields.

#include "app/results/fields.hpp"

#include <algorithm>

namespace gearshift::app {

/// One row of the table, see field_table.cpp.
struct Fields::Kind {
  using PointField = io::FrameWriter::PointField;
  using CellField = io::FrameWriter::CellField;

  const char* name;
  const char* label;  // in legends of pictures
  Quantity quantity = Quantity::none;
  std::vector<const char*> columns;          // one for each component; only for fields on points
  bool has_greatest = false;                 // -envelope accepts it
  solid::StressRecovery::Wanted needs = {};  // quantities to recover for it
  PointField (*point)(const Fields&) = {};   // values on points, without name and number of components; or
  CellField (*cell)(const Fields&) = {};     // values on cells

  static const std::vector<Kind>& all();
  static const Kind* find(std::string_view name) {
    const auto found = std::ranges::find(all(), name, [](const Kind& kind) { return std::string_view(kind.name); });
    return found == all().end() ? nullptr : &*found;
  }
  bool is_of(FieldUse use) const {
    return use == FieldUse::frames || (point && (use == FieldUse::probes || has_greatest));
  }
};

}  // namespace gearshift::app
