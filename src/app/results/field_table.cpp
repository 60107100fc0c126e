#include "app/results/field_kind.hpp"

namespace gearshift::app {
namespace {

std::span<const double> flat(std::span<const solid::Symmetric> tensors) {
  return {tensors.empty() ? nullptr : tensors.front().data(), 6 * tensors.size()};
}

}  // namespace

std::vector<std::string> default_fields() { return {"displacement", "velocity", "von_mises"}; }

const std::vector<Fields::Kind>& Fields::Kind::all() {
  constexpr solid::StressRecovery::Wanted stress{.stress = true}, strain{.strain = true},
      energy{.energy_density = true}, plastic{.plastic_strain = true}, nothing{};
  constexpr bool greatest = true;
  using At = const Fields&;
  static const std::vector<Kind> table{
      {"displacement",
       "displacement",
       Quantity::length,
       {"ux", "uy", "uz"},
       greatest,
       nothing,
       [](At f) { return PointField{.values = f.state_.q}; }},
      {"velocity",
       "velocity",
       Quantity::velocity,
       {"vx", "vy", "vz"},
       greatest,
       nothing,
       [](At f) { return PointField{.values = f.state_.v}; }},
      {"acceleration",
       "acceleration",
       Quantity::acceleration,
       {"ax", "ay", "az"},
       greatest,
       nothing,
       [](At f) { return PointField{.values = f.state_.a}; }},
      {"cauchy",
       "Cauchy stress",
       Quantity::stress,
       {"cauchy_xx", "cauchy_yy", "cauchy_zz", "cauchy_xy", "cauchy_yz", "cauchy_xz"},
       false,
       stress,
       [](At f) { return PointField{.at_places = flat(f.recovery_->stress())}; }},
      {"von_mises",
       "von Mises stress",
       Quantity::stress,
       {"von_mises"},
       greatest,
       stress,
       [](At f) {
         return PointField{.at_places = f.stresses_.von_mises,
                           .tensor = flat(f.recovery_->stress()),
                           .from_tensor = [](const solid::Symmetric& s, double* out) { *out = solid::von_mises(s); }};
       }},
      {"principal",
       "principal stresses",
       Quantity::stress,
       {"principal_1", "principal_2", "principal_3"},
       greatest,
       stress,
       [](At f) {
         return PointField{.at_places = f.stresses_.principal,
                           .tensor = flat(f.recovery_->stress()),
                           .from_tensor = [](const solid::Symmetric& s, double* out) {
                             std::ranges::copy(solid::principal(s), out);
                           }};
       }},
      {"strain",
       "strain",
       Quantity::none,
       {"strain_xx", "strain_yy", "strain_zz", "strain_xy", "strain_yz", "strain_xz"},
       false,
       strain,
       [](At f) { return PointField{.at_places = flat(f.recovery_->strain())}; }},
      {"energy_density",
       "energy density",
       Quantity::energy_density,
       {"energy_density"},
       greatest,
       energy,
       [](At f) {
         return PointField{.at_places = f.recovery_->energy_density(), .at_least = f.recovery_->least_energy_density()};
       }},
      {"pressure",
       "pressure",
       Quantity::stress,
       {"pressure"},
       greatest,
       stress,
       [](At f) { return PointField{.at_places = f.stresses_.pressure}; }},
      {"history",
       "equivalent plastic strain",
       Quantity::none,
       {"history"},
       greatest,
       plastic,
       [](At f) { return PointField{.at_places = f.recovery_->plastic_strain(), .at_least = 0}; }},
      {"contact_pressure",
       "contact pressure",
       Quantity::stress,
       {"contact_pressure"},
       greatest,
       nothing,
       [](At f) { return PointField{.at_places = f.contacts_.pressure, .at_least = 0}; }},
      {"gap",
       "distance from the nearest obstacle",
       Quantity::length,
       {"gap"},
       false,
       nothing,
       [](At f) { return PointField{.at_places = f.contacts_.gap}; }},
      {"slip",
       "speed of sliding",
       Quantity::velocity,
       {"slip"},
       greatest,
       nothing,
       [](At f) { return PointField{.at_places = f.contacts_.slip, .at_least = 0}; }},
      {.name = "region",
       .label = "region",
       .columns = {},
       .cell = [](At f) { return CellField{.values = f.regions_}; }},
      {.name = "quality",
       .label = "cell quality",
       .columns = {},
       .cell = [](At f) { return CellField{.values = f.quality_}; }},
      {.name = "von_mises_points",
       .label = "von Mises stress at quadrature points",
       .quantity = Quantity::stress,
       .columns = {},
       .needs = stress,
       .cell = [](At f) { return CellField{.values = f.recovery_->von_mises_at_points()}; }}};
  return table;
}

}  // namespace gearshift::app
