#include <gearshift/bdf/sdirk.hpp>

namespace gearshift::bdf {

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

}  // namespace gearshift::bdf
