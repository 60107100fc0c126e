#include <gearshift/solid/material.hpp>

#include <array>
#include <cmath>
#include <sstream>
#include <string>

namespace gearshift::solid {
namespace {
constexpr std::array<const char*, 4> law_names{"linear_elastic", "st_venant_kirchhoff", "neo_hookean", "mooney_rivlin"};
}

const char* name_of(Law law) { return law_names[static_cast<std::size_t>(law)]; }

Law law_of(std::string_view name) {
  for (std::size_t i = 0; i < law_names.size(); ++i)
    if (name == law_names[i]) return static_cast<Law>(i);
  throw OptionError("unknown material '" + std::string(name) +
                    "'; known: linear_elastic, st_venant_kirchhoff, neo_hookean, mooney_rivlin");
}

void check_material(const Material& m, std::string_view where) {
  const auto refuse = [&](const char* name, PetscReal value, const char* rule) {
    std::ostringstream text;
    text << "material " << name_of(m.law);
    if (!where.empty()) text << " of region '" << where << "'";
    text << ": " << name << " = " << value << " cannot be; " << rule;
    throw OptionError(text.str());
  };
  const auto finite_positive = [](PetscReal value) { return std::isfinite(value) && value > 0; };
  if (!finite_positive(m.rho)) refuse("rho", m.rho, "give a mass density > 0");
  if (m.law == Law::mooney_rivlin) {
    if (!finite_positive(m.mu1)) refuse("mu1", m.mu1, "give a modulus > 0");
    if (!std::isfinite(m.mu2) || m.mu2 < 0) refuse("mu2", m.mu2, "give a modulus >= 0");
    if (!std::isfinite(m.bulk) || m.bulk < 2 * (m.mu1 + m.mu2) / 3 + 2 * m.mu2)
      refuse("bulk", m.bulk, "give a bulk modulus >= 2/3 (mu1 + mu2) + 2 mu2, so that volume is held");
    return;
  }
  if (!finite_positive(m.E)) refuse("E", m.E, "give a Young's modulus > 0");
  if (!(m.nu > -1 && m.nu < 0.5))
    refuse("nu", m.nu, "give a Poisson's ratio in (-1, 0.5); for nearly incompressible bodies 0.499 and degree >= 2");
}

}  // namespace gearshift::solid
