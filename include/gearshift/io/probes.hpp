#pragma once

/// @file
/// The motion of single points as CSV files.

#include <gearshift/dynamics/state.hpp>
#include <gearshift/io/frame_writer.hpp>
#include <gearshift/io/table.hpp>
#include <gearshift/solid/material_point.hpp>

#include <array>
#include <deque>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gearshift::io {

/// Follows material points of a body. Each point writes `probe_<name>.csv` with the columns t,x,y,z,ux,uy,uz,vx,vy,vz,
/// where x,y,z is the reference position, u the displacement and v the velocity, interpolated by the shape functions of
/// the element. Further fields are added on request. Holds a reference to the space, which must outlive it. Every
/// function is collective.
class GEARSHIFT_EXPORT Probes {
 public:
  /// @param further names of the additional columns
  explicit Probes(const solid::Space& space, std::vector<std::string> further = {});

  /// Throws OptionError with the mesh's bounding box if the point is outside the mesh.
  void require_inside(std::string_view name, const solid::Vec3& X) const;

  /// Adds a point and starts, or resumes, its file in `folder`. Throws like require_inside(), and IoError if the file
  /// cannot be written.
  void add(std::string_view name, const solid::Vec3& X, const std::filesystem::path& folder,
           Table::Begin begin = Table::Begin::anew);

  /// Writes one row to each file. Throws Error if the number of components of the fields differs from the number of
  /// additional columns.
  /// @param further the fields of the additional columns, with all their components in the order of the columns
  /// @param places places of the values of fields that may jump; nullptr if there are no such fields
  void write(const State& state, std::span<const FrameWriter::PointField> further = {},
             const solid::NodePlaces* places = nullptr);

  /// Visits the state of the files, each under the name of its probe.
  void archive(Archive& state);
  /// Closes the files.
  void close();

  bool empty() const { return probes_.empty(); }

 private:
  struct Probe {
    std::string name;
    solid::MaterialPoint point;
    Table table;
  };
  /// Writes a field at each of this rank's probes to its row, starting at a column; without places it is nodal.
  void sample(const FrameWriter::PointField& field, const solid::NodePlaces* places, std::size_t column);
  std::size_t width() const { return 6 + further_.size(); }

  const solid::Space& space_;
  std::vector<std::string> further_;
  std::deque<Probe> probes_;
  std::vector<PetscReal> local_, rows_;  // of one field; of all probes
};

}  // namespace gearshift::io
