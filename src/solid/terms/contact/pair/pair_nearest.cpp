/// The nearest place of the other side.

#include "solid/terms/contact/pair/pair_contact.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gearshift::solid {

namespace {

/// Facets touch if the cosine of the angle between their normals is below this.
constexpr double most_alike = -0.2;
/// At an edge or corner the gap makes an angle with the facet's normal whose cosine is at least this: from places
/// beside the facet another one is nearer, or the surface ends. Cover::is_beside() excludes most of these.
constexpr double steep = 0.7;
/// Distances that differ by less than this part are equal up to rounding.
constexpr double equal = 1e-9;

Vec3 normal_of(const FacetJet<Vec3>& surface) {
  const Vec3 area = cross(surface.slopes[0], surface.slopes[1]);
  return (1 / norm(area)) * area;
}

}  // namespace

/// Polynomials of higher degrees leave the box of their nodes, and facets continue beyond rims.
PairContact::Cover PairContact::cover(std::size_t facet) const {
  const FacetShape& shape = known_.shape(facet);
  const FacetJet<Vec3> middle = shape.polynomial(modes_.data() + facet * facets_.most_nodes(), shape.centre());
  const Vec3 normal = normal_of(middle), along = (1 / norm(middle.slopes[0])) * middle.slopes[0];
  Cover result{middle.value, {along, cross(normal, along), normal}, {}};
  const bool larger = space_.degree() > 1 || known_borders_[facet].rims != 0;
  result.extent = result.seen_box(known_.nodes(facet), places_, larger);
  return result;
}

Extent PairContact::Cover::seen_box(std::span<const std::size_t> nodes, const Values& places, bool larger) const {
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

bool PairContact::nearer(const Near& a, const Near& b) const {
  const double difference = a.at.squared - b.at.squared;
  if (std::abs(difference) > equal * std::max(a.at.squared, b.at.squared)) return difference < 0;
  if (std::abs(a.alignment - b.alignment) > equal) return a.alignment > b.alignment;
  const auto key = [&](std::size_t facet) {
    Vec3 sum{};
    for (const std::size_t node : known_.nodes(facet)) sum = sum + X_[node];
    return sum;
  };
  return key(a.facet) < key(b.facet);
}

std::vector<std::size_t> PairContact::partners(std::size_t facet, bool touching) const {
  std::vector<std::size_t> found;
  for (const std::size_t g : candidates_[facet]) {
    const Cover& cover = covers_[g];
    const Extent seen = cover.seen_box(known_.nodes(facet), places_, space_.degree() > 1);
    const double far = sight_of(facet, g, touching);
    Vec3 apart{};
    for (std::size_t c = 0; c < 3; ++c)
      apart[c] = std::max({seen.low[c] - cover.extent.high[c], cover.extent.low[c] - seen.high[c], 0.0});
    const bool above = touching && seen.low[2] > cover.extent.high[2] + touching_height(facet);
    if (norm(apart) < far && !above) found.push_back(g);
  }
  return found;
}

PairContact::OwnPoint PairContact::own_point(std::size_t facet, std::size_t point) const {
  OwnPoint own{.facet = facet, .point = point};
  Vec3 along{}, across{};
  const auto functions = known_.shape(facet).at_point(point);
  const auto nodes = known_.nodes(facet);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Vec3& place = places_[nodes[i]];
    own.x = own.x + functions[i].value * place;
    own.X = own.X + functions[i].value * X_[nodes[i]];
    along = along + functions[i].slopes[0] * place;
    across = across + functions[i].slopes[1] * place;
  }
  const Vec3 area = cross(along, across);
  own.normal = (1 / norm(area)) * area;
  return own;
}

bool PairContact::is_behind(const OwnPoint& own, const Near& near) const {
  std::vector<FacetJet<double>> functions;
  known_.shape(near.facet).evaluate(near.at.place, functions);
  const auto nodes = known_.nodes(near.facet);
  Vec3 from = own.X, along{}, across{};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    from = from - functions[i].value * X_[nodes[i]];
    along = along + functions[i].slopes[0] * X_[nodes[i]];
    across = across + functions[i].slopes[1] * X_[nodes[i]];
  }
  const Vec3 area = cross(along, across);
  return std::abs(near.gap) > norm(from) / 2 && dot(area, from) < -touching_height(own.facet) * norm(area);
}

std::vector<PairContact::Near> PairContact::find_near(bool touching) const {
  std::vector<Near> all;
  NearestFirst order;
  for (std::size_t f = 0; f < facets_.count(); ++f) {
    const std::vector<std::size_t> others = partners(f, touching);
    for (std::size_t q = 0; !others.empty() && q < known_.shape(f).points(); ++q)
      if (const auto near = nearest(own_point(f, q), others, touching, order)) all.push_back(*near);
  }
  return all;
}

const std::vector<PairContact::Near>& PairContact::near_points() {
  if (!near_points_) near_points_ = find_near(false);
  return *near_points_;
}

std::optional<PairContact::Near> PairContact::nearest(const OwnPoint& own, const std::vector<std::size_t>& partners,
                                                      bool touching, NearestFirst& order) const {
  const std::size_t facet = own.facet;
  const Vec3& x = own.x;
  std::optional<Near> best;
  order.clear();
  for (const std::size_t g : partners) {
    const Cover& cover = covers_[g];
    const Vec3 seen = cover.seen(x);
    const double bound = squared_distance_to(cover.extent, seen), far = sight_of(facet, g, touching);
    if (bound > far * far || cover.is_beside(seen)) continue;
    if (touching && seen[2] > cover.extent.high[2] + touching_height(facet)) continue;
    order.push_back({bound, g});
  }
  std::sort(order.begin(), order.end());
  for (const auto& [bound, g] : order) {
    const double far = sight_of(facet, g, touching);
    const double limit = best ? std::min(std::sqrt(best->at.squared) * (1 + equal), far) : far;
    if (bound > limit * limit) break;
    const FacetShape& shape = known_.shape(g);
    const auto found = closest_point(shape, modes_.data() + g * facets_.most_nodes(), known_borders_[g], x);
    if (!found || found->squared > limit * limit) continue;
    const Vec3 outwards = normal_of(found->surface);
    if (!(dot(own.normal, outwards) < most_alike)) continue;
    Near near{facet, own.point, g, *found, dot(outwards, found->apart), outwards, 1};
    const double distance = std::sqrt(found->squared);
    if (distance > 0) near.alignment = std::abs(near.gap) / distance;
    if (found->directions < 2 && distance > 0) {
      if (near.alignment < steep) continue;
      near.gap = found->ridge ? distance : std::copysign(distance, near.gap);
      near.normal = (1 / near.gap) * found->apart;
    }
    if (near.gap < -sight_of(facet, g, true)) continue;
    if (given_.with_itself && is_behind(own, near)) continue;
    if (!best || nearer(near, *best)) best = near;
  }
  if (best && !overlaps_.empty()) best->gap -= overlaps_[facet][own.point];
  return best;
}

}  // namespace gearshift::solid
