#pragma once

/// @file
/// Output of fields on curved high-order cells as VTK files, without loss of polynomial degree.

#include <gearshift/petsc/error.hpp>
#include <gearshift/solid/node_places.hpp>
#include <gearshift/solid/space.hpp>
#include <gearshift/solid/stress.hpp>

#include <petscvec.h>

#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace gearshift::io {

/// The file format of a frame.
enum class FrameFormat {
  vtu,     ///< one file for each rank and one that joins them: VtuWriter
  vtkhdf,  ///< one file for all ranks: VtkHdfWriter
};

/// Returns true if this build of gearshift can write the format.
GEARSHIFT_EXPORT bool has_format(FrameFormat format);

/// Returns the name of the file that opens a series of such frames: stem.pvd or stem.vtkhdf.series.
GEARSHIFT_EXPORT std::string series_file(FrameFormat format, const std::string& stem);

/// Writes nodal fields of a Space as VTK's Lagrange hexahedra, tetrahedra and wedges (cell types 72, 71 and 73) of the
/// space's degree: doubles, node positions on the curved cells.
///
/// VTK's nodes are equidistant, the nodes of the space are Gauss-Lobatto points. Positions and fields are therefore
/// evaluated at VTK's nodes, so that VTK's interpolation reproduces the polynomials. If fields jump, a node has one
/// point for each of its places. Holds a reference to the space, which must outlive it.
class GEARSHIFT_EXPORT FrameWriter {
 public:
  /// A vector field, or a field with any number of components that may jump between cells.
  struct PointField {
    const char* name = "";
    Vec values = nullptr;                    ///< layout of the space, borrowed; or
    std::span<const double> at_places = {};  ///< [place][components]
    int components = 3;
    /// copy nodal values to VTK's nodes without interpolation, for fields that are not polynomials
    bool as_it_is = false;
    /// If given, values between nodes are computed from this tensor, [place][6], interpolated there. Used for fields of
    /// the stress: the von Mises stress is not linear in the stress.
    std::span<const double> tensor = {};
    void (*from_tensor)(const solid::Symmetric& tensor, double* out) = nullptr;
    double at_least = -std::numeric_limits<double>::infinity();  ///< lower bound between nodes

    /// Writes the components of at_places at a point of a cell, from the places of the cell and the shape functions.
    GEARSHIFT_EXPORT void at(std::span<const PetscInt> places, std::span<const double> shape, double* out) const;
  };
  /// A field with one number for each cell of the rank.
  struct CellField {
    const char* name = "";
    std::variant<std::span<const int>, std::span<const double>> values;
  };

  /// Throws OptionError for a format that this build of gearshift cannot write.
  static std::unique_ptr<FrameWriter> make(FrameFormat format, const solid::Space& space, solid::NodePlaces places);
  virtual ~FrameWriter();
  FrameWriter(const FrameWriter&) = delete;
  FrameWriter& operator=(const FrameWriter&) = delete;

  /// Writes the fields to `folder/name` and returns the name of the file to open. No incomplete file ever has its final
  /// name. The folder must exist. Collective; throws IoError on all ranks, after the removal of all these files.
  std::string write(const std::filesystem::path& folder, const std::string& name, std::span<const PointField> fields,
                    std::span<const CellField> cell_fields = {}) const;

  /// Flushes the files written since the last call to the disk. Collective; throws IoError on all ranks.
  void sync();

 protected:
  struct Grid;  // the cells in VTK's form
  FrameWriter(const solid::Space& space, solid::NodePlaces places);
  const Grid& grid() const { return *grid_; }

 private:
  /// Adds each file of this rank to `written`; these files are removed if it throws.
  virtual std::string write_files(const std::filesystem::path& folder, const std::string& name,
                                  std::span<const PointField> fields, std::span<const CellField> cell_fields,
                                  std::vector<std::filesystem::path>& written) const = 0;

  std::unique_ptr<Grid> grid_;
  mutable std::vector<std::filesystem::path> unsynced_;  // on this rank
};

}  // namespace gearshift::io
