// Quadratic forms of the linearized residual along a direction: by products and by differences.

#include "dynamics/linear/quadratic_forms.hpp"

#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

namespace {

using gearshift::Shifts;
using small::Point;
using small::SmallSystem;
using small::Values;

constexpr double K[3][3] = {{7, -2, 1}, {-3, 5, -1}, {0, -4, 9}}, D[3] = {0.4, 0.9, 0.1}, M[3] = {2, 3, 5};

Values forces(Shifts s, const Values& q, const Values& v, const Values& a) {
  Values result(3);
  for (int i = 0; i < 3; ++i) {
    result[i] = s.v * D[i] * v[i] + s.a * M[i] * a[i];
    for (int j = 0; j < 3; ++j) result[i] += s.q * K[i][j] * q[j];
  }
  return result;
}

/// R = K q + D v + M a, whose differences are exact up to rounding.
TEST(QuadraticForms, AreThoseOfTheMatrices) {
  SmallSystem system(
      [](const Point& x) {
        return forces({1, 1, 1}, x.q, x.v, x.a);
      },
      [](const Point&, Shifts s, const Values& w) { return forces(s, w, w, w); });
  const Values direction{0.3, -1.2, 0.5};
  const auto e = small::vector(direction), q = small::vector({1, 2, 3}), v = small::vector({-1, 0, 4}),
             a = small::vector({5, 1, -2}), work = small::vector({0, 0, 0}), moved = small::vector({0, 0, 0});
  const gearshift::State at{0.7, q.get(), v.get(), a.get()};
  Shifts exact;
  for (int i = 0; i < 3; ++i) {
    exact.v += direction[i] * D[i] * direction[i];
    exact.a += direction[i] * M[i] * direction[i];
    for (int j = 0; j < 3; ++j) exact.q += direction[i] * K[i][j] * direction[j];
  }
  const auto tangent = system.make_linearization();
  tangent->update(at);
  for (const Shifts wanted : {Shifts{1, 0, 0}, Shifts{0, 1, 0}, Shifts{0, 0, 1}, Shifts{2, -3, 0.5}})
    for (const bool products : {true, false}) {
      const Shifts forms = products ? gearshift::quadratic_forms(*tangent, e.get(), wanted, work.get())
                                    : gearshift::difference_forms(system, at, e.get(), wanted, work.get(), moved.get());
      EXPECT_NEAR(forms.q, wanted.q * exact.q, 1e-8);
      EXPECT_NEAR(forms.v, wanted.v * exact.v, 1e-8);
      EXPECT_NEAR(forms.a, wanted.a * exact.a, 1e-8);
    }
}

}  // namespace
