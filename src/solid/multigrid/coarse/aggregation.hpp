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

/// Hands pairs of connected points, or with one number beyond the points, to its argument, the same ones whenever it is
/// called.
using Connections = std::function<void(const std::function<void(PetscInt, PetscInt)>&)>;

/// Connected aggregates of at most `most` points: what hangs together is halved across its longest extent until it is
/// small
/// enough, and parts that a cut has left unconnected fall apart. So points that are close, but not connected, as on the
/// two sides of a slot, are never in one aggregate.
/// @param gaps from each point to what it is not connected with, or none: parts count as at least as wide, and what
///             hangs together may have twice as many points if it stays whole
NodeAggregates make_aggregates(std::span<const Vec3> points, std::size_t most, const Connections& connections,
                               std::span<const double> gaps = {});

}  // namespace gearshift::solid
