#pragma once

/// @file
/// Connected aggregates of neighbouring points.

#include <gearshift/solid/types.hpp>

#include <functional>
#include <span>
#include <vector>

namespace gearshift::solid {

/// Aggregate a holds members[begins[a]] to members[begins[a + 1]].
struct NodeAggregates {
  std::vector<PetscInt> begins{0}, members;

  PetscInt count() const { return static_cast<PetscInt>(begins.size()) - 1; }
  std::span<const PetscInt> of(PetscInt aggregate) const {
    const auto a = static_cast<std::size_t>(aggregate);
    return std::span(members).subspan(static_cast<std::size_t>(begins[a]),
                                      static_cast<std::size_t>(begins[a + 1] - begins[a]));
  }
};

/// A function that passes all pairs of connected points to its argument, the same pairs at each call. One number of a
/// pair may lie beyond the points.
using Connections = std::function<void(const std::function<void(PetscInt, PetscInt)>&)>;

/// Returns connected aggregates of up to `most` points. Each connected set is halved across its longest extent until it
/// is small enough, and parts that a cut has disconnected become separate aggregates. Points that are close but not
/// connected, as on the two sides of a slot, are therefore never in one aggregate.
/// @param gaps the distance from each point to the nearest point to which it is not connected, or empty. The width of
///             a part counts as no smaller than its gap, and a connected set that stays whole may have twice as many
///             points.
NodeAggregates make_aggregates(std::span<const Vec3> points, std::size_t most, const Connections& connections,
                               std::span<const double> gaps = {});

}  // namespace gearshift::solid
