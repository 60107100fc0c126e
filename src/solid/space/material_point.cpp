#include <gearshift/petsc/error.hpp>
#include <gearshift/solid/material_point.hpp>

#include "solid/space/extent_of.hpp"

#include <array>
#include <cstdio>
#include <string>

namespace gearshift::solid {
namespace {

std::string in_words(const Vec3& X) {
  std::array<char, 96> text{};
  std::snprintf(text.data(), text.size(), "(%.6g, %.6g, %.6g)", X[0], X[1], X[2]);
  return text.data();
}

[[noreturn]] void throw_outside(const Space& space, std::string_view what, const Vec3& X) {
  const Extent box = extent_of(space);
  throw OptionError(std::string(what) + " at " + in_words(X) + " is outside of the mesh; the mesh lies between " +
                    in_words(box.low) + " and " + in_words(box.high) + "; give a reference position inside the body");
}

}  // namespace

MaterialPoint::MaterialPoint(const Space& space, std::string_view what, const Vec3& X) : X_(X) {
  const auto location = space.mesh_cells().locate(X);
  const int rank = petsc::rank_of(space.comm()), size = petsc::ranks_of(space.comm());
  const int owner = petsc::reduced(space.comm(), MPI_MIN, location ? rank : size);
  if (owner == size) throw_outside(space, what, X);
  mine_ = owner == rank;
  if (!mine_) return;
  cell_ = location->cell;
  shape_.resize(space.cell_nodes(cell_).size());
  space.element(cell_).values(location->xi, shape_);
}

}  // namespace gearshift::solid
