#pragma once

/// @file
/// The motion of single points, as CSV files.

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

/// Follows material points of a body: each writes `probe_<name>.csv` with the columns t,x,y,z,ux,uy,uz,vx,vy,vz, where
/// x,y,z is the reference position, u the displacement and v the velocity there, by the element's own interpolation,
/// and further fields where they are asked for. Holds a reference to the space, which must outlive it. Every function
/// is collective.
class GEARSHIFT_EXPORT Probes {
 public:
  /// @param further names of further columns
  explicit Probes(const solid::Space& space, std::vector<std::string> further = {});

  /// Throws OptionError with the mesh's bounding box for a point outside of the mesh.
  void require_inside(std::string_view name, const solid::Vec3& X) const;

  /// Adds a point and begins, or resumes, its file in `folder`. Throws as require_inside(), and IoError for a file that
  /// cannot be written.
  void add(std::string_view name, const solid::Vec3& X, const std::filesystem::path& folder,
           Table::Begin begin = Table::Begin::anew);

  /// One row in each file. Throws Error where the fields have not as many components as there are further columns.
  /// @param further the fields of the further columns, of all their components in the order of the columns
  /// @param places where those that may jump have their values; nullptr if there are none
  void write(const State& state, std::span<const FrameWriter::PointField> further = {},
             const solid::NodePlaces* places = nullptr);

  /// The state of the files, one by one under their probes' names.
  void archive(Archive& state);
  /// Completes the files.
  void close();

  bool empty() const { return probes_.empty(); }

 private:
  struct Probe {
    std::string name;
    solid::MaterialPoint point;
    Table table;
  };
  /// Writes a field at each of this rank's probes to its row, from a column on; without places it is one of nodes.
  void sample(const FrameWriter::PointField& field, const solid::NodePlaces* places, std::size_t column);
  std::size_t width() const { return 6 + further_.size(); }

  const solid::Space& space_;
  std::vector<std::string> further_;
  std::deque<Probe> probes_;
  std::vector<PetscReal> local_, rows_;  // of one field; of all probes
};

}  // namespace gearshift::io
