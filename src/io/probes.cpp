#include <gearshift/io/probes.hpp>

#include "petsc/log.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <string>

namespace gearshift::io {
namespace {

std::string in_words(const solid::Vec3& X) {
  std::array<char, 96> text{};
  std::snprintf(text.data(), text.size(), "(%.6g, %.6g, %.6g)", X[0], X[1], X[2]);
  return text.data();
}

[[noreturn]] void throw_outside(const solid::Space& space, std::string_view name, const solid::Vec3& X) {
  std::array<PetscReal, 6> box;  // lowest, and negative highest, so that one minimum does
  box.fill(std::numeric_limits<PetscReal>::max());
  for (const solid::Vec3& node : space.coordinates())
    for (std::size_t c = 0; c < 3; ++c) {
      box[c] = std::min(box[c], node[c]);
      box[3 + c] = std::min(box[3 + c], -node[c]);
    }
  MPI_Allreduce(MPI_IN_PLACE, box.data(), 6, MPIU_REAL, MPI_MIN, space.comm());
  throw OptionError("probe " + std::string(name) + " at " + in_words(X) +
                    " is outside of the mesh, which lies between " + in_words({box[0], box[1], box[2]}) + " and " +
                    in_words({-box[3], -box[4], -box[5]}) + "; give a reference position inside the body");
}

/// The lowest rank that has the point; throws where none has.
int owner_of(const solid::Space& space, std::string_view name, const solid::Vec3& X, bool here) {
  int rank = 0, size = 1;
  MPI_Comm_rank(space.comm(), &rank);
  MPI_Comm_size(space.comm(), &size);
  int owner = here ? rank : size;
  MPI_Allreduce(MPI_IN_PLACE, &owner, 1, MPI_INT, MPI_MIN, space.comm());
  if (owner == size) throw_outside(space, name, X);
  return owner;
}

}  // namespace

Probes::Probes(const solid::Space& space, std::vector<std::string> further)
    : space_(space), further_(std::move(further)), local_(3 * static_cast<std::size_t>(space.local_nodes())) {}

void Probes::require_inside(std::string_view name, const solid::Vec3& X) const {
  (void)owner_of(space_, name, X, space_.locate(X).has_value());
}

void Probes::add(std::string_view name, const solid::Vec3& X, const std::filesystem::path& folder, Table::Begin begin) {
  const auto location = space_.locate(X);
  const int owner = owner_of(space_, name, X, location.has_value());
  int rank = 0;
  MPI_Comm_rank(space_.comm(), &rank);
  std::string columns = "t,x,y,z,ux,uy,uz,vx,vy,vz";
  for (const std::string& column : further_) columns += "," + column;
  Table table(space_.comm(), folder / ("probe_" + std::string(name) + ".csv"), columns, begin);
  Probe probe{
      .name = std::string(name), .X = X, .mine = owner == rank, .cell = 0, .shape = {}, .table = std::move(table)};
  if (probe.mine) {
    probe.cell = location->cell;
    probe.shape.resize(space_.cell_nodes(probe.cell).size());
    space_.shape_values(probe.cell, location->xi, probe.shape);
  }
  probes_.push_back(std::move(probe));
  rows_.resize(width() * probes_.size());
}

void Probes::archive(Archive& state) {
  for (Probe& probe : probes_) {
    const Archive::Group group(state, "probe_" + probe.name);
    probe.table.archive(state);
  }
}

void Probes::close() {
  for (Probe& probe : probes_) probe.table.close();
}

void Probes::sample(std::span<const double> values, int components, bool at_places, const solid::NodePlaces* places,
                    std::size_t column) {
  const auto count = static_cast<std::size_t>(components);
  for (std::size_t i = 0; i < probes_.size(); ++i) {
    const Probe& probe = probes_[i];
    if (!probe.mine) continue;
    const auto nodes = at_places ? places->cell_places(probe.cell) : space_.cell_nodes(probe.cell);
    for (std::size_t node = 0; node < nodes.size(); ++node)
      for (std::size_t c = 0; c < count; ++c)
        rows_[width() * i + column + c] +=
            probe.shape[node] * values[count * static_cast<std::size_t>(nodes[node]) + c];
  }
}

void Probes::write(const State& state, std::span<const FrameWriter::PointField> further,
                   const solid::NodePlaces* places) {
  if (probes_.empty()) return;
  const petsc::ScopedEvent event(petsc::Event::output);
  std::fill(rows_.begin(), rows_.end(), 0.0);
  std::size_t column = 0;
  const auto nodal = [&](Vec values) {
    space_.global_to_local_begin(values, local_.data());
    space_.global_to_local_end(values, local_.data());
    sample(local_, 3, false, nullptr, column);
    column += 3;
  };
  nodal(state.q);
  nodal(state.v);
  for (const FrameWriter::PointField& field : further) {
    if (field.values) {
      nodal(field.values);
      continue;
    }
    sample(field.at_places, field.components, true, places, column);
    column += static_cast<std::size_t>(field.components);
  }
  MPI_Allreduce(MPI_IN_PLACE, rows_.data(), static_cast<int>(rows_.size()), MPIU_REAL, MPI_SUM, space_.comm());
  std::vector<double> row(4 + width());
  for (std::size_t i = 0; i < probes_.size(); ++i) {
    Probe& probe = probes_[i];
    row[0] = state.t;
    std::copy_n(probe.X.begin(), 3, row.begin() + 1);
    std::copy_n(rows_.begin() + static_cast<std::ptrdiff_t>(width() * i), width(), row.begin() + 4);
    probe.table.row(row);
  }
}

}  // namespace gearshift::io
