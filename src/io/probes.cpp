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

Probes::Probes(const solid::Space& space)
    : space_(space), local_(2 * 3 * static_cast<std::size_t>(space.local_nodes())) {}

void Probes::require_inside(std::string_view name, const solid::Vec3& X) const {
  (void)owner_of(space_, name, X, space_.locate(X).has_value());
}

void Probes::add(std::string_view name, const solid::Vec3& X, const std::filesystem::path& folder, Table::Begin begin) {
  const auto location = space_.locate(X);
  const int owner = owner_of(space_, name, X, location.has_value());
  int rank = 0;
  MPI_Comm_rank(space_.comm(), &rank);
  Table table(space_.comm(), folder / ("probe_" + std::string(name) + ".csv"), "t,x,y,z,ux,uy,uz,vx,vy,vz", begin);
  Probe probe{
      .name = std::string(name), .X = X, .mine = owner == rank, .cell = 0, .shape = {}, .table = std::move(table)};
  if (probe.mine) {
    probe.cell = location->cell;
    probe.shape.resize(space_.cell_nodes(probe.cell).size());
    space_.shape_values(probe.cell, location->xi, probe.shape);
  }
  probes_.push_back(std::move(probe));
  rows_.resize(6 * probes_.size());
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

void Probes::write(const State& state) {
  if (probes_.empty()) return;
  const petsc::ScopedEvent event(petsc::Event::output);
  const std::size_t half = local_.size() / 2;
  for (std::size_t field = 0; field < 2; ++field) {
    space_.global_to_local_begin(field == 0 ? state.q : state.v, local_.data() + field * half);
    space_.global_to_local_end(field == 0 ? state.q : state.v, local_.data() + field * half);
  }
  std::fill(rows_.begin(), rows_.end(), 0.0);
  for (std::size_t i = 0; i < probes_.size(); ++i) {
    const Probe& probe = probes_[i];
    if (!probe.mine) continue;
    const auto nodes = space_.cell_nodes(probe.cell);
    for (std::size_t field = 0; field < 2; ++field)
      for (std::size_t node = 0; node < nodes.size(); ++node)
        for (std::size_t c = 0; c < 3; ++c)
          rows_[6 * i + 3 * field + c] +=
              probe.shape[node] * local_[field * half + 3 * static_cast<std::size_t>(nodes[node]) + c];
  }
  MPI_Allreduce(MPI_IN_PLACE, rows_.data(), static_cast<int>(rows_.size()), MPIU_REAL, MPI_SUM, space_.comm());
  for (std::size_t i = 0; i < probes_.size(); ++i) {
    Probe& probe = probes_[i];
    std::array<double, 10> row{state.t, probe.X[0], probe.X[1], probe.X[2]};
    std::copy_n(rows_.begin() + static_cast<std::ptrdiff_t>(6 * i), 6, row.begin() + 4);
    probe.table.row(row);
  }
}

}  // namespace gearshift::io
