/// Points in contact.

#include "solid/terms/contact/constants.hpp"
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

/// Returns the stiffness at a place, with its derivatives. The weights N_i^2 are positive everywhere.
FacetJet<double> stiffness(std::span<const FacetJet<double>> functions, std::span<const std::size_t> nodes,
                           const std::vector<double>& k) {
  FacetJet<double> over, under;
  const auto add = [](FacetJet<double>& sum, double factor, const FacetJet<double>& part) {
    sum.value += factor * part.value;
    for (std::size_t a = 0; a < 2; ++a) sum.slopes[a] += factor * part.slopes[a];
    for (std::size_t a = 0; a < 3; ++a) sum.bends[a] += factor * part.bends[a];
  };
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const FacetJet<double> weight = product(functions[i], functions[i]);
    add(over, k[nodes[i]], weight);
    add(under, 1, weight);
  }
  const double once = 1 / under.value;
  return product(over, composed(once, -once * once, 2 * once * once * once, under));
}

}  // namespace

void PairContact::follow_search() {
  if (search_ == near_->search()) return;
  search_ = near_->search();
  const FacetNodes& nodes = near_->nodes();
  Values k;
  nodes.subset()->fetch(node_stiffness_, k);
  k_.clear();
  for (const Vec3& each : k) k_.push_back(each[0]);
  if (start_.q) start_.places = near_->places_for(start_.q.get());
  for (std::size_t f = points_.size(); f < facets_.count(); ++f) {
    auto& own = points_.emplace_back();
    const FacetShape& shape = nodes.shape(f);
    for (std::size_t q = 0; q < shape.points(); ++q) {
      const auto functions = shape.at_point(q);
      own.push_back({stiffness(functions, nodes.nodes(f), k_).value,
                     shape.weight(q) * norm(area_vector(functions, nodes.nodes(f), near_->X()))});
    }
  }
}

double PairContact::pressed_area(std::size_t facet, std::size_t point) const {
  if (!layers_[facet].deforms) return points_[facet][point].area;
  const FacetShape& shape = near_->nodes().shape(facet);
  return shape.weight(point) * norm(area_vector(shape.at_point(point), near_->nodes().nodes(facet), near_->places()));
}

std::optional<PairContact::Touch> PairContact::touch(const Near& near) const {
  const std::size_t facet = near.own, point = near.point;
  const FacetShape& shape = near_->nodes().shape(near.facet);
  const FacetJet<double> part = part_beyond_rims(shape, (*near_)[near.facet].borders.rims, near.at.place);
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
  const FacetJet<double> other = stiffness(touch.functions, near_->nodes().nodes(near.facet), k_);
  const double once = 1 / (own.stiffness + other.value), by_other = std::pow(own.stiffness * once, 2);
  const FacetJet<double> k = composed(own.stiffness * other.value * once, by_other, -2 * by_other * once, other);
  const FacetJet<double> weight = along(scaled(0.5, product(k, part)), near.at);
  for (FacetJet<double>& function : touch.functions) function = along(function, near.at);
  const FacetJet<Vec3> surface = along(near.at.surface, near.at);
  const double a = layers_[facet].impedance, b = (*near_)[near.facet].impedance;
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
  law.overlap = near_->removed_overlap(facet, point);
  const Layer& layer = layers_[facet];
  touch.wild = -2 * k.value * near.gap > layer.stiffness * layer.depth / given_.stiffness;
  law.least = -near_->touching_height(facet) * touch.state.weight;
  return touch;
}

void PairContact::set_rates(Touch& touch, const Values& v) const {
  touch.law.moves = true;
  const FacetJet<Vec3> partner = jet_of(touch.functions, near_->nodes().nodes(touch.partner), v);
  touch.state.velocity =
      value_of(near_->nodes().shape(touch.facet).at_point(touch.point), near_->nodes().nodes(touch.facet), v) -
      partner.value;
  touch.state.turning = partner.slopes;
  touch.bending = partner.bends;
}

/// The partner's functions of touch are those along its directions.
void PairContact::set_way(Touch& touch) const {
  if (touch.law.directions < 2) return;
  const auto own = near_->nodes().nodes(touch.facet), others = near_->nodes().nodes(touch.partner);
  const Slip& slip = start_.slips[touch.facet][touch.point];
  touch.law.at_rest = true;
  touch.law.trial = slip.trial;
  touch.law.was_open = !slip.touched;
  const FacetJet<Vec3> partner = jet_of(touch.functions, others, start_.places);
  touch.state.way =
      partner.value - value_of(near_->nodes().shape(touch.facet).at_point(touch.point), own, start_.places);
  touch.state.grid = partner.slopes;
  touch.grid_bends = partner.bends;
  const auto stays = [&](std::size_t node) { return near_->places()[node] == start_.places[node]; };
  touch.unmoved = std::all_of(own.begin(), own.end(), stays) && std::all_of(others.begin(), others.end(), stays);
}

void PairContact::forget_slips() {
  slips_known_ = false;
  touches_.reset();
}

void PairContact::remember(TermPoint& x) {
  if (!has_friction()) return;
  std::vector<std::vector<Slip>> now;
  for (const auto& of_facet : start_.slips) now.emplace_back(of_facet.size());
  const auto touches = touching(x);
  for (const Touch& touch : *touches) {
    Slip& slip = now[touch.facet][touch.point];
    slip.touched = true;
    if (!touch.law.at_rest) continue;
    PairLaw::Rates rates;
    touch.law.forces(touch.state, &rates);
    const double size = norm(rates.slip), most = contact::most_stick * given_.friction * rates.pressure;
    if (rates.pressure > 0) slip.trial = (size > most ? -most / size : -1) * rates.slip;
  }
  petsc::check(VecCopy(x.state().q, start_.q.get()));
  start_.places = near_->places();
  start_.slips = std::move(now);
  slips_known_ = true;
  touches_.reset();
}

std::shared_ptr<const std::vector<PairContact::Touch>> PairContact::touching(TermPoint& x) {
  if (!near_->place(x.state().q)) throw InvalidState("contact '" + given_.name + "': places are not finite");
  follow_search();
  if (x.state().internal.rate == 0) require_slips();
  Motion now{near_->state(), moves(x.state()), slip_speed_};
  if (now.moves) now.v = near_->values(x.state().v);
  if (touches_ && now == motion_) return touches_;
  motion_ = std::move(now);
  auto found = std::make_shared<std::vector<Touch>>();
  const std::vector<Near> near_points = near_->find(true);
  found->reserve(near_points.size());
  for (const Near& near : near_points) {
    if (!(near.gap < near_->touching_height(near.own))) continue;
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
