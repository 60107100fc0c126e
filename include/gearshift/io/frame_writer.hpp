#pragma once

/// @file
/// Fields on curved high-order cells as VTK files, without loss of degree.

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

/// How a frame is kept.
enum class FrameFormat {
  vtu,     ///< a file for each rank and one that joins them: VtuWriter
  vtkhdf,  ///< one file for all ranks: VtkHdfWriter
};

/// Whether this build of gearshift can write it.
GEARSHIFT_EXPORT bool has_format(FrameFormat format);

/// The name of the file that a series of such frames is opened by: stem.pvd or stem.vtkhdf.series.
GEARSHIFT_EXPORT std::string series_file(FrameFormat format, const std::string& stem);

/// Writes nodal fields of a Space as VTK's Lagrange hexahedra, tetrahedra and wedges (cell types 72, 71 and 73) of the
/// space's degree: doubles, node positions on the curved cells.
///
/// VTK's nodes are equidistant, the space's stand on Gauss-Lobatto points: positions and fields are evaluated at VTK's
/// nodes, and VTK's interpolation gives back the same polynomials. Where fields jump, nodes have a point for each of
/// their places. Holds a reference to the space, which must outlive it.
class GEARSHIFT_EXPORT FrameWriter {
 public:
  /// A vector field, or one of any number of components that may jump.
  struct PointField {
    const char* name = "";
    Vec values = nullptr;                    ///< layout of the space, borrowed; or
    std::span<const double> at_places = {};  ///< [place][components]
    int components = 3;
    bool as_it_is = false;  ///< VTK's nodes take the values of ours, as of what is no polynomial
    /// Values between nodes are computed from this tensor, [place][6], interpolated there: of stresses, whose von Mises
    /// stress is not linear in them.
    std::span<const double> tensor = {};
    void (*from_tensor)(const solid::Symmetric& tensor, double* out) = nullptr;
    double at_least = -std::numeric_limits<double>::infinity();  ///< lower bound between nodes

    /// Writes the components of at_places at a point of a cell, which has these places, and shape functions there.
    GEARSHIFT_EXPORT void at(std::span<const PetscInt> places, std::span<const double> shape, double* out) const;
  };
  /// A number for each cell of the rank.
  struct CellField {
    const char* name = "";
    std::variant<std::span<const int>, std::span<const double>> values;
  };

  /// Throws OptionError for a format that this build of gearshift cannot write.
  static std::unique_ptr<FrameWriter> make(FrameFormat format, const solid::Space& space, solid::NodePlaces places);
  virtual ~FrameWriter();
  FrameWriter(const FrameWriter&) = delete;
  FrameWriter& operator=(const FrameWriter&) = delete;

  /// Writes the fields under `folder/name`, where no half-written file ever stands under its final name, and returns
  /// the name of the file to open. The folder exists. Collective; throws IoError on all ranks. What fails leaves
  /// nothing of these files behind.
  std::string write(const std::filesystem::path& folder, const std::string& name, std::span<const PointField> fields,
                    std::span<const CellField> cell_fields = {}) const;

  /// Brings the files written since the last call to the disk. Collective; throws IoError on all ranks.
  void sync();

 protected:
  struct Grid;  // the cells as VTK sees them
  FrameWriter(const solid::Space& space, solid::NodePlaces places);
  const Grid& grid() const { return *grid_; }

 private:
  /// Adds each file of this rank to `written`, which are removed if it throws.
  virtual std::string write_files(const std::filesystem::path& folder, const std::string& name,
                                  std::span<const PointField> fields, std::span<const CellField> cell_fields,
                                  std::vector<std::filesystem::path>& written) const = 0;

  std::unique_ptr<Grid> grid_;
  mutable std::vector<std::filesystem::path> unsynced_;  // of this rank
};

}  // namespace gearshift::io
