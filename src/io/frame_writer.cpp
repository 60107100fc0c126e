#include <gearshift/io/folder.hpp>
#include <gearshift/io/frame_writer.hpp>
#include <gearshift/io/vtkhdf.hpp>
#include <gearshift/io/vtu.hpp>

#include "io/vtk_grid.hpp"
#include "petsc/files/durable.hpp"
#include "petsc/files/hdf5_file.hpp"
#include "petsc/log.hpp"
#include "petsc/ranks/agree.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift::io {

bool has_format(FrameFormat format) { return format != FrameFormat::vtkhdf || petsc::Hdf5File::available(); }

std::string series_file(FrameFormat format, const std::string& stem) {
  return stem + (format == FrameFormat::vtkhdf ? ".vtkhdf.series" : ".pvd");
}

void FrameWriter::PointField::at(std::span<const PetscInt> places, std::span<const double> shape, double* out) const {
  const auto interpolate = [&](std::span<const double> from, std::size_t count, double* result) {
    std::fill_n(result, count, 0.0);
    for (std::size_t i = 0; i < places.size(); ++i)
      for (std::size_t c = 0; c < count; ++c)
        result[c] += shape[i] * from[count * static_cast<std::size_t>(places[i]) + c];
  };
  if (from_tensor) {
    solid::Symmetric between{};
    interpolate(tensor, between.size(), between.data());
    from_tensor(between, out);
    return;
  }
  const auto count = static_cast<std::size_t>(components);
  interpolate(at_places, count, out);
  for (std::size_t c = 0; c < count; ++c) out[c] = std::max(out[c], at_least);
}

FrameWriter::Grid::Grid(const solid::Space& given, solid::NodePlaces places)
    : space(given), places_(std::move(places)) {
  points.resize(3 * places_.size());
  for (const solid::CellBlock& block : space.blocks()) {
    const VtkCell& kind = kinds_.emplace_back(block.element);
    for (PetscInt cell = block.first; cell < block.last; ++cell) add_cell(cell, kind);
  }
}

void FrameWriter::Grid::add_cell(PetscInt cell, const VtkCell& kind) {
  const auto places = places_.cell_places(cell);
  const std::size_t first = connectivity.size();
  connectivity.resize(first + places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const solid::Vec3 X = space.mesh_cells().position(cell, kind.equidistant[i]);
    for (std::size_t c = 0; c < 3; ++c) points[3 * static_cast<std::size_t>(places[i]) + c] = X[c];
    connectivity[first + static_cast<std::size_t>(kind.order[i])] = places[i];
  }
  offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
  types.push_back(kind.type);
}

std::vector<double> FrameWriter::Grid::at_points(const PointField& field) const {
  const auto components = static_cast<std::size_t>(field.components);
  std::vector<double> at_places(field.values ? components * places_.size() : 0), moved(components * places_.size());
  if (field.values) {
    std::vector<double> nodal(3 * static_cast<std::size_t>(space.local_nodes()));
    space.node_exchange().global_to_local_begin(field.values, nodal.data());
    space.node_exchange().global_to_local_end(field.values, nodal.data());
    for (std::size_t place = 0; place < places_.size(); ++place)
      for (std::size_t c = 0; c < 3; ++c)
        at_places[3 * place + c] = nodal[3 * static_cast<std::size_t>(places_.nodes()[place]) + c];
  }
  PointField placed = field;
  if (field.values) placed.at_places = at_places;
  std::vector<double> in_cell, work, shape;
  const bool between_nodes = field.from_tensor || std::isfinite(field.at_least);
  for (PetscInt cell = 0; cell < space.cells(); ++cell) {
    const auto places = places_.cell_places(cell);
    if (between_nodes && !kinds_[space.block_of(cell)].to_equidistant.empty()) {
      shape.resize(places.size());
      for (std::size_t i = 0; i < places.size(); ++i) {
        space.element(cell).values(kinds_[space.block_of(cell)].equidistant[i], shape);
        placed.at(places, shape, moved.data() + components * static_cast<std::size_t>(places[i]));
      }
      continue;
    }
    in_cell.resize(components * places.size());
    for (std::size_t i = 0; i < places.size(); ++i)
      for (std::size_t c = 0; c < components; ++c)
        in_cell[components * i + c] = placed.at_places[components * static_cast<std::size_t>(places[i]) + c];
    if (!field.as_it_is) kinds_[space.block_of(cell)].transform(components, in_cell, work);
    // Cells that share a place compute equal values for it: a polynomial on a common face has one continuation.
    for (std::size_t i = 0; i < places.size(); ++i)
      for (std::size_t c = 0; c < components; ++c)
        moved[components * static_cast<std::size_t>(places[i]) + c] = in_cell[components * i + c];
  }
  return moved;
}

FrameWriter::FrameWriter(const solid::Space& space, solid::NodePlaces places)
    : grid_(std::make_unique<Grid>(space, std::move(places))) {}

FrameWriter::~FrameWriter() = default;

std::unique_ptr<FrameWriter> FrameWriter::make(FrameFormat format, const solid::Space& space,
                                               solid::NodePlaces places) {
  if (format == FrameFormat::vtkhdf) return std::make_unique<VtkHdfWriter>(space, std::move(places));
  return std::make_unique<VtuWriter>(space, std::move(places));
}

std::string FrameWriter::write(const std::filesystem::path& folder, const std::string& name,
                               std::span<const PointField> fields, std::span<const CellField> cell_fields) const {
  const petsc::ScopedEvent event(petsc::Event::output);
  std::vector<std::filesystem::path> written;
  try {
    std::string file = write_files(folder, name, fields, cell_fields, written);
    unsynced_.insert(unsynced_.end(), written.begin(), written.end());
    return file;
  } catch (const IoError&) {
    std::error_code ignored;
    for (const auto& file : written) std::filesystem::remove(file, ignored);
    throw;
  }
}

void FrameWriter::sync() {
  throw_together(grid_->space.comm(), petsc::failure_of([&] {
                   for (const auto& file : unsynced_) petsc::File(file.string(), petsc::File::Mode::read).sync();
                   if (!unsynced_.empty()) petsc::sync_folder_of(unsynced_.back().string());
                 }));
  unsynced_.clear();
}

}  // namespace gearshift::io
