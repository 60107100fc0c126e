#include "solid/terms/contact/obstacle/obstacle_contact.hpp"

#include "petsc/queries.hpp"
#include "petsc/ranks/agree.hpp"
#include "solid/terms/contact/constants.hpp"
#include "solid/terms/load_times.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <sstream>

namespace gearshift::solid {

ObstacleContact::ObstacleContact(const Space& space, const MaterialTable& materials, const Contact& given)
    : ContactTerm(space, given), obstacle_(given), at_start_(given), surfaces_(surfaces_on(space, given.faces)) {
  std::set<std::vector<PetscInt>> known;
  std::vector<double> stiffness;
  std::size_t points = 0;
  for (std::size_t s = 0; s < surfaces_.size(); ++s) {
    surfaces_[s]->require_sides("contact");
    for (std::size_t f = 0; f < surfaces_[s]->facets().size(); ++f) {
      const Surface::Facet& facet = surfaces_[s]->facets()[f];
      std::vector<PetscInt> nodes;
      for (std::size_t i = 0; i < facet.nodes(); ++i) nodes.push_back(facet.node(i));
      std::sort(nodes.begin(), nodes.end());
      if (!known.insert(std::move(nodes)).second) continue;
      Vec3 area{}, middle{};
      double sum = 0;
      for (std::size_t q = 0; q < facet.points(); ++q) {
        const Surface::Point& point = facet.point(q);
        area = area + point.vector_area();
        middle = middle + point.size() * point.X;
        sum += point.size();
      }
      const Layer layer =
          layer_behind(facet.cell(), materials[facet.cell()], (1 / sum) * middle, (1 / norm(area)) * area);
      parts_.push_back({s, f, points, layer});
      stiffness.push_back(layer.stiffness);
      points += facet.points();
    }
  }
  stiffness_.resize(points);
  smooth(stiffness);
  linearized_.resize(points);
  at_start_.move_to(0, 0);
  for (const Part& part : parts_)
    for (std::size_t q = 0; q < facet(part).points(); ++q) {
      const Vec3& X = facet(part).point(q).X;
      if (has_friction())
        slips_.push_back({.place = at_start_.seen(X), .gap = std::max(at_start_.at(X).d - overlap_at(X), 0.0)});
      if (!std::isfinite(at_start_.at(X).d)) fail(0, X);
      if (given.overlap == Contact::Overlap::remove) overlaps_.push_back(overlap_at(X));
    }
  petsc::throw_if_any<OptionError>(space.comm(), failure_);
}

void ObstacleContact::smooth(const std::vector<double>& of_parts) {
  const petsc::Handle<Vec> node_stiffness = petsc::duplicate(space_.layout());
  GhostValues ghosts;
  {
    NodalSum sum(space_, node_stiffness.get(), ghosts);
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const Surface::Facet& own = facet(parts_[p]);
      for (std::size_t q = 0; q < own.points(); ++q)
        for (std::size_t i = 0; i < own.nodes(); ++i) {
          const double w = weight_at_node(own, q, i) * own.point(q).size();
          sum.add(own.node(i), {w, w * of_parts[p], 0});
        }
    }
    sum.finish();
  }
  const NodalValues nodes(space_, node_stiffness.get(), nullptr, ghosts);
  for (const Part& part : parts_) {
    const Surface::Facet& own = facet(part);
    for (std::size_t q = 0; q < own.points(); ++q) {
      double sum = 0, weights = 0;
      for (std::size_t i = 0; i < own.nodes(); ++i) {
        const Vec3 node = nodes[own.node(i)];
        sum += weight_at_node(own, q, i) * node[1] / node[0];
        weights += weight_at_node(own, q, i);
      }
      stiffness_[part.first + q] = sum / weights;
    }
  }
}

double ObstacleContact::overlap_at(const Vec3& X) const {
  return given_.overlap == Contact::Overlap::remove ? std::min(at_start_.at(X).d, 0.0) : 0;
}

/// A point that was open slides only from where it touched, about -g / (g_0 - g) of its way.
void ObstacleContact::begin_friction(const Slip& slip, const Vec3& place, const Vec3& displacement,
                                     Touch& touch) const {
  const bool closes = slip.gap > 0 && touch.there.d < 0;
  const double way = slip.gap - touch.there.d, closed = closes ? -touch.there.d / way : 1;
  const Vec3 moved = obstacle_.in_space(obstacle_.seen(place) - slip.place);
  touch.at_rest = true;
  touch.unmoved = displacement == slip.displacement;
  touch.spring = touch.stiffness * closed;
  touch.trial = obstacle_.in_space(slip.trial) - touch.spring * moved;
  if (closes) touch.by_gap = touch.stiffness * slip.gap / (way * way) * moved;
}

ObstacleContact::Stick ObstacleContact::stick(const Touch& touch) const {
  const Vec3& n = touch.there.normal;
  const Vec3 along = touch.trial - dot(n, touch.trial) * n;
  const double size = norm(along), limit = given_.friction * touch.pressure;
  if (!(size > 0)) return {along, 1};
  if (!(size < contact::most_stick * limit)) return {along, size, limit / size, 0, given_.friction};
  const double s = size / (contact::most_stick * limit);
  return {along, size, 1 - s * s / 3, 1 - s * s, given_.friction * s * s * s};
}

Vec3 ObstacleContact::friction(const Touch& touch) const {
  if (!has_friction()) return {};
  if (!touch.at_rest) return -given_.friction * touch.pressure * drag(touch.slip).first * touch.slip;
  const Stick own = stick(touch);
  return own.part * own.along;
}

Vec3 ObstacleContact::force(const Touch& touch) const { return touch.traction * touch.there.normal + friction(touch); }

void ObstacleContact::remember(TermPoint& x) {
  if (!has_friction()) return;
  std::vector<Slip> now(slips_.size());
  if (!moves(x.state()))
    for_touching(x, [&](std::size_t p, std::size_t q, const Touch& touch) {
      const Stick own = stick(touch);
      const double most = contact::most_stick * given_.friction * touch.pressure;
      now[parts_[p].first + q].trial =
          obstacle_.seen_vector(own.size > most ? (most / own.size) * own.along : own.along);
    });
  obstacle_.move_to(x.t(), x.load_factor());
  for_points(x.q(), [&](std::size_t p, std::size_t q, const Vec3& place, const Distance& there) {
    Slip& own = now[parts_[p].first + q];
    own.place = obstacle_.seen(place);
    own.displacement = facet(parts_[p]).value(q, x.q());
    own.gap = std::max(there.d, 0.0);
  });
  slips_ = std::move(now);
  slips_known_ = true;
}

void ObstacleContact::add_residual(TermPoint& x, SharedSum& r) {
  if (ignored_) return;
  NodalSum& sum = r.get();
  failure_.clear();
  for_touching(x, [&](std::size_t p, std::size_t q, const Touch& touch) {
    facet(parts_[p]).add(q, -touch.area * force(touch), sum);
  });
  petsc::throw_if_any<InvalidState>(space_.comm(), failure_);
}

void ObstacleContact::fail(PetscReal t, const Vec3& place) {
  std::ostringstream text;
  text << "contact '" << given_.name << "': the distance from the obstacle is not finite at (" << place[0] << ", "
       << place[1] << ", " << place[2] << "), t = " << t;
  for (const MovedObstacle* obstacle : {&at_start_, &obstacle_})
    if (!obstacle->why_none().empty()) text << ": " << obstacle->why_none();
  text << "; if its formula cannot be evaluated there, correct it";
  failure_ = text.str();
}

void ObstacleContact::add_energy(TermPoint& x, Energy& energy) {
  std::array<PetscReal, 4> sums{};  // stored, friction, viscosity, power of the moved obstacle
  for_touching(x, [&](std::size_t, std::size_t, const Touch& touch) {
    const Vec3 f = force(touch);
    sums[0] -= touch.area * touch.pressure * touch.there.d / 2;
    if (has_friction() && !touch.at_rest)
      sums[1] += touch.area * given_.friction * touch.pressure * drag(touch.slip).first * dot(touch.slip, touch.slip);
    sums[2] += touch.area * (touch.pressure - touch.traction) * touch.rate;
    sums[3] += touch.area * (dot(f, touch.carried) - dot(f, touch.there.normal) * touch.there.rate);
  });
  petsc::check(MPI_Allreduce(MPI_IN_PLACE, sums.data(), 4, MPIU_REAL, MPI_SUM, space_.comm()));
  energy.stored += sums[0];
  energy.contact += sums[0];
  energy.power_friction += sums[1];
  energy.power_dissipated += sums[1] + sums[2];
  energy.power_prescribed += sums[3];
}

/// Steps end where the motion of the obstacle has kinks and do not skip its pulses; it is no motion of the body.
std::vector<TimeHistory> ObstacleContact::time_histories() const {
  std::vector<TimeHistory> all;
  for (const auto* formula : {&given_.motion, &given_.rotation}) {
    if (!*formula) continue;
    all.push_back(course_of_motion("", **formula));
    all.back().moves = false;
  }
  return all;
}

double ObstacleContact::bytes() const {
  double sum = static_cast<double>(parts_.size() * sizeof(Part) + stiffness_.size() * (sizeof(double) + sizeof(Parts)) +
                                   slips_.size() * sizeof(Slip) + built_.size() * sizeof(double));
  for (const auto& surface : surfaces_) sum += surface->bytes();
  return sum;
}

double ObstacleContact::tangent_bytes() const {
  double points = 0;
  for (const auto& surface : surfaces_) points += static_cast<double>(surface->points());
  return points * (sizeof(Touch) + 2 * sizeof(std::size_t));
}

double ObstacleContact::level_bytes(int degree) const {
  double sum = 0;
  for (const auto& surface : surfaces_)
    sum += surface->bytes_at(degree) + surface->nodes_at(degree) * (sizeof(Block) + sizeof(PetscInt));
  return sum;
}

}  // namespace gearshift::solid
