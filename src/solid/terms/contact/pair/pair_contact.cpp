#include "solid/terms/contact/pair/pair_contact.hpp"

#include "petsc/queries.hpp"
#include "petsc/ranks/agree.hpp"
#include "solid/operator/term/nodal.hpp"
#include "solid/terms/surface.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift::solid {

PairContact::PairContact(const Space& space, const MaterialTable& materials, const Contact& given)
    : ContactTerm(space, given), facets_(space, given) {
  for (const auto* names : {&given.faces, &given.with})
    for (const std::string& name : *names) Surface::require_sides(space, name, "contact");
  borders_ = facets_.borders();
  measure(materials);
  std::vector<Values> places(facets_.count());
  Extent box;
  for (std::size_t f = 0; f < places.size(); ++f)
    for (std::size_t i = 0; i < facets_[f].nodes.size(); ++i) {
      places[f].push_back(facets_.X(f, i));
      box.add(places[f].back());
    }
  origin_ = box.low;
  petsc::check(MPI_Allreduce(MPI_IN_PLACE, origin_.data(), 3, MPIU_REAL, MPI_MIN, space_.comm()));
  for (Values& of_facet : places)
    for (Vec3& x : of_facet) x = x - origin_;
  if (has_friction()) {
    q_at_start_ = petsc::duplicate(space_.layout());
    petsc::check(VecZeroEntries(q_at_start_.get()));
  }
  search(places);
  if (given.overlap == Contact::Overlap::remove) {
    const petsc::Handle<Vec> zero = petsc::duplicate(space_.layout());
    petsc::check(VecZeroEntries(zero.get()));
    place(zero.get());
    std::vector<std::vector<double>> found;
    for (const auto& of_facet : points_) found.emplace_back(of_facet.size(), 0.0);
    for (const Near& near : find_near(true)) found[near.own][near.point] = std::min(near.gap, 0.0);
    overlaps_ = std::move(found);
    covers_.clear();
  }
  for (std::size_t f = 0; has_friction() && f < facets_.count(); ++f) slips_.emplace_back(points_[f].size());
}

/// Layers of the facets, their sizes, and k at nodes as in ObstacleContact.
void PairContact::measure(const MaterialTable& materials) {
  const petsc::Handle<Vec> sums = petsc::duplicate(space_.layout());
  GhostValues ghosts;
  {
    NodalSum sum(space_, sums.get(), ghosts);
    for (std::size_t f = 0; f < facets_.count(); ++f) {
      const ContactFacets::Facet& own = facets_[f];
      Values X;
      Vec3 centre{};
      for (std::size_t i = 0; i < own.nodes.size(); ++i) {
        X.push_back(facets_.X(f, i));
        centre = centre + (1.0 / static_cast<double>(own.nodes.size())) * X.back();
      }
      Values modes(X.size());
      own.shape->to_modes(X, modes.data());
      Vec3 middle{}, whole{};
      double area = 0;
      std::vector<double> areas;
      for (std::size_t q = 0; q < own.shape->points(); ++q) {
        const FacetJet<Vec3> at = own.shape->polynomial(modes.data(), own.shape->point(q));
        const Vec3 part = own.shape->weight(q) * cross(at.slopes[0], at.slopes[1]);
        areas.push_back(norm(part));
        whole = whole + part;
        middle = middle + areas.back() * at.value;
        area += areas.back();
      }
      layers_.push_back(layer_behind(own.cell, materials[own.cell], (1 / area) * middle, (1 / norm(whole)) * whole));
      double radius = 0;
      for (const Vec3& x : X) radius = std::max(radius, norm(x - centre));
      sizes_.push_back(2 * radius);
      largest_ = std::max(largest_, sizes_.back());
      for (std::size_t q = 0; q < areas.size(); ++q)
        for (std::size_t i = 0; i < own.nodes.size(); ++i) {
          const double N = own.shape->at_point(q)[i].value, w = N * N * areas[q];
          sum.add(own.nodes[i], {w, w * layers_.back().stiffness, 0});
        }
    }
    sum.finish();
  }
  largest_ = petsc::reduced(space_.comm(), MPI_MAX, largest_);
  const petsc::ReadView values(sums.get());
  for (std::size_t i = 0; i < values.size(); i += 3)
    node_stiffness_.push_back({values[i] > 0 ? values[i + 1] / values[i] : 0, 0, 0});
}

void PairContact::search(const std::vector<Values>& places) {
  std::vector<Extent> boxes(places.size());
  std::vector<Sides> sides;
  for (std::size_t f = 0; f < places.size(); ++f) {
    for (const Vec3& x : places[f]) boxes[f].add(x);
    for (std::size_t c = 0; c < 3; ++c) {
      boxes[f].low[c] -= skin * sizes_[f];
      boxes[f].high[c] += skin * sizes_[f];
    }
    sides.push_back(facets_[f].sides);
  }
  search_ = std::make_shared<const FacetSearch>(space_.comm(), boxes, sides);
  known_ = FacetNodes(facets_, *search_);
  known_layers_ = search_->share(layers_);
  known_sizes_ = search_->share(sizes_);
  known_sides_ = search_->share(sides);
  known_borders_ = search_->share(borders_);
  known_.subset()->fetch(space_.coordinates().data()->data(), X_);
  for (Vec3& x : X_) x = x - origin_;
  Values k;
  known_.subset()->fetch(node_stiffness_.data()->data(), k);
  k_.clear();
  for (const Vec3& each : k) k_.push_back(each[0]);
  for (std::size_t f = points_.size(); f < facets_.count(); ++f) {
    auto& own = points_.emplace_back();
    for (std::size_t q = 0; q < known_.shape(f).points(); ++q)
      own.push_back({stiffness(f, known_.shape(f).at_point(q)).value, area(f, q, X_)});
  }
  if (q_at_start_) at_start_ = places_for(q_at_start_.get());
  candidates_.assign(facets_.count(), {});
  for (std::size_t f = 0; f < facets_.count(); ++f)
    for (const std::size_t g : search_->near(f))
      if (!known_.joined(f, g)) candidates_[f].push_back(g);
  at_search_.assign(known_.subset()->count(), {});
  for (std::size_t f = 0; f < facets_.count(); ++f)
    for (std::size_t i = 0; i < places[f].size(); ++i) at_search_[known_.nodes(f)[i]] = places[f][i];
}

PairContact::Values PairContact::values(Vec of) const {
  Values result;
  const petsc::ReadView view(of);
  known_.subset()->fetch(view.span().data(), result);
  return result;
}

PairContact::Values PairContact::places_for(Vec q) const {
  Values places = values(q);
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = X_[i] + places[i];
  return places;
}

bool PairContact::place(Vec q) {
  Values now = places_for(q);
  std::array<PetscReal, 4> common{};  // sum of the nodes' motions, and their number
  for (std::size_t f = 0; f < facets_.count(); ++f)
    for (const std::size_t node : known_.nodes(f)) {
      for (std::size_t c = 0; c < 3; ++c) common[c] += now[node][c] - at_search_[node][c];
      common[3] += 1;
    }
  petsc::check(MPI_Allreduce(MPI_IN_PLACE, common.data(), 4, MPIU_REAL, MPI_SUM, space_.comm()));
  const Vec3 mean = (1 / common[3]) * Vec3{common[0], common[1], common[2]};
  if (!std::isfinite(norm(mean))) return false;
  PetscReal most = 0;  // motion relative to the mean, as a part of a facet's size
  for (std::size_t f = 0; f < facets_.count(); ++f)
    for (const std::size_t node : known_.nodes(f))
      most = std::max(most, norm(now[node] - at_search_[node] - mean) / sizes_[f]);
  if (petsc::reduced(space_.comm(), MPI_MAX, most) > slack) {
    std::vector<Values> own(facets_.count());
    for (std::size_t f = 0; f < own.size(); ++f)
      for (const std::size_t node : known_.nodes(f)) own[f].push_back(now[node]);
    search(own);
    now = places_for(q);
    covers_.clear();
  }
  if (!covers_.empty() && now == places_) return true;
  places_ = std::move(now);
  near_points_.reset();
  touches_.reset();
  covers_.clear();
  modes_.resize(known_.count() * facets_.most_nodes());
  Values at;
  for (std::size_t f = 0; f < known_.count(); ++f) {
    at.clear();
    for (const std::size_t node : known_.nodes(f)) at.push_back(places_[node]);
    known_.shape(f).to_modes(at, modes_.data() + f * facets_.most_nodes());
    covers_.push_back(cover(f));
  }
  return true;
}

void PairContact::add_forces(TermPoint& x, SharedSum& r, bool on_first_side) {
  if (ignored_) return;
  std::vector<std::pair<std::size_t, Vec3>> parts;
  for (const Touch& touch : *touching(x)) {
    const PairForces<double> f = touch.law.forces(touch.state);
    const auto own = known_.shape(touch.facet).at_point(touch.point);
    const auto nodes = known_.nodes(touch.facet), others = known_.nodes(touch.partner);
    const auto counts = [&](std::size_t facet) { return !on_first_side || (known_sides_[facet] & first_side) != 0; };
    for (std::size_t i = 0; counts(touch.facet) && i < nodes.size(); ++i)
      parts.push_back({nodes[i], touch.area * own[i].value * f.apart});
    for (std::size_t j = 0; counts(touch.partner) && j < others.size(); ++j) {
      const FacetJet<double>& N = touch.functions[j];
      const Vec3 force = N.slopes[0] * f.along[0] + N.slopes[1] * f.along[1] - N.value * f.apart;
      parts.push_back({others[j], touch.area * force});
    }
  }
  Values sum(known_.subset()->count());
  for (const auto& [node, force] : parts) sum[node] = sum[node] + force;
  NodalSum& out = r.get();
  known_.subset()->give(sum, [&out](PetscInt node, const Vec3& force) { out.add(node, force); });
}

void PairContact::add_energy(TermPoint& x, Energy& energy) {
  std::array<PetscReal, 3> sums{};  // stored, friction, viscosity
  for (const Touch& touch : *touching(x)) {
    PairLaw::Rates rates;
    touch.law.forces(touch.state, &rates);
    sums[0] += touch.area * touch.state.weight * touch.gap * touch.gap / 2;
    if (touch.law.moves) sums[1] += touch.area * rates.drag * dot(rates.slip, rates.slip);
    sums[2] += touch.area * (rates.pressure - rates.traction) * rates.rate;
  }
  petsc::check(MPI_Allreduce(MPI_IN_PLACE, sums.data(), 3, MPIU_REAL, MPI_SUM, space_.comm()));
  energy.stored += sums[0];
  energy.contact += sums[0];
  energy.power_friction += sums[1];
  energy.power_dissipated += sums[1] + sums[2];
}

double PairContact::bytes() const {
  return static_cast<double>(facets_.count() * (sizeof(ContactFacets::Facet) + sizeof(Layer) + 200) +
                             node_stiffness_.size() * sizeof(Vec3)) +
         search_->bytes() + 3 * known_.subset()->bytes();
}

/// All points may touch. The points of the last state and those of the last tangent exist at the same time.
double PairContact::tangent_bytes() const {
  double points = 0;
  for (const auto& of_facet : points_) points += static_cast<double>(of_facet.size());
  const double functions = static_cast<double>(facets_.most_nodes()) * sizeof(FacetJet<double>);
  return points * (2 * (sizeof(Touch) + functions) + sizeof(Near) + sizeof(Linearized));
}

double PairContact::level_bytes(int degree) const {
  const double nodes = (degree + 1) * (degree + 1);
  return static_cast<double>(facets_.count()) * nodes * 4 * nodes * sizeof(NodeCouplings::Block);
}

}  // namespace gearshift::solid
