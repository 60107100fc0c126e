#include <gearshift/bdf/sdirk.hpp>

namespace gearshift::bdf {
namespace {

// Coefficients of theta, theta^2, theta^3, theta^4 in the continuous weights.
constexpr double dense[5][4] = {{11.0 / 3, -463.0 / 72, 217.0 / 36, -20.0 / 9},
                                {11.0 / 2, -385.0 / 16, 661.0 / 24, -10},
                                {-125.0 / 18, 20125.0 / 432, -8875.0 / 216, 250.0 / 27},
                                {0, -85.0 / 4, 85.0 / 6, 0},
                                {-11.0 / 9, 557.0 / 108, -359.0 / 54, 80.0 / 27}};

}  // namespace

const Sdirk& sdirk4() {
  static constexpr Sdirk method{
      .order = 4,
      .stages = 5,
      .gamma = 1.0 / 4,
      .a = {{{1.0 / 4, 0, 0, 0, 0},
             {1.0 / 2, 1.0 / 4, 0, 0, 0},
             {17.0 / 50, -1.0 / 25, 1.0 / 4, 0, 0},
             {371.0 / 1360, -137.0 / 2720, 15.0 / 544, 1.0 / 4, 0},
             {25.0 / 24, -49.0 / 48, 125.0 / 16, -85.0 / 12, 1.0 / 4}}},
      .c = {1.0 / 4, 3.0 / 4, 11.0 / 20, 1.0 / 2, 1.0},
      .b_embedded = {59.0 / 48, -17.0 / 96, 225.0 / 32, -85.0 / 12, 0},
  };
  return method;
}

std::array<double, 5> sdirk4_dense_weights(double theta) {
  std::array<double, 5> w{};
  for (int i = 0; i < 5; ++i)
    w[i] = theta * (dense[i][0] + theta * (dense[i][1] + theta * (dense[i][2] + theta * dense[i][3])));
  return w;
}

std::array<double, 5> sdirk4_dense_slopes(double theta) {
  std::array<double, 5> w{};
  for (int i = 0; i < 5; ++i)
    w[i] = dense[i][0] + theta * (2 * dense[i][1] + theta * (3 * dense[i][2] + theta * 4 * dense[i][3]));
  return w;
}

}  // namespace gearshift::bdf
