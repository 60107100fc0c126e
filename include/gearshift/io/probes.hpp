#pragma once

/// @file
/// The motion of single points, as CSV files.

#include <gearshift/dynamics/state.hpp>
#include <gearshift/io/table.hpp>
#include <gearshift/solid/space.hpp>

#include <array>
#include <deque>
#include <filesystem>
#include <string_view>
#include <vector>

namespace gearshift::io {

/// Follows material points of a body: each writes `probe_<name>.csv` with the columns t,x,y,z,ux,uy,uz,vx,vy,vz, where
/// x,y,z is the reference position, u the displacement and v the velocity there, by the element's own interpolation.
/// Holds a reference to the space, which must outlive it. Every function is collective.
class GEARSHIFT_EXPORT Probes {
 public:
  explicit Probes(const solid::Space& space);

  /// Adds a point and begins its file in `folder`. A point outside of the mesh throws OptionError with the mesh's
  /// bounding box; a file that cannot be written IoError.
  void add(std::string_view name, const solid::Vec3& X, const std::filesystem::path& folder);

  /// One row in each file.
  void write(const State& state);

  bool empty() const { return probes_.empty(); }

 private:
  struct Probe {
    solid::Vec3 X{};
    bool mine = false;
    PetscInt cell = 0;
    std::vector<double> shape;
    Table table;
  };
  const solid::Space& space_;
  std::deque<Probe> probes_;
  std::vector<PetscReal> local_, rows_;
};

}  // namespace gearshift::io
