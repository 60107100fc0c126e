#include <gearshift/io/folder.hpp>
#include <gearshift/io/vtkhdf.hpp>

#include "io/vtk_grid.hpp"
#include "petsc/files/shared_hdf5.hpp"
#include "petsc/ranks/agree.hpp"

#include <unistd.h>

#include <array>
#include <type_traits>

namespace gearshift::io {
namespace {

using petsc::Hdf5File;

template <class T>
constexpr Hdf5File::Number number_of = std::is_same_v<T, double>         ? Hdf5File::Number::float64
                                       : std::is_same_v<T, std::int64_t> ? Hdf5File::Number::int64
                                       : std::is_same_v<T, std::int32_t> ? Hdf5File::Number::int32
                                                                         : Hdf5File::Number::uint8;

/// A frame that all ranks write.
class SharedFrame : public petsc::SharedHdf5 {
 public:
  SharedFrame(MPI_Comm comm, const std::string& name, int ranks_per_group)
      : SharedHdf5(comm, name, ranks_per_group), comm_(comm) {}

  /// Adds an array with the rows of the ranks, one rank after another. Collective.
  /// @param components numbers in each row; 0: rows are plain numbers
  template <class T>
  void add(const std::string& name, std::span<const T> mine, std::int64_t components = 0) {
    const auto numbers = static_cast<std::int64_t>(mine.size());
    const std::array<std::int64_t, 2> shape{
        petsc::reduced(comm_, MPI_SUM, numbers / std::max<std::int64_t>(components, 1)), components};
    SharedHdf5::add(petsc::sum_before(comm_, numbers), mine, [&](Hdf5File& layout) {
      return layout.reserve(name, number_of<T>, std::span(shape).first(components > 0 ? 2 : 1));
    });
  }

  /// Writes the parts that are not distributed and closes the file. Throws IoError on all ranks if any rank failed.
  template <class Finish>
  void complete(Finish&& finish) {
    define([&](Hdf5File& layout) {
      finish(layout);
      const std::int64_t length = layout.complete([&](std::int64_t offset, std::span<const char> bytes) {
        file().write_at(offset, bytes.data(), bytes.size());
      });
      if (file().size() < length) file().truncate(length);
    });
    attempt([&] { file().close(); });
    require_success();
  }

 private:
  MPI_Comm comm_;
};

}  // namespace

VtkHdfWriter::VtkHdfWriter(const solid::Space& space, solid::NodePlaces places, int ranks_per_group)
    : FrameWriter(space, std::move(places)), ranks_per_group_(ranks_per_group) {
  if (!has_format(FrameFormat::vtkhdf))
    throw OptionError(
        "VTKHDF files need HDF5, and gearshift was built without it (use a PETSc with HDF5 and its headers, or write "
        "VTU)");
  if (ranks_per_group < 1)
    throw OptionError("VtkHdfWriter: groups of " + std::to_string(ranks_per_group) + " ranks; give 1 or more");
}

std::string VtkHdfWriter::write_files(const std::filesystem::path& folder, const std::string& name,
                                      std::span<const PointField> fields, std::span<const CellField> cell_fields,
                                      std::vector<std::filesystem::path>& written) const {
  const MPI_Comm comm = grid().space.comm();
  const std::string file = name + ".vtkhdf", part = (folder / (file + ".part")).string();
  const int rank = petsc::rank_of(comm);
  const bool has_cells = !grid().types.empty();
  try {
    SharedFrame shared(comm, part, ranks_per_group_);
    const auto add = [&]<class T>(const char* array, const std::vector<T>& mine, int components = 0) {
      shared.add("/VTKHDF/" + std::string(array), std::span<const T>(mine), components);
    };
    const auto add_count = [&](const char* array, std::size_t count) {
      add(array, has_cells ? std::vector{static_cast<std::int64_t>(count)} : std::vector<std::int64_t>());
    };
    add_count("NumberOfPoints", grid().points.size() / 3);
    add_count("NumberOfCells", grid().types.size());
    add_count("NumberOfConnectivityIds", grid().connectivity.size());
    add("Points", grid().points, 3);
    add("Types", grid().types);
    std::vector<std::int64_t> offsets(has_cells ? 1 : 0);
    offsets.insert(offsets.end(), grid().offsets.begin(), grid().offsets.end());
    add("Offsets", offsets);
    add("Connectivity", grid().connectivity);
    for (const PointField& field : fields)
      add((std::string("PointData/") + field.name).c_str(), grid().at_points(field),
          field.components > 1 ? field.components : 0);
    for (const CellField& field : cell_fields)
      std::visit(
          [&]<class T>(std::span<const T> mine) {
            using Written = std::conditional_t<std::is_same_v<T, int>, std::int32_t, T>;
            add((std::string("CellData/") + field.name).c_str(), std::vector<Written>(mine.begin(), mine.end()));
          },
          field.values);
    shared.complete([](Hdf5File& layout) {
      layout.attribute("/VTKHDF", "Version", std::array<std::int64_t, 2>{1, 0});
      layout.attribute("/VTKHDF", "Type", std::string("UnstructuredGrid"));
    });
    petsc::on_first_rank(comm, [&] {
      std::error_code error;
      std::filesystem::rename(part, folder / file, error);
      if (error) throw IoError("file " + (folder / file).string() + " cannot be replaced: " + error.message());
    });
  } catch (...) {
    if (rank == 0) (void)::unlink(part.c_str());
    throw;
  }
  if (has_cells || rank == 0) written.push_back(folder / file);
  return file;
}

}  // namespace gearshift::io
