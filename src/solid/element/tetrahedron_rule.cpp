#include "solid/element/tetrahedron_rule.hpp"

#include <algorithm>

namespace gearshift::solid {
namespace {

/// Adds all points whose barycentric coordinates are a permutation of these, with the same weight.
void add_orbit(TetrahedronRule& rule, double weight, std::array<double, 4> barycentric) {
  std::sort(barycentric.begin(), barycentric.end());
  do {
    rule.points.push_back({barycentric[0], barycentric[1], barycentric[2]});
    rule.weights.push_back(weight);
  } while (std::next_permutation(barycentric.begin(), barycentric.end()));
}

/// Adds the points with the barycentric coordinates a, a, a and 1 - 3 a.
void add_four(TetrahedronRule& rule, double weight, double a) { add_orbit(rule, weight, {a, a, a, 1 - 3 * a}); }

}  // namespace

TetrahedronRule tetrahedron_rule(int points) {
  TetrahedronRule rule;
  if (points == 1) {
    rule.points.push_back({0.25, 0.25, 0.25});
    rule.weights.push_back(1.0 / 6);
  } else if (points == 4) {
    add_four(rule, 1.0 / 24, 0.13819660112501051518);
  } else if (points == 14) {
    add_four(rule, 0.012248840519393658257, 0.092735250310891226402);
    add_four(rule, 0.0187813209530026418, 0.3108859192633006098);
    constexpr double a = 0.045503704125649649492;
    add_orbit(rule, 0.007091003462846911073, {a, a, 0.5 - a, 0.5 - a});
  } else {
    add_four(rule, 0.0066537917096945820166, 0.21460287125915202929);
    add_four(rule, 0.0016795351758867738247, 0.040673958534611353116);
    add_four(rule, 0.0092261969239424536825, 0.32233789014227551034);
    constexpr double a = 0.063661001875017525299, b = 0.26967233145831580803;
    add_orbit(rule, 0.0080357142857142857143, {a, a, b, 1 - 2 * a - b});
  }
  return rule;
}

}  // namespace gearshift::solid
