#include "solid/terms/contact/contact_term.hpp"

#include "solid/element/vectors.hpp"
#include "solid/material/registered_laws.hpp"
#include "solid/terms/contact/constants.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gearshift::solid {

ContactTerm::ContactTerm(const Space& space, const Contact& given)
    : space_(space),
      given_(given),
      viscosity_(given.viscosity.value_or(given.stiffness > 1 || given.friction > 0 ? 1 : 0)) {}

ContactTerm::Layer ContactTerm::layer_behind(PetscInt cell, const Material& material, const Vec3& middle,
                                             const Vec3& normal) const {
  const Lame moduli = lame(material);
  const double M = std::min(moduli.lambda, contact::most_lambda * moduli.mu) + 2 * moduli.mu;
  double depth = 0;
  for (const PetscInt node : space_.cell_nodes(cell))
    depth = std::max(depth, dot(normal, middle - space_.coordinates()[static_cast<std::size_t>(node)]));
  const double h = depth / space_.degree();
  return {h, given_.stiffness * M / h, viscosity_ * std::sqrt(material.rho * M), !has_small_strains(material.law)};
}

/// The first root of left + rate t + bend t^2 / 2 with half a cell's depth more to go.
double ContactTerm::time_to_penetrate(double left, double rate, double bend, double depth) const {
  const double way = std::max(left, 0.0) + depth * space_.degree() / 2;
  const double under = rate * rate - 2 * bend * way;
  const double sum = under < 0 ? 0 : std::sqrt(under) - rate;
  return sum > 0 ? 2 * way / sum : std::numeric_limits<double>::infinity();
}

void ContactTerm::require_slips() const {
  if (has_friction() && !slips_known_)
    throw Error("contact '" + given_.name +
                "': the friction of statics depends on the load steps before, which a checkpoint does not contain; "
                "begin with the undeformed body, or compute a motion");
}

std::pair<double, double> ContactTerm::drag(const Vec3& w) const {
  const double speed = norm(w);
  if (speed >= slip_speed_) return {1 / speed, -1 / (speed * speed * speed)};
  const double creep = 1 / slip_speed_, part = speed * creep;
  return {(3 - part * part) / 2 * creep, -creep * creep * creep};
}

/// A creeping point may begin to slide, and a sliding one may stop: the error of a step that passes over the curve f is
/// not seen, since the tangent at its beginning damps it.
double ContactTerm::time_to_change(const Vec3& w, const Vec3& faster) const {
  const double speed = norm(w), change = norm(faster);
  if (!(change > 0)) return std::numeric_limits<double>::infinity();
  if (speed < slip_speed_) return slip_speed_ / change;
  const double slower = -dot(w, faster) / speed;
  return slower > 0 ? (speed + slip_speed_) / slower : std::numeric_limits<double>::infinity();
}

}  // namespace gearshift::solid
