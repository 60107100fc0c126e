#pragma once

/// @file
/// Frames as VTKHDF files.

#include <gearshift/io/frame_writer.hpp>

namespace gearshift::io {

/// One HDF5 file for all ranks, name.vtkhdf. It is a VTKHDF UnstructuredGrid of version 1.0 (VTK 9.1, ParaView 5.10 and
/// newer can read it), with one partition for each rank that has cells, in the order of the ranks:
///
///     /VTKHDF                         Version [1, 0], Type "UnstructuredGrid"
///     /VTKHDF/NumberOfPoints          int64, one for each partition; also NumberOfCells, NumberOfConnectivityIds
///     /VTKHDF/Points                  float64 [points][3], one partition after another, as in all arrays below
///     /VTKHDF/Types                   uint8 [cells]
///     /VTKHDF/Offsets                 int64 [cells + 1 of each partition], from 0 in each
///     /VTKHDF/Connectivity            int64, counting the partition's points from 0
///     /VTKHDF/PointData/<field>       float64 [points] or [points][components]
///     /VTKHDF/CellData/<field>        int32 or float64 [cells]
///
/// ParaView's processes distribute the partitions among themselves, and no rank needs the point numbers of another
/// rank. The first rank of each group of ranks writes the rows of the group, all groups at the same time. HDF5 computes
/// only the layout, so it is not affected by a full disk.
class GEARSHIFT_EXPORT VtkHdfWriter : public FrameWriter {
 public:
  explicit VtkHdfWriter(const solid::Space& space) : VtkHdfWriter(space, solid::NodePlaces(space)) {}
  /// Throws OptionError if gearshift was built without HDF5, or for an empty group.
  /// @param ranks_per_group number of consecutive ranks of which one writes for all, 1 or more
  VtkHdfWriter(const solid::Space& space, solid::NodePlaces places, int ranks_per_group = 16);

 private:
  std::string write_files(const std::filesystem::path& folder, const std::string& name,
                          std::span<const PointField> fields, std::span<const CellField> cell_fields,
                          std::vector<std::filesystem::path>& written) const override;

  int ranks_per_group_;
};

}  // namespace gearshift::io
