/// Points in contact.

#include "solid/terms/contact/pair/pair_contact.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift::solid {

namespace {

/// Returns the derivatives along the directions of a closest point.
template <class Value>
FacetJet<Value> along(const FacetJet<Value>& jet, const ClosestPoint& at) {
  FacetJet<Value> result{jet.value};
  const auto directions = static_cast<std::size_t>(at.directions);
  for (std::size_t a = 0; a < directions; ++a) {
    const auto& [s, t] = at.along[a];
    result.slopes[a] = s * jet.slopes[0] + t * jet.slopes[1];
    for (std::size_t b = a; b < directions; ++b) {
      const auto& [u, v] = at.along[b];
      result.bends[a + b] = s * u * jet.bends[0] + (s * v + t * u) * jet.bends[1] + t * v * jet.bends[2];
    }
  }
  return result;
}

}  // namespace

Vec3 PairContact::value(std::span<const FacetJet<double>> functions, std::span<const std::size_t> nodes,
                        const Values& values) {
  Vec3 sum{};
  for (std::size_t i = 0; i < nodes.size(); ++i) sum = sum + functions[i].value * values[nodes[i]];
  return sum;
}

/// The weights N_i^2 are positive everywhere.
FacetJet<double> PairContact::stiffness(std::size_t facet, std::span<const FacetJet<double>> functions) const {
  const auto nodes = known_.nodes(facet);
  FacetJet<double> over, under;
  const auto add = [](FacetJet<double>& sum, double factor, const FacetJet<double>& part) {
    sum.value += factor * part.value;
    for (std::size_t a = 0; a < 2; ++a) sum.slopes[a] += factor * part.slopes[a];
    for (std::size_t a = 0; a < 3; ++a) sum.bends[a] += factor * part.bends[a];
  };
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const FacetJet<double> weight = product(functions[i], functions[i]);
    add(over, k_[nodes[i]], weight);
    add(under, 1, weight);
  }
  const double once = 1 / under.value;
  return product(over, composed(once, -once * once, 2 * once * once * once, under));
}

double PairContact::area(std::size_t facet, std::size_t point, const Values& places) const {
  Vec3 along{}, across{};
  const auto nodes = known_.nodes(facet);
  const auto functions = known_.shape(facet).at_point(point);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    along = along + functions[i].slopes[0] * places[nodes[i]];
    across = across + functions[i].slopes[1] * places[nodes[i]];
  }
  return known_.shape(facet).weight(point) * norm(cross(along, across));
}

std::optional<PairContact::Touch> PairContact::touch(const Near& near) const {
  const std::size_t facet = near.own, point = near.point;
  const FacetShape& shape = known_.shape(near.facet);
  const FacetJet<double> part = part_beyond_rims(shape, known_borders_[near.facet].rims, near.at.place);
  if (!(part.value > 0)) return std::nullopt;
  Touch touch;
  touch.facet = facet;
  touch.point = point;
  touch.partner = near.facet;
  touch.gap = near.gap;
  touch.normal = near.normal;
  touch.place = near.at.place;
  const PointData& own = points_[facet][point];
  touch.area = own.area;
  shape.evaluate(near.at.place, touch.functions);
  const FacetJet<double> other = stiffness(near.facet, touch.functions);
  const double once = 1 / (own.stiffness + other.value), by_other = std::pow(own.stiffness * once, 2);
  const FacetJet<double> k = composed(own.stiffness * other.value * once, by_other, -2 * by_other * once, other);
  const FacetJet<double> weight = along(scaled(0.5, product(k, part)), near.at);
  for (FacetJet<double>& function : touch.functions) function = along(function, near.at);
  const FacetJet<Vec3> surface = along(near.at.surface, near.at);
  const double a = layers_[facet].impedance, b = known_layers_[near.facet].impedance;
  const FacetJet<double> impedance = along(scaled(a + b > 0 ? 0.5 * a * b / (a + b) : 0, part), near.at);
  touch.weight_bends = weight.bends;
  touch.impedance_slopes = impedance.slopes;
  touch.state = {.apart = near.at.apart,
                 .along = surface.slopes,
                 .bends = surface.bends,
                 .weight = weight.value,
                 .slopes = weight.slopes,
                 .impedance = impedance.value};
  PairLaw& law = touch.law;
  law.directions = near.at.directions;
  law.friction = given_.friction;
  law.slip_speed = slip_speed_;
  if (!overlaps_.empty()) law.overlap = overlaps_[facet][point];
  const Layer& layer = layers_[facet];
  touch.wild = -2 * k.value * near.gap > layer.stiffness * layer.depth / given_.stiffness;
  law.least = -at_rest * layer.depth * touch.state.weight;
  return touch;
}

void PairContact::set_rates(Touch& touch, const Values& v) const {
  touch.law.moves = true;
  touch.state.velocity = value(known_.shape(touch.facet).at_point(touch.point), known_.nodes(touch.facet), v) -
                         value(touch.functions, known_.nodes(touch.partner), v);
  const auto nodes = known_.nodes(touch.partner);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (std::size_t a = 0; a < 2; ++a)
      touch.state.turning[a] = touch.state.turning[a] + touch.functions[i].slopes[a] * v[nodes[i]];
    for (std::size_t a = 0; a < 3; ++a) touch.bending[a] = touch.bending[a] + touch.functions[i].bends[a] * v[nodes[i]];
  }
}

/// The partner's functions of touch are those along its directions.
void PairContact::set_way(Touch& touch) const {
  if (touch.law.directions < 2) return;
  const auto own = known_.nodes(touch.facet), others = known_.nodes(touch.partner);
  const Slip& slip = slips_[touch.facet][touch.point];
  touch.law.at_rest = true;
  touch.law.trial = slip.trial;
  touch.law.was_open = !slip.touched;
  PairState<double>& state = touch.state;
  state.way = value(touch.functions, others, at_start_) -
              value(known_.shape(touch.facet).at_point(touch.point), own, at_start_);
  for (std::size_t i = 0; i < others.size(); ++i) {
    const Vec3& place = at_start_[others[i]];
    for (std::size_t a = 0; a < 2; ++a) state.grid[a] = state.grid[a] + touch.functions[i].slopes[a] * place;
    for (std::size_t a = 0; a < 3; ++a) touch.grid_bends[a] = touch.grid_bends[a] + touch.functions[i].bends[a] * place;
  }
  const auto stays = [&](std::size_t node) { return places_[node] == at_start_[node]; };
  touch.unmoved = std::all_of(own.begin(), own.end(), stays) && std::all_of(others.begin(), others.end(), stays);
}

void PairContact::forget_slips() {
  slips_known_ = false;
  touches_.reset();
}

void PairContact::remember(TermPoint& x) {
  if (!has_friction()) return;
  std::vector<std::vector<Slip>> now;
  for (const auto& of_facet : slips_) now.emplace_back(of_facet.size());
  for (const Touch& touch : *touching(x)) {
    Slip& slip = now[touch.facet][touch.point];
    slip.touched = true;
    if (!touch.law.at_rest) continue;
    PairLaw::Rates rates;
    touch.law.forces(touch.state, &rates);
    const double size = norm(rates.slip), most = most_stick * given_.friction * rates.pressure;
    if (rates.pressure > 0) slip.trial = (size > most ? -most / size : -1) * rates.slip;
  }
  petsc::check(VecCopy(x.state().q, q_at_start_.get()));
  at_start_ = places_;
  slips_ = std::move(now);
  slips_known_ = true;
  touches_.reset();
}

std::shared_ptr<const std::vector<PairContact::Touch>> PairContact::touching(TermPoint& x) {
  if (!place(x.state().q)) throw InvalidState("contact '" + given_.name + "': places are not finite");
  if (x.state().internal.rate == 0) require_slips();
  Motion now{moves(x.state()), slip_speed_};
  if (now.moves) now.v = values(x.state().v);
  if (touches_ && now == motion_) return touches_;
  motion_ = std::move(now);
  auto found = std::make_shared<std::vector<Touch>>();
  const std::vector<Near> near_points = find_near(true);
  found->reserve(near_points.size());
  for (const Near& near : near_points) {
    if (!(near.gap < touching_height(near.own))) continue;
    auto point = touch(near);
    if (!point) continue;
    if (motion_.moves)
      set_rates(*point, motion_.v);
    else if (has_friction() && slips_known_)
      set_way(*point);
    found->push_back(std::move(*point));
  }
  touches_ = std::move(found);
  return touches_;
}

}  // namespace gearshift::solid
