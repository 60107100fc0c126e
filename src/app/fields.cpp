#include "app/fields.hpp"

#include <gearshift/petsc/views.hpp>
#include <gearshift/solid/quality.hpp>

#include "app/greatest.hpp"
#include "petsc/nearest.hpp"

#include <algorithm>
#include <array>

namespace gearshift::app {
namespace {

constexpr std::array names{"displacement", "velocity", "acceleration",    "cauchy",   "von_mises",
                           "principal",    "strain",   "energy_density",  "pressure", "history",
                           "region",       "quality",  "von_mises_points"};

std::span<const double> flat(std::span<const solid::Symmetric> tensors) {
  return {tensors.empty() ? nullptr : tensors.front().data(), 6 * tensors.size()};
}

bool is_in(const std::vector<std::string>& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

/// What these fields need to be recovered.
solid::StressRecovery::Wanted wanted(const std::vector<std::string>& list) {
  return {.stress = is_in(list, "von_mises_points") || is_in(list, "cauchy") || is_in(list, "von_mises") ||
                    is_in(list, "principal") || is_in(list, "pressure"),
          .strain = is_in(list, "strain"),
          .energy_density = is_in(list, "energy_density"),
          .plastic_strain = is_in(list, "history")};
}

bool anything(solid::StressRecovery::Wanted w) { return w.stress || w.strain || w.energy_density || w.plastic_strain; }

}  // namespace

std::span<const char* const> field_names() { return names; }

void check_field_names(const char* key, const std::vector<std::string>& given) {
  for (const std::string& name : given) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    std::string list;
    for (const char* known : names) list += std::string(" ") + known;
    throw OptionError(std::string("option ") + key + ": there is no field '" + name + "'; " +
                      petsc::meant(name, names) + "there are" + list);
  }
}

bool belongs_to_cells(std::string_view name) {
  return name == "region" || name == "quality" || name == "von_mises_points";
}

std::vector<std::string> columns_of_field(std::string_view name) {
  std::vector<std::string> columns;
  const auto named = [&](const std::string& before, std::initializer_list<const char*> components) {
    for (const char* component : components) columns.push_back(before + component);
  };
  if (name == "displacement") named("u", {"x", "y", "z"});
  if (name == "velocity") named("v", {"x", "y", "z"});
  if (name == "acceleration") named("a", {"x", "y", "z"});
  if (name == "cauchy" || name == "strain") named(std::string(name), {"_xx", "_yy", "_zz", "_xy", "_yz", "_xz"});
  if (name == "principal") named("principal", {"_1", "_2", "_3"});
  if (name == "von_mises" || name == "energy_density" || name == "pressure") columns.emplace_back(name);
  return columns;
}

Fields::Fields(const solid::Body& body, std::vector<std::string> chosen)
    : body_(body), names_(std::move(chosen)), plain_(body.space()) {
  const auto recovered = wanted(names_);
  stress_ = recovered.stress;
  if (anything(recovered)) recovery_.emplace(body, recovered);
  if (has("acceleration") && body.base_acceleration(0)) petsc::check(VecDuplicate(body.layout(), absolute_.out()));
  if (has("region"))
    for (PetscInt cell = 0; cell < body.space().cells(); ++cell) regions_.push_back(body.space().region(cell));
}

double Fields::footprint(const solid::Body& body, const std::vector<std::string>& names) {
  const auto recovered = wanted(names);
  const bool absolute = is_in(names, "acceleration") && body.base_acceleration(0);
  return (anything(recovered) ? solid::StressRecovery::footprint(body, recovered) : 0) +
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
  if (has("quality")) quality_ = solid::cell_quality(body_.space(), state_.q);
  if (!recovery_) return;
  recovery_->update(x);
  if (!stress_) return;
  von_mises_.clear();
  principal_.clear();
  pressure_.clear();
  for (const solid::Symmetric& s : recovery_->stress()) {
    von_mises_.push_back(solid::von_mises(s));
    if (has("pressure")) pressure_.push_back(solid::pressure(s));
    if (!has("principal")) continue;
    const auto values = solid::principal(s);
    principal_.insert(principal_.end(), values.begin(), values.end());
  }
  find_peak();
}

void Fields::find_peak() {
  const MPI_Comm comm = body_.space().comm();
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  const auto find = [&](std::span<const double> values, auto&& position) {
    std::optional<StressPeak::Place> place;
    const auto most = greatest(comm, values);
    if (!most) return place;
    place = {most->value, rank == most->rank ? position(most->at) : solid::Vec3{}};
    MPI_Bcast(place->X.data(), 3, MPIU_REAL, most->rank, comm);
    return place;
  };
  const auto nodes = find(von_mises_, [&](std::size_t place) {
    return body_.space().coordinates()[static_cast<std::size_t>(places().nodes()[place])];
  });
  const auto points = find(recovery_->von_mises_at_points(), [&](std::size_t cell) {
    return recovery_->position_of_von_mises(static_cast<PetscInt>(cell));
  });
  peak_.reset();
  if (nodes && points) peak_ = StressPeak{.t = state_.t, .nodes = *nodes, .points = *points};
}

std::vector<io::FrameWriter::PointField> Fields::of_points(const std::vector<std::string>& wanted) const {
  std::vector<io::FrameWriter::PointField> fields;
  const auto vec = [&](const char* name, Vec values) { fields.push_back({.name = name, .values = values}); };
  const auto at_places = [&](const char* name, std::span<const double> values, int components) {
    fields.push_back({.name = name, .at_places = values, .components = components});
  };
  const auto of_stress = [&](void (*from)(const solid::Symmetric& stress, double* out)) {
    fields.back().tensor = flat(recovery_->stress());
    fields.back().from_tensor = from;
  };
  for (const char* name : names) {  // in this order, whatever the order that they are asked for in
    const std::string_view word = name;
    if (!is_in(wanted, word) || !has(word)) continue;
    if (word == "displacement") vec(name, state_.q);
    if (word == "velocity") vec(name, state_.v);
    if (word == "acceleration") vec(name, state_.a);
    if (word == "cauchy") at_places(name, flat(recovery_->stress()), 6);
    if (word == "von_mises") {
      at_places(name, von_mises_, 1);
      of_stress([](const solid::Symmetric& stress, double* out) { *out = solid::von_mises(stress); });
    }
    if (word == "principal") {
      at_places(name, principal_, 3);
      of_stress([](const solid::Symmetric& stress, double* out) { std::ranges::copy(solid::principal(stress), out); });
    }
    if (word == "strain") at_places(name, flat(recovery_->strain()), 6);
    if (word == "energy_density") {
      at_places(name, recovery_->energy_density(), 1);
      fields.back().at_least = recovery_->least_energy_density();
    }
    if (word == "pressure") at_places(name, pressure_, 1);
    if (word == "history") {
      at_places(name, recovery_->plastic_strain(), 1);
      fields.back().at_least = 0;
    }
  }
  return fields;
}

std::vector<io::FrameWriter::CellField> Fields::of_cells(const std::vector<std::string>& wanted) const {
  std::vector<io::FrameWriter::CellField> fields;
  if (is_in(wanted, "region") && has("region")) fields.push_back({.name = "region", .values = regions_});
  if (is_in(wanted, "quality") && has("quality")) fields.push_back({.name = "quality", .values = quality_});
  if (is_in(wanted, "von_mises_points") && has("von_mises_points"))
    fields.push_back({.name = "von_mises_points", .values = recovery_->von_mises_at_points()});
  return fields;
}

std::optional<StressPeak> Fields::peak() const { return peak_; }

}  // namespace gearshift::app
