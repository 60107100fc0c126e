/// The distances of simple obstacles.

#include <gearshift/solid/contact.hpp>

#include "solid/element/vectors.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift::solid {

namespace {

Vec3 unit(const Vec3& given, const char* what) {
  const double length = norm(given);
  if (!(length > 0) || !std::isfinite(length))
    throw OptionError(std::string(what) + ": give a vector that is not zero");
  return (1 / length) * given;
}

void require_above_zero(PetscReal size, const char* what) {
  if (!(size > 0) || !std::isfinite(size)) throw OptionError(std::string(what) + ": give a number above 0");
}

void require_finite(const Vec3& place, const char* what) {
  if (!std::isfinite(dot(place, place))) throw OptionError(std::string(what) + ": give finite coordinates");
}

/// Returns the distance |r| - R, whose curvature is 1/|r| in the directions of `across` that are normal to r; r = 0 is
/// in the middle, where any normal will do.
Distance around(const Vec3& r, PetscReal radius, const std::array<PetscReal, 6>& across, const Vec3& any) {
  const double length = norm(r);
  Distance result{.d = length - radius, .normal = length > 0 ? (1 / length) * r : any};
  if (!(length > 0)) return result;
  const Vec3& n = result.normal;
  std::size_t k = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = i; j < 3; ++j, ++k) result.curvature[k] = (across[k] - n[i] * n[j]) / length;
  return result;
}

}  // namespace

Obstacle plane(const Vec3& point, const Vec3& normal) {
  require_finite(point, "the point of a plane");
  return [point, n = unit(normal, "the normal of a plane")](PetscReal, const Vec3& x) {
    return Distance{.d = dot(n, x - point), .normal = n};
  };
}

Obstacle sphere(const Vec3& centre, PetscReal radius) {
  require_finite(centre, "the center of a sphere");
  require_above_zero(radius, "the radius of a sphere");
  return [=](PetscReal, const Vec3& x) { return around(x - centre, radius, {1, 0, 0, 1, 0, 1}, {1, 0, 0}); };
}

Obstacle cylinder(const Vec3& point, const Vec3& axis, PetscReal radius) {
  require_finite(point, "the center of a cylinder");
  require_above_zero(radius, "the radius of a cylinder");
  const Vec3 e = unit(axis, "the axis of a cylinder");
  const std::array<PetscReal, 6> across{1 - e[0] * e[0], -e[0] * e[1], -e[0] * e[2],
                                        1 - e[1] * e[1], -e[1] * e[2], 1 - e[2] * e[2]};
  const Vec3 beside = std::abs(e[0]) < 0.9 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 any = unit(cross(e, beside), "the axis of a cylinder");
  return [=](PetscReal, const Vec3& x) {
    const Vec3 r = x - point;
    return around(r - dot(r, e) * e, radius, across, any);
  };
}

Obstacle box(const Vec3& centre, const Vec3& size) {
  require_finite(centre, "the center of a box");
  for (const PetscReal side : size) require_above_zero(side, "the sides of a box");
  return [=](PetscReal, const Vec3& x) {
    Vec3 beyond{}, sign{};
    std::array<PetscReal, 6> across{};
    std::size_t nearest = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const PetscReal r = x[c] - centre[c];
      sign[c] = r < 0 ? -1 : 1;
      beyond[c] = std::abs(r) - size[c] / 2;
      if (beyond[c] > beyond[nearest]) nearest = c;
    }
    if (beyond[nearest] <= 0) {
      Distance inside{.d = beyond[nearest]};
      inside.normal[nearest] = sign[nearest];
      return inside;
    }
    // Outside, the nearest point lies on a side, an edge or at a corner.
    Vec3 r{};
    constexpr std::array<std::size_t, 3> diagonal{0, 3, 5};
    for (std::size_t c = 0; c < 3; ++c) {
      if (!(beyond[c] > 0)) continue;
      r[c] = sign[c] * beyond[c];
      across[diagonal[c]] = 1;
    }
    return around(r, 0, across, {1, 0, 0});
  };
}

Obstacle obstacle(const Expression& distance) {
  return [distance](PetscReal t, const Vec3& x) {
    constexpr std::array<Vec3, 3> axes{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
    std::array<Jet, 3> along;
    Distance result;
    for (std::size_t c = 0; c < 3; ++c) {
      along[c] = distance.along(t, x, axes[c]);
      result.normal[c] = along[c].f_t;
    }
    result.d = along[0].f;
    std::size_t k = 0;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = i; j < 3; ++j, ++k)
        result.curvature[k] =
            i == j ? along[i].f_tt : (distance.along(t, x, axes[i] + axes[j]).f_tt - along[i].f_tt - along[j].f_tt) / 2;
    result.rate = distance.jet(t, x).f_t;
    return result;
  };
}

Obstacle inside_of(Obstacle obstacle) {
  return [around = std::move(obstacle)](PetscReal t, const Vec3& x) {
    Distance found = around(t, x);
    found.d = -found.d;
    found.normal = -1.0 * found.normal;
    for (PetscReal& entry : found.curvature) entry = -entry;
    found.rate = -found.rate;
    return found;
  };
}

}  // namespace gearshift::solid
