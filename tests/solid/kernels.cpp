/// Products for every instruction set, cell shape and degree compared with a plain sum over points and nodes.

#include "solid/material/laws/linear_elastic.hpp"
#include "solid/material/laws/mooney_rivlin.hpp"
#include "solid/material/laws/neo_hookean.hpp"
#include "solid/material/laws/st_venant_kirchhoff.hpp"
#include "solid/plain_sum.hpp"

#include <limits>
#include <random>

using namespace gearshift;
using namespace gearshift::solid;
using namespace gearshift::solid::test;

namespace {

template <class Use>
void with_law(const Material& m, Use&& use) {
  const double mu = m.E / (2 * (1 + m.nu)), lambda = m.E * m.nu / ((1 + m.nu) * (1 - 2 * m.nu));
  const double isotropic[] = {mu, lambda, 0}, mooney[] = {m.mu1, m.bulk - 2 * (m.mu1 + m.mu2) / 3 - 2 * m.mu2, m.mu2};
  switch (m.law) {
    case Law::linear_elastic:
      return use(LinearElasticLaw{}, isotropic);
    case Law::st_venant_kirchhoff:
      return use(StVenantKirchhoffLaw{}, isotropic);
    case Law::neo_hookean:
      return use(NeoHookeanLaw{}, isotropic);
    default:
      return use(MooneyRivlinLaw{}, mooney);
  }
}

void compare(const std::string& simd, int degree, Cells cells, Law law) {
  SCOPED_TRACE(simd + ", degree " + std::to_string(degree) + ", cells " + std::to_string(static_cast<int>(cells)) +
               ", " + name_of(law));
  const Options options(std::vector<std::pair<std::string, std::string>>{{"-solid_simd", simd}});
  Body body(mesh_of(cells), degree);
  const Material m = material(law);
  body.set_material(m);
  body.clamp(cells == Cells::curved_tetrahedra ? "bottom" : "xmin");
  body.set_up();
  const auto u = vector(body, wavy), x = vector(body, ripple);
  auto y = vector(body), expected = vector(body), z = vector(body);
  const auto zero = vector(body);
  with_law(m, [&](auto kind, const double* p) {
    using L = decltype(kind);
    const auto force = [&](const Tensor<double>& H, const Tensor<double>&, Tensor<double>& P, PetscInt, std::size_t) {
      L::stress(p, H, P);
    };
    reference(body, u.get(), nullptr, x.get(), m.rho, expected.get(), force);
    body.residual({0, u.get(), nullptr, x.get()}, y.get());
    EXPECT_LT(relative_gap(y.get(), expected.get()), 1e-13) << "residual";

    const auto tangent = body.make_linearization();
    tangent->update({0, u.get(), nullptr, nullptr});
    for (const Shifts s : {Shifts{1, 0, 0}, Shifts{0.7, 0, 2.5}, Shifts{0, 0, 1}}) {
      const auto product = [&](const Tensor<double>& H, const Tensor<double>& dH, Tensor<double>& dP, PetscInt,
                               std::size_t) {
        double T[tangent_size];
        L::prepare(p, H, T);
        L::dstress(p, T, dH, dP);
        for (double& entry : dP.e) entry *= s.q;
      };
      reference(body, u.get(), x.get(), x.get(), s.a * m.rho, expected.get(), product);
      tangent->apply(s, x.get(), y.get());
      EXPECT_LT(relative_gap(y.get(), expected.get()), 1e-13) << "tangent " << s.q << " " << s.a;
    }
    tangent->apply({1, 0, 0.3}, x.get(), y.get());
    tangent->apply({1, 0, 0.3}, u.get(), z.get());
    EXPECT_NEAR(inner(u.get(), y.get()), inner(x.get(), z.get()), 1e-13 * norm(u.get()) * norm(y.get()));
    // With supports: identity on the constrained entries.
    auto masked = vector(body, ripple), free = vector(body);
    const auto hold = [&](Vec to, Vec from) {
      const petsc::ReadView source(from);
      petsc::WriteView values(to);
      for (std::size_t i = 0; i < values.size(); ++i)
        if (body.space().coordinates()[i / 3][0] == 0) values[i] = source[i];
    };
    if (cells == Cells::cartesian) {
      hold(masked.get(), zero.get());
      tangent->apply({1, 0, 0.3}, masked.get(), y.get());
      hold(y.get(), x.get());
      ASSERT_TRUE(tangent->apply_free({1, 0, 0.3}, x.get(), free.get()));
      EXPECT_LT(relative_gap(free.get(), y.get()), 1e-15);
      const auto before = vector(body, ripple);
      EXPECT_EQ(relative_gap(x.get(), before.get()), 0) << "a product left its input changed";
    }
    const auto shift = vector(body, [](const Vec3&) { return Vec3{1, -2, 0.5}; });
    tangent->apply({1, 0, 0}, shift.get(), z.get());
    ASSERT_TRUE(tangent->diagonal({1, 0, 0}, y.get()));
    EXPECT_LT(biggest(z.get()), 1e-14 * biggest(y.get())) << "rigid translation";
  });
}

}  // namespace

TEST(Kernels, AgreeWithAPlainSum) {
  const auto all = widths();
  ASSERT_FALSE(all.empty());
  for (const auto& simd : all)
    for (int degree = 1; degree <= 6; ++degree)
      for (const Cells cells : {Cells::cartesian, Cells::affine, Cells::general}) {
        // The reference costs n^6 operations per cell: one law is enough for the high degrees.
        if (degree > 3) {
          compare(simd, degree, cells, Law::neo_hookean);
          continue;
        }
        for (const Law law : laws) compare(simd, degree, cells, law);
      }
}

TEST(Kernels, AgreeWithAPlainSumOnTetrahedra) {
  for (const auto& simd : widths())
    for (const int degree : {1, 2, 3})
      for (const Cells cells : {Cells::tetrahedra, Cells::curved_tetrahedra})
        for (const Law law : laws) compare(simd, degree, cells, law);
}

TEST(Kernels, AgreeWithAPlainSumOnWedges) {
  for (const auto& simd : widths())
    for (const int degree : {1, 2})
      for (const Law law : laws) {
        compare(simd, degree, Cells::wedges, law);
        if (law != Law::neo_hookean) continue;
        for (const Cells cells : {Cells::hexahedra_and_wedges, Cells::curved_mixed}) compare(simd, degree, cells, law);
      }
}

TEST(Kernels, KeepPointsInSinglePrecision) {
  for (const auto& simd : widths())
    for (const auto& [law, cells] :
         std::initializer_list<std::pair<Law, Cells>>{{Law::linear_elastic, Cells::general},
                                                      {Law::st_venant_kirchhoff, Cells::general},
                                                      {Law::neo_hookean, Cells::general},
                                                      {Law::mooney_rivlin, Cells::general},
                                                      {Law::neo_hookean, Cells::tetrahedra},
                                                      {Law::neo_hookean, Cells::curved_mixed}}) {
      // The two bodies may be distributed differently: only quantities independent of the distribution are compared.
      std::vector<PetscReal> results[2];
      for (const int precision : {0, 1}) {
        const Options options({{"-solid_simd", simd}, {"-solid_points", precision == 0 ? "double" : "float"}});
        Body body(mesh_of(cells), 2);
        body.set_material(material(law));
        body.set_up();
        const auto u = vector(body, wavy), x = vector(body, ripple);
        auto y = vector(body);
        const auto tangent = body.make_linearization();
        tangent->update({0, u.get(), nullptr, nullptr});
        tangent->apply({1, 0, 1}, x.get(), y.get());
        for (Vec other : {x.get(), u.get(), y.get()}) results[precision].push_back(inner(other, y.get()));
        ASSERT_TRUE(tangent->diagonal({1, 0, 1}, y.get()));
        for (Vec other : {x.get(), u.get(), y.get()}) results[precision].push_back(inner(other, y.get()));
      }
      for (std::size_t i = 0; i < results[0].size(); ++i)
        EXPECT_NEAR(results[1][i], results[0][i], 1e-6 * std::abs(results[0][i])) << name_of(law) << i;
    }
}

TEST(Kernels, RefuseAnUnknownInstructionSet) {
  const Options options(std::vector<std::pair<std::string, std::string>>{{"-solid_simd", "mmx"}});
  Body body(box("1,1,1"), 1);
  body.set_material(material(Law::linear_elastic));
  try {
    body.set_up();
    ADD_FAILURE();
  } catch (const OptionError& error) {
    EXPECT_NE(std::string(error.what()).find("-solid_simd"), std::string::npos) << error.what();
  }
}

namespace {

/// Returns the error of a function of packs in units in the last place.
template <class Function>
double ulps(Function&& function, double x, long double exact) {
  const double gap = static_cast<double>(std::abs(static_cast<long double>(function(Lanes(x)).v[0]) - exact));
  const double size = std::abs(static_cast<double>(exact));
  return gap / (std::nextafter(size, 2 * size + 1) - size);
}

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST(Kernels, TakeLogarithmsToRoundOff) {
  const auto error = [](double x) { return ulps([](Lanes y) { return log_one_plus(y); }, x, log1pl(x)); };
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> near(-0.999, 1), exponent(-40, 10);
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    worst = std::max(worst, error(near(random)));
    const double size = std::exp2(exponent(random));
    worst = std::max(worst, error(size));
    if (size < 1) worst = std::max(worst, error(-size));
  }
  EXPECT_LT(worst, 2);
  EXPECT_EQ(log_one_plus(Lanes(0.0)).v[0], 0);
  for (const double x : {-1.0, -1.5, not_a_number}) EXPECT_TRUE(std::isnan(log_one_plus(Lanes(x)).v[0])) << x;
}

TEST(Kernels, TakeWhatLogarithmsLeaveToRoundOff) {
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> near(-0.9, 3), exponent(-30, 8);
  double worst = 0;
  for (int i = 0; i < 200000; ++i)
    for (const double x : {near(random), std::exp2(exponent(random)), -0.9 * std::exp2(exponent(random) - 8)}) {
      // x - ln(1 + x) cancels in long double, too; for small x the series is used.
      const long double z = x / (2.0L + x), s = z * z;
      long double series = 0;
      for (int n = 41; n >= 3; n -= 2) series = series * s + 1.0L / n;
      const long double exact = std::abs(x) < 0.5 ? x * z - 2 * z * s * series : x - log1pl(x);
      worst = std::max(worst, ulps([](Lanes y) { return log_remainder(y); }, x, exact));
      EXPECT_NEAR(log_remainder(x), static_cast<double>(exact), 1e-14 * static_cast<double>(exact));
    }
  EXPECT_LT(worst, 8);
}

TEST(Kernels, TakeExponentialsToRoundOff) {
  const auto error = [](double x) { return ulps([](Lanes y) { return exp_minus_one(y); }, x, expm1l(x)); };
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> near(-3, 3), wide(-60, 709.7), exponent(-40, 0);
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const double small = std::exp2(exponent(random));
    for (const double x : {near(random), wide(random), small, -small}) worst = std::max(worst, error(x));
  }
  EXPECT_LT(worst, 2);
  EXPECT_EQ(exp_minus_one(Lanes(0.0)).v[0], 0);
  EXPECT_EQ(exp_minus_one(Lanes(-1e300)).v[0], -1);
  EXPECT_TRUE(std::isinf(exp_minus_one(Lanes(709.8)).v[0]));
  EXPECT_TRUE(std::isinf(exp_minus_one(Lanes(1e300)).v[0]));
  EXPECT_TRUE(std::isnan(exp_minus_one(Lanes(not_a_number)).v[0]));
}

TEST(Kernels, DifferentiateFunctionsOfLaws) {
  for (const double x : {-0.2, 1e-9, 0.7, 2.5}) {
    const Dual<double> y(x, 3.0);
    EXPECT_NEAR(log_one_plus(y).d, 3 / (1 + x), 1e-15);
    EXPECT_NEAR(log_remainder(y).d, 3 * x / (1 + x), 1e-15);
    EXPECT_NEAR(exp_minus_one(y).d, 3 * std::exp(x), 1e-13);
    if (x < 0) continue;
    EXPECT_NEAR(square_root(y).d, 1.5 / std::sqrt(x), 1e-14 / std::sqrt(x));
    EXPECT_EQ(square_root(Lanes(x)).v[0], std::sqrt(x));
  }
}
