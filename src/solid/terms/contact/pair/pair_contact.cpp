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
  measure(materials);
  std::vector<NearFacets::Properties> properties;
  for (const Layer& layer : layers_) properties.push_back({.depth = layer.depth, .impedance = layer.impedance});
  near_ = std::make_unique<NearFacets>(facets_, given, std::move(properties));
  const petsc::Handle<Vec> zero = petsc::duplicate(space_.layout());
  petsc::check(VecZeroEntries(zero.get()));
  if (given.overlap == Contact::Overlap::remove) {
    near_->place(zero.get());
    near_->remove_overlaps();
  }
  if (has_friction()) {
    start_.q = petsc::Handle<Vec>::share(zero.get());
    for (std::size_t f = 0; f < facets_.count(); ++f) start_.slips.emplace_back(near_->nodes().shape(f).points());
  }
  follow_search();
}

/// Layers of the facets, and k at nodes as in ObstacleContact.
void PairContact::measure(const MaterialTable& materials) {
  const petsc::Handle<Vec> sums = petsc::duplicate(space_.layout());
  GhostValues ghosts;
  {
    NodalSum sum(space_, sums.get(), ghosts);
    for (std::size_t f = 0; f < facets_.count(); ++f) {
      const ContactFacets::Facet& own = facets_[f];
      Values X;
      for (std::size_t i = 0; i < own.nodes.size(); ++i) X.push_back(facets_.X(f, i));
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
      for (std::size_t q = 0; q < areas.size(); ++q)
        for (std::size_t i = 0; i < own.nodes.size(); ++i) {
          const double N = own.shape->at_point(q)[i].value, w = N * N * areas[q];
          sum.add(own.nodes[i], {w, w * layers_.back().stiffness, 0});
        }
    }
    sum.finish();
  }
  const petsc::ReadView values(sums.get());
  for (std::size_t i = 0; i < values.size(); i += 3)
    node_stiffness_.push_back({values[i] > 0 ? values[i + 1] / values[i] : 0, 0, 0});
}

void PairContact::add_forces(TermPoint& x, SharedSum& r, bool on_first_side) {
  if (ignored_) return;
  const auto touches = touching(x);
  Values sum(near_->nodes().subset()->count());
  for (const Touch& touch : *touches) {
    const PairForces<double> f = touch.law.forces(touch.state);
    const auto own = near_->nodes().shape(touch.facet).at_point(touch.point);
    const auto nodes = near_->nodes().nodes(touch.facet), others = near_->nodes().nodes(touch.partner);
    const auto counts = [&](std::size_t facet) { return !on_first_side || ((*near_)[facet].sides & first_side) != 0; };
    for (std::size_t i = 0; counts(touch.facet) && i < nodes.size(); ++i)
      sum[nodes[i]] = sum[nodes[i]] + touch.area * own[i].value * f.apart;
    for (std::size_t j = 0; counts(touch.partner) && j < others.size(); ++j) {
      const FacetJet<double>& N = touch.functions[j];
      const Vec3 force = N.slopes[0] * f.along[0] + N.slopes[1] * f.along[1] - N.value * f.apart;
      sum[others[j]] = sum[others[j]] + touch.area * force;
    }
  }
  NodalSum& out = r.get();
  near_->nodes().subset()->give(sum, [&out](PetscInt node, const Vec3& force) { out.add(node, force); });
}

void PairContact::add_energy(TermPoint& x, Energy& energy) {
  std::array<PetscReal, 3> sums{};  // stored, friction, viscosity
  const auto touches = touching(x);
  for (const Touch& touch : *touches) {
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
  const double nodes = static_cast<double>(node_stiffness_.size() + near_->nodes().subset()->count());
  double sum = near_->bytes() + 3 * nodes * sizeof(Vec3);
  for (const auto& of_facet : points_)
    sum += sizeof(ContactFacets::Facet) + sizeof(Layer) +
           static_cast<double>(of_facet.size()) * (sizeof(PointData) + (has_friction() ? 2 * sizeof(Slip) : 0));
  return sum;
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
