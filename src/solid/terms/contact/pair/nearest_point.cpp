/// The nearest place of the other side.

#include "solid/terms/contact/constants.hpp"
#include "solid/terms/contact/pair/near_facets.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gearshift::solid {

namespace {

/// Distances that differ by less than this part are equal up to rounding.
constexpr double equal = 1e-9;

Vec3 normal_of(const FacetJet<Vec3>& surface) {
  const Vec3 area = cross(surface.slopes[0], surface.slopes[1]);
  return (1 / norm(area)) * area;
}

}  // namespace

/// Polynomials of higher degrees leave the box of their nodes, and facets continue beyond rims.
NearFacets::Cover NearFacets::cover(std::size_t facet) const {
  const FacetShape& shape = known_.nodes.shape(facet);
  const FacetJet<Vec3> middle = shape.polynomial(modes_.data() + facet * facets_.most_nodes(), shape.centre());
  const Vec3 normal = normal_of(middle), along = (1 / norm(middle.slopes[0])) * middle.slopes[0];
  Cover result{middle.value, {along, cross(normal, along), normal}, {}};
  const bool larger = facets_.space().degree() > 1 || properties_[facet].borders.rims != 0;
  result.extent = result.seen_box(known_.nodes.nodes(facet), places_, larger);
  return result;
}

Extent NearFacets::Cover::seen_box(std::span<const std::size_t> nodes, const Values& places, bool larger) const {
  const double beyond = larger ? 0.2 : 0;
  Extent box;
  for (const std::size_t node : nodes) box.add(seen(places[node]));
  for (std::size_t c = 0; c < 3; ++c) {
    const double more = beyond * box.edge(c);
    box.low[c] -= more;
    box.high[c] += more;
  }
  return box;
}

bool NearFacets::Cover::is_beside(const Vec3& seen) const {
  const auto [low, high] = extent;
  const double beside = std::pow(std::max({low[0] - seen[0], seen[0] - high[0], 0.0}), 2) +
                        std::pow(std::max({low[1] - seen[1], seen[1] - high[1], 0.0}), 2);
  return beside > std::pow(1.5 * std::max(std::abs(seen[2] - low[2]), std::abs(seen[2] - high[2])), 2);
}

bool NearFacets::nearer(const Near& a, const Near& b) const {
  const double difference = a.at.squared - b.at.squared;
  if (std::abs(difference) > equal * std::max(a.at.squared, b.at.squared)) return difference < 0;
  if (std::abs(a.alignment - b.alignment) > equal) return a.alignment > b.alignment;
  const auto key = [&](std::size_t facet) {
    Vec3 sum{};
    for (const std::size_t node : known_.nodes.nodes(facet)) sum = sum + known_.X[node];
    return sum;
  };
  return key(a.facet) < key(b.facet);
}

std::vector<std::size_t> NearFacets::partners(std::size_t facet, bool touching) const {
  std::vector<std::size_t> found;
  for (const std::size_t g : known_.candidates[facet]) {
    const Cover& cover = covers_[g];
    const Extent seen = cover.seen_box(known_.nodes.nodes(facet), places_, facets_.space().degree() > 1);
    const double far = sight_of(facet, g, touching);
    Vec3 apart{};
    for (std::size_t c = 0; c < 3; ++c)
      apart[c] = std::max({seen.low[c] - cover.extent.high[c], cover.extent.low[c] - seen.high[c], 0.0});
    const bool above = touching && seen.low[2] > cover.extent.high[2] + touching_height(facet);
    if (norm(apart) < far && !above) found.push_back(g);
  }
  return found;
}

bool NearFacets::is_behind(const OwnPoint& own, const Near& near) const {
  if (properties_[own.facet].body != properties_[near.facet].body) return false;
  std::vector<FacetJet<double>> functions;
  known_.nodes.shape(near.facet).evaluate(near.at.place, functions);
  const auto nodes = known_.nodes.nodes(near.facet);
  const Vec3 from = own.X - value_of(functions, nodes, known_.X), area = area_vector(functions, nodes, known_.X);
  return std::abs(near.gap) > norm(from) / 2 && dot(area, from) < -touching_height(own.facet) * norm(area);
}

double NearFacets::sight_of(std::size_t facet, std::size_t other, bool touching) const {
  const double far = contact::sight * (properties_[facet].size + properties_[other].size);
  return touching ? std::min(far, contact::deepest * properties_[other].depth * facets_.space().degree()) : far;
}

std::vector<Near> NearFacets::find(bool touching) const {
  std::vector<Near> all;
  NearestFirst order;
  for (std::size_t f = 0; f < facets_.count(); ++f) {
    const std::vector<std::size_t> others = partners(f, touching);
    const FacetShape& shape = known_.nodes.shape(f);
    const auto nodes = known_.nodes.nodes(f);
    for (std::size_t q = 0; !others.empty() && q < shape.points(); ++q) {
      const auto functions = shape.at_point(q);
      const Vec3 area = area_vector(functions, nodes, places_);
      const OwnPoint own{f, q, value_of(functions, nodes, places_), (1 / norm(area)) * area,
                         value_of(functions, nodes, known_.X)};
      if (const auto near = nearest(own, others, touching, order)) all.push_back(*near);
    }
  }
  return all;
}

const std::vector<Near>& NearFacets::near_points() {
  if (!near_points_) near_points_ = find(false);
  return *near_points_;
}

std::optional<Near> NearFacets::nearest(const OwnPoint& own, const std::vector<std::size_t>& partners, bool touching,
                                        NearestFirst& order) const {
  const std::size_t facet = own.facet;
  const Vec3& x = own.x;
  std::optional<Near> best;
  order.clear();
  for (const std::size_t g : partners) {
    const Cover& cover = covers_[g];
    const Vec3 seen = cover.seen(x);
    const double bound = squared_distance_to(cover.extent, seen), far = sight_of(facet, g, touching);
    if (!(bound <= far * far) || cover.is_beside(seen)) continue;
    if (touching && seen[2] > cover.extent.high[2] + touching_height(facet)) continue;
    order.push_back({bound, g});
  }
  std::sort(order.begin(), order.end());
  for (const auto& [bound, g] : order) {
    const double far = sight_of(facet, g, touching);
    const double limit = best ? std::min(std::sqrt(best->at.squared) * (1 + equal), far) : far;
    if (bound > limit * limit) break;
    const FacetShape& shape = known_.nodes.shape(g);
    const auto found = closest_point(shape, modes_.data() + g * facets_.most_nodes(), properties_[g].borders, x);
    if (!found || found->squared > limit * limit) continue;
    const Vec3 outwards = normal_of(found->surface);
    if (!(dot(own.normal, outwards) < contact::most_alike)) continue;
    Near near{facet, own.point, g, *found, dot(outwards, found->apart), outwards, 1};
    const double distance = std::sqrt(found->squared);
    if (distance > 0) near.alignment = std::abs(near.gap) / distance;
    if (found->directions < 2 && distance > 0) {
      if (near.alignment < contact::steep) continue;
      near.gap = found->ridge ? distance : std::copysign(distance, near.gap);
      near.normal = (1 / near.gap) * found->apart;
    }
    if (near.gap < -sight_of(facet, g, true)) continue;
    if (with_itself_ && is_behind(own, near)) continue;
    if (!best || nearer(near, *best)) best = near;
  }
  if (best) best->gap -= removed_overlap(facet, own.point);
  return best;
}

}  // namespace gearshift::solid
