#include "solid/terms/contact/pair/closest_point.hpp"

#include "solid/terms/contact/constants.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gearshift::solid {

namespace {

constexpr int most_iterations = 30;
constexpr double converged = 1e-10;  // last change of (s, t); the error is its square
constexpr double exact = 1e-14;

bool has(SideBits bits, int k) { return (bits >> k & 1) != 0; }

FacetPlace moved(const FacetPlace& place, double step, const FacetPlace& direction) {
  return {place[0] + step * direction[0], place[1] + step * direction[1]};
}

class Search {
 public:
  Search(const FacetShape& shape, const Vec3* modes, Borders borders, const Vec3& x)
      : shape_(shape), modes_(modes), borders_(borders), x_(x) {}

  std::optional<ClosestPoint> run() {
    if (within()) return found_;
    best_ = std::numeric_limits<double>::infinity();
    for (int k = 0; k < shape_.sides(); ++k)
      if (!is_rim(k)) on_edge(k);
    for (int k = 0; k < shape_.sides(); ++k) {
      const int before = (k + shape_.sides() - 1) % shape_.sides();
      if (is_rim(k) || is_rim(before)) continue;
      take(with_ridge(at(shape_.corner(k), 0), has(borders_.ridges, k) || has(borders_.ridges, before)));
    }
    if (std::isfinite(best_)) return found_;
    return std::nullopt;
  }

 private:
  ClosestPoint at(const FacetPlace& place, int directions, const FacetPlace& along = {}) const {
    ClosestPoint point{.place = place, .directions = directions};
    if (directions == 1) point.along[0] = along;
    point.surface = shape_.polynomial(modes_, place);
    point.apart = x_ - point.surface.value;
    point.squared = dot(point.apart, point.apart);
    return point;
  }
  static ClosestPoint with_ridge(ClosestPoint point, bool ridge) {
    point.ridge = ridge;
    return point;
  }
  bool is_rim(int k) const { return has(borders_.rims, k); }
  void take(const ClosestPoint& point) {
    if (!(point.squared < best_)) return;
    best_ = point.squared;
    found_ = point;
  }
  double allowed(int k) const { return is_rim(k) ? -contact::overhang * shape_.width() : 0; }

  /// Newton's method for the stationary point; where the matrix is not positive, Gauss-Newton steps. Steps are not
  /// longer than the facet.
  bool within() {
    FacetPlace place = shape_.centre();
    double last = shape_.width();  // length of the last step
    for (int i = 0; i < most_iterations; ++i) {
      ClosestPoint now = at(place, 2);
      const FacetJet<Vec3>& S = now.surface;
      const Vec3& d = now.apart;
      const double r0 = dot(d, S.slopes[0]), r1 = dot(d, S.slopes[1]);
      const double m00 = dot(S.slopes[0], S.slopes[0]), m01 = dot(S.slopes[0], S.slopes[1]),
                   m11 = dot(S.slopes[1], S.slopes[1]);
      double a00 = m00 - dot(d, S.bends[0]), a01 = m01 - dot(d, S.bends[1]), a11 = m11 - dot(d, S.bends[2]);
      if (!(a00 > 0) || !(a00 * a11 - a01 * a01 > 1e-6 * m00 * m11)) {
        a00 = m00;
        a01 = m01;
        a11 = m11;
      }
      const double under = a00 * a11 - a01 * a01;
      const FacetPlace step{(a11 * r0 - a01 * r1) / under, (a00 * r1 - a01 * r0) / under};
      const double length = std::max(std::abs(step[0]), std::abs(step[1]));
      if (!std::isfinite(length)) return false;
      if (last <= converged * shape_.width() || length <= exact * shape_.width()) {
        if (outside(place) > 0) return false;
        found_ = now;
        return true;
      }
      place = moved(place, std::min(1.0, shape_.width() / length), step);
      if (outside(place) > 2 * shape_.width()) return false;
      last = length;
    }
    return false;
  }

  double outside(const FacetPlace& place) const {
    double most = 0;
    for (int k = 0; k < shape_.sides(); ++k) most = std::max(most, allowed(k) - shape_.inside(k, place));
    return most;
  }

  /// The edge continues beyond its ends where it meets a rim.
  void on_edge(int k) {
    const int sides = shape_.sides(), before = (k + sides - 1) % sides, after = (k + 1) % sides;
    const FacetPlace from = shape_.corner(k), to = shape_.corner(k + 1), along{to[0] - from[0], to[1] - from[1]};
    double r = 0.5;
    for (int i = 0; i < most_iterations; ++i) {
      const FacetJet<Vec3> S = shape_.polynomial(modes_, moved(from, r, along));
      const Vec3 d = x_ - S.value, slope = along[0] * S.slopes[0] + along[1] * S.slopes[1];
      const Vec3 bend =
          along[0] * along[0] * S.bends[0] + 2 * along[0] * along[1] * S.bends[1] + along[1] * along[1] * S.bends[2];
      const double m = dot(slope, slope);
      double a = m - dot(d, bend);
      if (!(a > 1e-3 * m)) a = m;
      const double step = std::clamp(dot(d, slope) / a, -1.0, 1.0);
      r += step;
      if (!(std::abs(r - 0.5) < 3)) return;
      if (std::abs(step) < converged) break;
    }
    if (r >= (is_rim(before) ? -contact::overhang : 0) && r <= 1 + (is_rim(after) ? contact::overhang : 0))
      take(with_ridge(at(moved(from, r, along), 1, along), has(borders_.ridges, k)));
  }

  const FacetShape& shape_;
  const Vec3* modes_;
  Borders borders_;
  const Vec3& x_;
  double best_ = 0;
  ClosestPoint found_;
};

}  // namespace

FacetJet<double> part_beyond_rims(const FacetShape& shape, SideBits rims, const FacetPlace& place) {
  FacetJet<double> part{.value = 1};
  for (int k = 0; k < shape.sides(); ++k) {
    const double length = contact::overhang * shape.width(), b = -shape.inside(k, place) / length;
    if (!has(rims, k) || !(b > 0)) continue;
    const FacetPlace in = shape.inwards(k);
    const FacetJet<double> beyond{b, {-in[0] / length, -in[1] / length}, {}};
    part = product(part,
                   b < 1 ? composed(1 - b * b * (3 - 2 * b), 6 * b * (b - 1), 12 * b - 6, beyond) : FacetJet<double>{});
  }
  return part;
}

std::optional<ClosestPoint> closest_point(const FacetShape& shape, const Vec3* modes, Borders borders, const Vec3& x) {
  return Search(shape, modes, borders, x).run();
}

}  // namespace gearshift::solid
