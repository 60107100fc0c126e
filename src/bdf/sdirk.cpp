#include <gearshift/bdf/sdirk.hpp>

#include <complex>

namespace gearshift::bdf {
namespace {

/// Returns the values or slopes at theta of the polynomials without constant term whose coefficients are the rows.
Sdirk::Row evaluate(const Sdirk& method, double theta, bool slope) {
  Sdirk::Row w{};
  for (std::size_t i = 0; i < w.size(); ++i) {
    for (int power = 4; power >= 1; --power) w[i] = w[i] * theta + (slope ? power : 1) * method.dense[i][power - 1];
    if (!slope) w[i] *= theta;
  }
  return w;
}

}  // namespace

Sdirk::Row Sdirk::dense_weights(double theta) const { return evaluate(*this, theta, false); }
Sdirk::Row Sdirk::dense_slopes(double theta) const { return evaluate(*this, theta, true); }

double Sdirk::error_of_oscillation(double phase) const {
  const std::complex<double> lambda(0, phase);
  std::array<std::complex<double>, max_stages> slope{};
  std::complex<double> estimate;
  for (std::size_t i = 0; i < static_cast<std::size_t>(stages); ++i) {
    std::complex<double> y = 1;
    for (std::size_t j = 0; j < i; ++j) y += a[i][j] * slope[j];
    slope[i] = lambda * y / (1.0 - lambda * a[i][i]);
    estimate += error[i] * slope[i];
  }
  return std::abs(estimate);
}

const Sdirk& sdirk4() {
  static constexpr Sdirk method{
      .order = 4,
      .error_order = 3,
      .error_ratio = 13.0 / 140,
      .stages = 5,
      .explicit_first = false,
      .gamma = 1.0 / 4,
      .a = {{{1.0 / 4},
             {1.0 / 2, 1.0 / 4},
             {17.0 / 50, -1.0 / 25, 1.0 / 4},
             {371.0 / 1360, -137.0 / 2720, 15.0 / 544, 1.0 / 4},
             {25.0 / 24, -49.0 / 48, 125.0 / 16, -85.0 / 12, 1.0 / 4}}},
      .c = {1.0 / 4, 3.0 / 4, 11.0 / 20, 1.0 / 2, 1.0},
      // The weights minus those of the embedded method of order 3, {59/48, -17/96, 225/32, -85/12, 0}.
      .error = {25.0 / 24 - 59.0 / 48, -49.0 / 48 + 17.0 / 96, 125.0 / 16 - 225.0 / 32, 0, 1.0 / 4},
      .smooth_error = {},
      .dense = {{{11.0 / 3, -463.0 / 72, 217.0 / 36, -20.0 / 9},
                 {11.0 / 2, -385.0 / 16, 661.0 / 24, -10},
                 {-125.0 / 18, 20125.0 / 432, -8875.0 / 216, 250.0 / 27},
                 {0, -85.0 / 4, 85.0 / 6, 0},
                 {-11.0 / 9, 557.0 / 108, -359.0 / 54, 80.0 / 27}}},
  };
  return method;
}

const Sdirk& esdirk5() {
  constexpr double gamma = 23.0 / 125;
  // The first two columns are equal because the stages are of order 2 and the second stage starts from the first.
  constexpr double a3 = 791020047304.0 / 3561426431547, a4 = -158159076358.0 / 11257294102345,
                   a5 = -1653327111580.0 / 4048416487981, a6 = -4540011970825.0 / 8418487046959,
                   b = -188593204321.0 / 4778616380481, b_embedded = -582099335757.0 / 7214068459310;
  static constexpr Sdirk method{
      .order = 5,
      .error_order = 3,
      .error_ratio = 0.144158,
      .stages = 7,
      .explicit_first = true,
      .gamma = gamma,
      .a = {{{0},
             {gamma, gamma},
             {a3, a3, gamma},
             {a4, a4, -85517644447.0 / 5003708988389, gamma},
             {a5, a5, 1514767744496.0 / 9099671765375, 14283835447591.0 / 12247432691556, gamma},
             {a6, a6, -1790937573418.0 / 7393406387169, 10819093665085.0 / 7266595846747,
              4109463131231.0 / 7386972500302, gamma},
             {b, b, 2809310203510.0 / 10304234040467, 1021729336898.0 / 2364210264653, 870612361811.0 / 2470410392208,
              -1307970675534.0 / 8059683598661, gamma}}},
      .c = {0, 46.0 / 125, 7121331996143.0 / 11335814405378, 49.0 / 353, 3706679970760.0 / 5295570149437, 347.0 / 382,
            1},
      .error = {-0.19910792698781433, -0.19910792698781433, -0.07170427601394266, 0.38038472487162012,
                0.06772965824579407, 0.04035605128497903, -0.01855030441282289},
      .smooth_error = {b - b_embedded, b - b_embedded,
                       2809310203510.0 / 10304234040467 - 615023338567.0 / 3362626566945,
                       1021729336898.0 / 2364210264653 - 3192122436311.0 / 6174152374399,
                       870612361811.0 / 2470410392208 - 6156034052041.0 / 14430468657929,
                       -1307970675534.0 / 8059683598661 + 1011318518279.0 / 9693750372484,
                       gamma - 1914490192573.0 / 13754262428401},
      .dense = {{{1.1159493696798473, -5.1636954041023326, 6.8216784227261629, -2.8133984574134177},
                 {1.1159493696798473, -5.1636954041023326, 6.8216784227261629, -2.8133984574134177},
                 {-2.4633821140642569, 13.275186797981004, -18.069681292768266, 7.5305130991017615},
                 {-0.48892664807135361, 7.1184658820006108, -11.041491129706008, 4.8441170682970389},
                 {1.5059837599234542, -9.6037999904848377, 16.09931304613087, -7.649080729336597},
                 {0.69654553088942994, -2.8068630369472696, 2.8749470380904909, -0.92691514281659104},
                 {-0.48211926803696836, 2.3444011556551598, -3.5064445071994141, 1.8281626195812231}}},
  };
  return method;
}

}  // namespace gearshift::bdf
