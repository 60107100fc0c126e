/// Scaled materials: covers every law, so that a law whose moduli are missing in scaled.hpp fails here.

#include "solid/material/scaled.hpp"

#include <gearshift/solid/law.hpp>

#include "boxes.hpp"
#include "petsc/queries.hpp"

namespace gearshift::solid {
namespace {

using namespace test;

/// Returns a material with all parameters of a law, all of them different from 0; the compiler requires a case for each
/// new law.
Material with_all_parameters(Law law) {
  Material m{.law = law, .rho = 1.3};
  switch (law) {
    case Law::linear_elastic:
    case Law::st_venant_kirchhoff:
    case Law::neo_hookean:
    case Law::isochoric_neo_hookean:
      m.E = 2.6;
      m.nu = 0.3;
      return m;
    case Law::j2:
      m.E = 2.6;
      m.nu = 0.3;
      m.yield = 0.02;
      m.hardening = 0.3;
      m.voce_saturation = 0.05;
      m.voce_rate = 7;
      return m;
    case Law::mooney_rivlin:
    case Law::isochoric_mooney_rivlin:
      m.mu1 = 0.7;
      m.mu2 = 0.3;
      m.bulk = 3;
      return m;
    case Law::yeoh:
      m.c1 = 0.5;
      m.c2 = -0.1;
      m.c3 = 0.2;
      m.bulk = 3;
      return m;
    case Law::arruda_boyce:
      m.mu1 = 0.7;
      m.parameters = {1.8};
      m.bulk = 3;
      return m;
    case Law::ogden:
      m.mu1 = 0.6;
      m.alpha1 = 1.3;
      m.mu2 = 0.02;
      m.alpha2 = 5;
      m.mu3 = -0.01;
      m.alpha3 = -2;
      m.bulk = 3;
      return m;
    case Law::holzapfel:
      m.mu1 = 0.5;
      m.k1 = 0.4;
      m.k2 = 2;
      m.dispersion = 0.1;
      m.fibre_1 = Direction("1,0.4,0.2");
      m.fibre_2 = Direction("0.3,1,0");
      m.bulk = 3;
      return m;
  }
  ADD_FAILURE() << "law " << static_cast<int>(law) << " has no parameters here";
  return m;
}

/// Returns two characteristic numbers of the nodal forces of a strongly deformed box, for the metal after plastic flow.
std::vector<double> response(const Material& m) {
  Body body(box("2,1,1"), 2);
  body.set_material(m);
  body.set_up();
  const auto q = vector(body, [](const Vec3& X) {
    return Vec3{0.3 * X[0] + 0.2 * X[1] * X[0], 0.1 * X[2] - 0.1 * X[1], 0.2 * X[0] * X[2] - 0.05 * X[2]};
  });
  const auto zero = vector(body), r = vector(body);
  State x{0, q.get(), zero.get(), zero.get()};
  const auto history = body.internal_layout() ? petsc::duplicate(body.internal_layout()) : Handle<Vec>();
  if (history) x.internal = {history.get(), 1, 1};  // a step from rest
  body.residual(x, r.get());
  return {norm(r.get()), inner(r.get(), vector(body, ripple).get())};
}

TEST(Scaled, StressesOfEveryLawAreInProportion) {
  for (const char* name : law_names()) {
    SCOPED_TRACE(name);
    const Law law = law_of(name);
    if (is_registered(law)) continue;  // registered laws are not scaled
    const Material m = with_all_parameters(law);
    check_material(m);
    const auto once = response(m), scaled_up = response(scaled(m, 7, 3));
    double most = 0;
    for (const double x : once) most = std::max(most, std::abs(x));
    for (std::size_t i = 0; i < once.size(); ++i) EXPECT_NEAR(scaled_up[i], 7 * once[i], 1e-12 * 7 * most);
    EXPECT_EQ(scaled(m, 7, 3).rho, 3 * m.rho);
    // Every parameter has an effect, so that no modulus is hidden by another one.
    for (PetscReal Material::*modulus :
         {&Material::E, &Material::mu1, &Material::mu2, &Material::mu3, &Material::c1, &Material::c2, &Material::c3,
          &Material::k1, &Material::bulk, &Material::yield, &Material::hardening, &Material::voce_saturation}) {
      if (m.*modulus == 0) continue;
      Material other = m;
      other.*modulus *= 1.01;
      EXPECT_GT(std::abs(response(other)[0] / once[0] - 1), 1e-9);
    }
  }
}

}  // namespace
}  // namespace gearshift::solid
