#pragma once

/// @file
/// The identity of a body in a saved state.

#include <gearshift/dynamics/archive.hpp>

#include "solid/material/material_table.hpp"

#include <array>
#include <cstdint>

namespace gearshift::solid {

/// One number each for the positions of nodes, for the order of cells and nodes, for the regions and for the materials
/// of cells: sums of FNV-1a hashes over cells as numbered before the mesh was distributed, the same on any number of
/// ranks.
class Fingerprint {
 public:
  /// Collective. @param natural numbering of the space's entries (Body::natural_numbering()); nullptr: global numbers
  /// are used
  Fingerprint(const Mesh& mesh, const Space& space, const MaterialTable& materials, IS natural);

  /// Visits the numbers. Throws UnfitState, with the difference in its text, if those of another body are loaded.
  void archive(Archive& state) const;

 private:
  enum Part : std::size_t { places, order, regions, materials };
  std::array<std::int64_t, 4> sums_{};
};

}  // namespace gearshift::solid
