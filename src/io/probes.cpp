#include <gearshift/io/probes.hpp>
#include <gearshift/petsc/error.hpp>

#include "petsc/log.hpp"

#include <algorithm>

namespace gearshift::io {

Probes::Probes(const solid::Space& space, std::vector<std::string> further)
    : space_(space), further_(std::move(further)), local_(3 * static_cast<std::size_t>(space.local_nodes())) {}

void Probes::require_inside(std::string_view name, const solid::Vec3& X) const {
  (void)solid::MaterialPoint(space_, "probe " + std::string(name), X);
}

void Probes::add(std::string_view name, const solid::Vec3& X, const std::filesystem::path& folder, Table::Begin begin) {
  solid::MaterialPoint point(space_, "probe " + std::string(name), X);
  std::string columns = "t,x,y,z,ux,uy,uz,vx,vy,vz";
  for (const std::string& column : further_) columns += "," + column;
  Table table(space_.comm(), folder / ("probe_" + std::string(name) + ".csv"), columns, begin);
  probes_.push_back({std::string(name), std::move(point), std::move(table)});
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

void Probes::sample(const FrameWriter::PointField& field, const solid::NodePlaces* places, std::size_t column) {
  for (std::size_t i = 0; i < probes_.size(); ++i) {
    const Probe& probe = probes_[i];
    if (!probe.point.mine()) continue;
    const auto nodes = places ? places->cell_places(probe.point.cell()) : space_.cell_nodes(probe.point.cell());
    field.at(nodes, probe.point.shape(), rows_.data() + width() * i + column);
  }
}

void Probes::write(const State& state, std::span<const FrameWriter::PointField> further,
                   const solid::NodePlaces* places) {
  if (probes_.empty()) return;
  const petsc::ScopedEvent event(petsc::Event::output);
  std::size_t components = 0;
  for (const FrameWriter::PointField& field : further)
    components += field.values ? 3 : static_cast<std::size_t>(field.components);
  if (components != further_.size())
    throw Error("probes: " + std::to_string(components) + " components for " + std::to_string(further_.size()) +
                " columns");
  std::fill(rows_.begin(), rows_.end(), 0.0);
  std::size_t column = 0;
  const auto nodal = [&](Vec values) {
    space_.node_exchange().global_to_local_begin(values, local_.data());
    space_.node_exchange().global_to_local_end(values, local_.data());
    sample({.name = "", .at_places = local_}, nullptr, column);
    column += 3;
  };
  nodal(state.q);
  nodal(state.v);
  for (const FrameWriter::PointField& field : further) {
    if (field.values) {
      nodal(field.values);
      continue;
    }
    sample(field, places, column);
    column += static_cast<std::size_t>(field.components);
  }
  MPI_Allreduce(MPI_IN_PLACE, rows_.data(), static_cast<int>(rows_.size()), MPIU_REAL, MPI_SUM, space_.comm());
  std::vector<double> row(4 + width());
  for (std::size_t i = 0; i < probes_.size(); ++i) {
    Probe& probe = probes_[i];
    row[0] = state.t;
    std::copy_n(probe.point.X().begin(), 3, row.begin() + 1);
    std::copy_n(rows_.begin() + static_cast<std::ptrdiff_t>(width() * i), width(), row.begin() + 4);
    probe.table.row(row);
  }
}

}  // namespace gearshift::io
