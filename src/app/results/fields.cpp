#include "app/results/fields.hpp"

#include <gearshift/petsc/views.hpp>
#include <gearshift/solid/quality.hpp>

#include "app/results/field_kind.hpp"
#include "petsc/options/nearest.hpp"

#include <algorithm>
#include <array>

namespace gearshift::app {
namespace {

bool is_in(const std::vector<std::string>& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

/// Returns the quantities that must be recovered for these fields.
solid::StressRecovery::Wanted wanted(const std::vector<std::string>& list) {
  solid::StressRecovery::Wanted all{};
  for (const auto& kind : Fields::Kind::all()) {
    if (!is_in(list, kind.name)) continue;
    all.stress |= kind.needs.stress;
    all.strain |= kind.needs.strain;
    all.energy_density |= kind.needs.energy_density;
    all.plastic_strain |= kind.needs.plastic_strain;
  }
  return all;
}

bool anything(solid::StressRecovery::Wanted w) { return w.stress || w.strain || w.energy_density || w.plastic_strain; }

}  // namespace

std::span<const char* const> field_names(FieldUse use) {
  const auto names_of = [](FieldUse each) {
    std::vector<const char*> names;
    for (const auto& kind : Fields::Kind::all())
      if (kind.is_of(each)) names.push_back(kind.name);
    return names;
  };
  static const std::array lists{names_of(FieldUse::frames), names_of(FieldUse::probes), names_of(FieldUse::envelope)};
  return lists[static_cast<std::size_t>(use)];
}

std::string list_of_fields(FieldUse use) {
  std::string list;
  for (const char* name : field_names(use)) list += (list.empty() ? "" : ",") + std::string(name);
  return list;
}

void check_field_names(const char* key, FieldUse use, const std::vector<std::string>& given) {
  for (const std::string& name : given) {
    const auto* kind = Fields::Kind::find(name);
    if (kind && kind->is_of(use)) continue;
    std::string text = std::string("option ") + key + ": ";
    if (!kind)
      text += "there is no field '" + name + "'; " + petsc::meant(name, field_names(use));
    else if (use == FieldUse::probes)
      text += "'" + name + "' is a field on cells, not on points; ";
    else
      text += "'" + name + "' has no greatest value; ";
    throw OptionError(text + "there are " + list_of_fields(use));
  }
}

std::vector<std::string> columns_of_field(std::string_view name) {
  const auto* kind = Fields::Kind::find(name);
  return kind ? std::vector<std::string>(kind->columns.begin(), kind->columns.end()) : std::vector<std::string>{};
}

Legend legend_of_field(std::string_view name) {
  const auto* kind = Fields::Kind::find(name);
  return kind ? Legend{kind->label, kind->quantity} : Legend{};
}

Fields::Fields(const solid::Body& body, std::vector<std::string> chosen)
    : body_(body), names_(std::move(chosen)), plain_(body.space()) {
  const auto recovered = wanted(names_);
  stress_ = recovered.stress;
  if (anything(recovered)) recovery_.emplace(body, recovered);
  if (has("acceleration") && body.base_acceleration(0)) petsc::check(VecDuplicate(body.layout(), absolute_.out()));
  if (has("region"))
    for (PetscInt cell = 0; cell < body.space().cells(); ++cell)
      regions_.push_back(body.space().mesh_cells().region(cell));
}

double Fields::memory_estimate(const solid::Body& body, const std::vector<std::string>& names) {
  const auto recovered = wanted(names);
  const bool absolute = is_in(names, "acceleration") && body.base_acceleration(0);
  return (anything(recovered) ? solid::StressRecovery::memory_estimate(body, recovered) : 0) +
         (absolute ? 3 * sizeof(PetscScalar) * static_cast<double>(body.space().owned_nodes()) : 0);
}

bool Fields::has(std::string_view name) const { return is_in(names_, name); }

void Fields::add_base_acceleration() {
  petsc::check(VecCopy(state_.a, absolute_.get()));
  const solid::Vec3 base = *body_.base_acceleration(state_.t);
  {
    const petsc::WriteView a(absolute_.get());
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += base[i % 3];
  }
  state_.a = absolute_.get();
}

void Fields::update(const State& x, bool moving) {
  state_ = x;
  if (absolute_ && moving) add_base_acceleration();
  if (has("contact_pressure") || has("gap") || has("slip")) find_contacts();
  if (has("quality")) quality_ = solid::cell_quality(body_.space(), state_.q);
  if (!recovery_) return;
  recovery_->update(x);
  if (!stress_) return;
  stresses_.von_mises.clear();
  stresses_.principal.clear();
  stresses_.pressure.clear();
  for (const solid::Symmetric& s : recovery_->stress()) {
    stresses_.von_mises.push_back(solid::von_mises(s));
    if (has("pressure")) stresses_.pressure.push_back(solid::pressure(s));
    if (!has("principal")) continue;
    const auto values = solid::principal(s);
    stresses_.principal.insert(stresses_.principal.end(), values.begin(), values.end());
  }
  find_peak();
}

void Fields::find_contacts() {
  std::vector<solid::Vec3> at_nodes;
  body_.contact_fields(state_, at_nodes);
  contacts_.pressure.clear();
  contacts_.gap.clear();
  contacts_.slip.clear();
  for (const PetscInt node : places().nodes()) {
    const auto& [pressure, gap, slip] = at_nodes[static_cast<std::size_t>(node)];
    contacts_.pressure.push_back(pressure);
    contacts_.gap.push_back(gap);
    contacts_.slip.push_back(slip);
  }
}

void Fields::find_peak() {
  const MPI_Comm comm = body_.space().comm();
  const auto nodes = greatest_place(comm, stresses_.von_mises, [&](std::size_t place) {
    return body_.space().coordinates()[static_cast<std::size_t>(places().nodes()[place])];
  });
  const auto points = greatest_place(comm, recovery_->von_mises_at_points(), [&](std::size_t cell) {
    return recovery_->position_of_von_mises(static_cast<PetscInt>(cell));
  });
  peak_.reset();
  if (nodes && points) peak_ = StressPeak{.nodes = *nodes, .points = *points};
}

std::vector<io::FrameWriter::PointField> Fields::of_points(const std::vector<std::string>& wanted) const {
  std::vector<io::FrameWriter::PointField> fields;
  for (const Kind& kind : Kind::all()) {  // in this order, not in the order of the request
    if (!kind.point || !is_in(wanted, kind.name) || !has(kind.name)) continue;
    fields.push_back(kind.point(*this));
    fields.back().name = kind.name;
    fields.back().components = static_cast<int>(kind.columns.size());
  }
  return fields;
}

std::vector<io::FrameWriter::CellField> Fields::of_cells(const std::vector<std::string>& wanted) const {
  std::vector<io::FrameWriter::CellField> fields;
  for (const Kind& kind : Kind::all()) {
    if (!kind.cell || !is_in(wanted, kind.name) || !has(kind.name)) continue;
    fields.push_back(kind.cell(*this));
    fields.back().name = kind.name;
  }
  return fields;
}

std::optional<StressPeak> Fields::peak() const { return peak_; }

}  // namespace gearshift::app
