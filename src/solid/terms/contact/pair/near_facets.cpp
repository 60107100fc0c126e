#include "solid/terms/contact/pair/near_facets.hpp"

#include "petsc/queries.hpp"
#include "petsc/ranks/agree.hpp"
#include "solid/terms/contact/constants.hpp"
#include "solid/terms/contact/pair/body_of_nodes.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift::solid {

NearFacets::NearFacets(const ContactFacets& own, const Contact& contact, std::vector<Properties> properties)
    : facets_(own), with_itself_(contact.with_itself), properties_(std::move(properties)) {
  const std::vector<Borders> borders = facets_.borders();
  std::vector<PetscInt> bodies;
  if (with_itself_) bodies = body_of_nodes(own.space());
  std::vector<Values> places(facets_.count());
  Extent box;
  for (std::size_t f = 0; f < places.size(); ++f) {
    Vec3 centre{};
    for (std::size_t i = 0; i < facets_[f].nodes.size(); ++i) {
      places[f].push_back(facets_.X(f, i));
      box.add(places[f].back());
      centre = centre + (1.0 / static_cast<double>(facets_[f].nodes.size())) * places[f].back();
    }
    Properties& of_facet = properties_[f];
    for (const Vec3& x : places[f]) of_facet.size = std::max(of_facet.size, 2 * norm(x - centre));
    of_facet.sides = facets_[f].sides;
    of_facet.borders = borders[f];
    if (with_itself_) of_facet.body = bodies[static_cast<std::size_t>(facets_[f].nodes[0])];
    largest_ = std::max(largest_, of_facet.size);
  }
  MPI_Comm comm = facets_.space().comm();
  largest_ = petsc::reduced(comm, MPI_MAX, largest_);
  origin_ = box.low;
  petsc::check(MPI_Allreduce(MPI_IN_PLACE, origin_.data(), 3, MPIU_REAL, MPI_MIN, comm));
  for (Values& of_facet : places)
    for (Vec3& x : of_facet) x = x - origin_;
  find_facets(places);
}

void NearFacets::find_facets(const std::vector<Values>& places) {
  std::vector<Extent> boxes(places.size());
  std::vector<Sides> sides;
  properties_.resize(facets_.count());
  for (std::size_t f = 0; f < places.size(); ++f) {
    for (const Vec3& x : places[f]) boxes[f].add(x);
    for (std::size_t c = 0; c < 3; ++c) {
      boxes[f].low[c] -= contact::skin * properties_[f].size;
      boxes[f].high[c] += contact::skin * properties_[f].size;
    }
    sides.push_back(facets_[f].sides);
  }
  const auto search = std::make_shared<const FacetSearch>(facets_.space().comm(), boxes, sides);
  known_ = {.search = search, .nodes = FacetNodes(facets_, *search), .candidates = {}, .X = {}, .places = {}};
  properties_ = search->share(std::move(properties_));
  const FacetNodes& nodes = known_.nodes;
  nodes.subset()->fetch(facets_.space().coordinates(), known_.X);
  for (Vec3& x : known_.X) x = x - origin_;
  known_.candidates.assign(facets_.count(), {});
  for (std::size_t f = 0; f < facets_.count(); ++f)
    for (const std::size_t g : search->near(f))
      if (!nodes.joined(f, g)) known_.candidates[f].push_back(g);
  known_.places.assign(nodes.subset()->count(), {});
  for (std::size_t f = 0; f < facets_.count(); ++f)
    for (std::size_t i = 0; i < places[f].size(); ++i) known_.places[nodes.nodes(f)[i]] = places[f][i];
}

NearFacets::Values NearFacets::values(Vec of) const {
  Values result;
  const petsc::ReadView view(of);
  known_.nodes.subset()->fetch(view.span().data(), result);
  return result;
}

NearFacets::Values NearFacets::places_for(Vec q) const {
  Values places = values(q);
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = known_.X[i] + places[i];
  return places;
}

bool NearFacets::place(Vec q) {
  MPI_Comm comm = facets_.space().comm();
  Values now = places_for(q);
  std::array<PetscReal, 4> common{};  // sum of the nodes' motions, and their number
  for (std::size_t f = 0; f < facets_.count(); ++f)
    for (const std::size_t node : known_.nodes.nodes(f)) {
      for (std::size_t c = 0; c < 3; ++c) common[c] += now[node][c] - known_.places[node][c];
      common[3] += 1;
    }
  petsc::check(MPI_Allreduce(MPI_IN_PLACE, common.data(), 4, MPIU_REAL, MPI_SUM, comm));
  const Vec3 mean = (1 / common[3]) * Vec3{common[0], common[1], common[2]};
  if (!std::isfinite(norm(mean))) return false;
  PetscReal most = 0;  // motion relative to the mean, as a part of a facet's size
  for (std::size_t f = 0; f < facets_.count(); ++f)
    for (const std::size_t node : known_.nodes.nodes(f))
      most = std::max(most, norm(now[node] - known_.places[node] - mean) / properties_[f].size);
  if (petsc::reduced(comm, MPI_MAX, most) > contact::slack) {
    std::vector<Values> own(facets_.count());
    for (std::size_t f = 0; f < own.size(); ++f)
      for (const std::size_t node : known_.nodes.nodes(f)) own[f].push_back(now[node]);
    find_facets(own);
    now = places_for(q);
    covers_.clear();
  }
  if (!covers_.empty() && now == places_) return true;
  places_ = std::move(now);
  near_points_.reset();
  ++state_;
  covers_.clear();
  modes_.resize(known_.nodes.count() * facets_.most_nodes());
  Values at;
  for (std::size_t f = 0; f < known_.nodes.count(); ++f) {
    at.clear();
    for (const std::size_t node : known_.nodes.nodes(f)) at.push_back(places_[node]);
    known_.nodes.shape(f).to_modes(at, modes_.data() + f * facets_.most_nodes());
    covers_.push_back(cover(f));
  }
  return true;
}

void NearFacets::remove_overlaps() {
  for (std::size_t f = 0; f < facets_.count(); ++f) overlaps_.emplace_back(known_.nodes.shape(f).points(), 0.0);
  for (const Near& near : find(true)) overlaps_[near.own][near.point] = std::min(near.gap, 0.0);
  near_points_.reset();
  ++state_;
}

std::pair<double, double> NearFacets::speed_and_distance(const Values& v) const {
  MPI_Comm comm = facets_.space().comm();
  // Sums of velocities and of places on each side, each node of this rank once.
  std::array<PetscReal, 12> sums{};
  std::vector<Sides> sides(known_.nodes.subset()->count(), 0);
  for (std::size_t f = 0; f < facets_.count(); ++f)
    for (const std::size_t node : known_.nodes.nodes(f)) sides[node] |= facets_[f].sides;
  const auto for_nodes = [&](auto&& use) {
    for (std::size_t node = 0; node < sides.size(); ++node)
      if (sides[node] != 0) use(node);
  };
  for_nodes([&](std::size_t node) {
    for (std::size_t c = 0; c < 3; ++c) {
      sums[c] += v[node][c];
      for (const std::size_t side : {0U, 1U})
        if ((sides[node] >> side & 1U) != 0) sums[4 + 4 * side + c] += places_[node][c];
    }
    sums[3] += 1;
    for (const std::size_t side : {0U, 1U})
      if ((sides[node] >> side & 1U) != 0) sums[7 + 4 * side] += 1;
  });
  petsc::check(MPI_Allreduce(MPI_IN_PLACE, sums.data(), 12, MPIU_REAL, MPI_SUM, comm));
  const auto mean = [&](std::size_t at) { return (1 / sums[at + 3]) * Vec3{sums[at], sums[at + 1], sums[at + 2]}; };
  const std::array<Vec3, 3> means{mean(0), mean(4), mean(8)};
  std::array<PetscReal, 3> most{};  // speed, radius of each side
  for_nodes([&](std::size_t node) {
    most[0] = std::max(most[0], norm(v[node] - means[0]));
    for (const std::size_t side : {0U, 1U})
      if ((sides[node] >> side & 1U) != 0)
        most[1 + side] = std::max(most[1 + side], norm(places_[node] - means[1 + side]));
  });
  petsc::check(MPI_Allreduce(MPI_IN_PLACE, most.data(), 3, MPIU_REAL, MPI_MAX, comm));
  const double apart = norm(means[1] - means[2]) - most[1] - most[2];
  return {most[0], with_itself_ ? 0 : apart};
}

}  // namespace gearshift::solid
