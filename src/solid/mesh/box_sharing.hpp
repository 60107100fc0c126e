#pragma once

/// @file
/// The mesh points that the parts of a box have in common.

#include "solid/mesh/box_parts.hpp"
#include "solid/mesh/cones.hpp"

#include <petscdmplex.h>

#include <span>

namespace gearshift::solid {

/// The places in the box of the vertices of a vertex, edge or face. The vertices of a part are numbered with x first,
/// then y, then z.
class PointPlaces {
 public:
  PointPlaces(const Cones& cones, const BoxPart& part, PetscInt point);
  std::span<const BoxPart::Place> all() const { return {places_.data(), count_}; }

  BoxPart::Place low{}, high{};  ///< the lowest and highest coordinates

 private:
  std::array<BoxPart::Place, 4> places_{};
  std::size_t count_ = 0;
};

/// Gives a DMPlex of one part of a box its point SF: a vertex, edge or face of several parts belongs to the lowest of
/// their ranks. One message between each two neighbours. Collective; a rank without cells gives an empty part.
void share_points(DM dm, const BoxPart& box, const BoxPart& own);

}  // namespace gearshift::solid
