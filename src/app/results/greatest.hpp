#pragma once

/// @file
/// The largest of values that are distributed over ranks.

#include <gearshift/solid/types.hpp>

#include "petsc/queries.hpp"

#include <mpi.h>

#include <cmath>
#include <limits>
#include <optional>
#include <span>

namespace gearshift::app {

/// A value, the rank that holds it, and its index there.
struct Greatest {
  double value = 0;
  int rank = 0;
  std::size_t at = 0;
};

/// Returns the largest of the values on all ranks, with NaN counted as the largest; nullopt without values. The index
/// is set only on the rank that holds the value. Collective.
inline std::optional<Greatest> greatest(MPI_Comm comm, std::span<const double> values) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  struct {
    double value = -infinite;
    int rank = 0;
  } most;
  std::size_t at = 0;
  bool any = false;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (const double value = std::isnan(values[i]) ? infinite : values[i]; !any || value > most.value) {
      most.value = value;
      at = i;
      any = true;
    }
  most.rank = petsc::rank_of(comm);
  if (!petsc::any(comm, any)) return std::nullopt;
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
  return Greatest{.value = most.value == infinite ? NAN : most.value, .rank = most.rank, .at = at};
}

/// A value and its reference position, the same on all ranks.
struct Place {
  double value = 0;
  solid::Vec3 X{};
};

/// Returns the value of greatest() and its position, `position(at)` on the rank that holds it. Collective.
template <class Position>
std::optional<Place> greatest_place(MPI_Comm comm, std::span<const double> values, Position&& position) {
  const auto most = greatest(comm, values);
  if (!most) return std::nullopt;
  Place place{most->value, petsc::rank_of(comm) == most->rank ? solid::Vec3(position(most->at)) : solid::Vec3{}};
  MPI_Bcast(place.X.data(), 3, MPIU_REAL, most->rank, comm);
  return place;
}

}  // namespace gearshift::app
