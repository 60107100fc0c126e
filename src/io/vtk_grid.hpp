#pragma once

/// @file
/// The cells of a rank in VTK's form.

#include <gearshift/io/frame_writer.hpp>

#include "io/vtk_cell.hpp"

#include <cstdint>
#include <vector>

namespace gearshift::io {

struct FrameWriter::Grid {
  Grid(const solid::Space& space, solid::NodePlaces places);

  /// Returns the values of a field at the points, [point][components]. Collective.
  std::vector<double> at_points(const PointField& field) const;

  const solid::Space& space;
  std::vector<double> points;                       ///< [point][3]
  std::vector<std::int64_t> connectivity, offsets;  ///< offsets: the end of each cell
  std::vector<std::uint8_t> types;

 private:
  void add_cell(PetscInt cell, const VtkCell& kind);
  solid::NodePlaces places_;
  std::vector<VtkCell> kinds_;  // in the order of the space's blocks
};

}  // namespace gearshift::io
