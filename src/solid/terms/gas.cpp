#include "solid/terms/gas.hpp"

#include <cmath>
#include <limits>
#include <sstream>

namespace gearshift::solid {

Gas::Gas(const Space& space, std::string_view face, PetscReal p0, PetscReal gamma)
    : surface_(space, face), p0_(p0), gamma_(gamma) {
  surface_.require_sides("gas");
  V0_ = volume(NodalValues(space, nullptr));
  if (!(V0_ > 0)) {
    std::ostringstream text;
    text << "gas behind '" << face << "': the face encloses the volume " << V0_
         << "; give a face around a cavity, or one that planes of symmetry through the origin close";
    throw OptionError(text.str());
  }
}

PetscReal Gas::volume(const NodalValues& u) const {
  PetscReal sum = 0;
  for (const Surface::Facet& facet : surface_.facets())
    for (std::size_t q = 0; q < facet.points(); ++q) {
      const auto [t0, t1] = facet.tangents(q, u);
      sum -= facet.point(q).weight * dot(facet.place(q, u), cross(t0, t1)) / 3;
    }
  return surface_.sum_over_ranks(sum);
}

PetscReal Gas::pressure(PetscReal V) const {
  return V > 0 ? p0_ * std::pow(V0_ / V, gamma_) : std::numeric_limits<PetscReal>::quiet_NaN();
}

void Gas::require_volume(PetscReal V) const {
  if (!(V > 0)) throw InvalidState("the gas behind '" + surface_.name() + "' has no volume left; try a smaller step");
}

void Gas::add_residual(const State& x, PetscReal load_factor, Vec r) {
  const NodalValues u(surface_.space(), x.q);
  const PetscReal p = load_factor * pressure(volume(u));
  NodalSum sum(surface_.space(), r);
  add_normal_forces(
      surface_, u, [p](std::size_t) { return p; }, sum);
  sum.finish();
}

void Gas::add_energy(const State& x, PetscReal load_factor, Energy& energy) {
  const PetscReal V = volume(NodalValues(surface_.space(), x.q));
  const PetscReal work = gamma_ == 1 ? std::log(V / V0_) * V0_ : (V0_ - V * std::pow(V0_ / V, gamma_)) / (gamma_ - 1);
  energy.stored -= load_factor * p0_ * work;
}

class Gas::Tangent : public TermTangent {
 public:
  explicit Tangent(Gas& term) : term_(term), forces_(term.surface_) {}

  void update(const State& x, PetscReal load_factor) override {
    const NodalValues u(space(), x.q);
    const PetscReal V = term_.volume(u), p = load_factor * term_.pressure(V);
    forces_.update(u, [p](std::size_t) { return p; });
    slope_ = -term_.gamma_ * p / V;
    places_.resize(term_.surface_.points());
    for (const Surface::Facet& facet : term_.surface_.facets())
      for (std::size_t q = 0; q < facet.points(); ++q) places_[facet.number(q)] = facet.place(q, u);
    term_.require_volume(V);
  }
  void add_apply(Shifts s, Vec in, Vec out, const Supports* held) override {
    if (s.q == 0) return;
    const NodalValues change(space(), in, held);
    const PetscReal dp = s.q * slope_ * volume_change(change);
    NodalSum sum(space(), out, held);
    forces_.add_product(s.q, change, sum);
    for (const Surface::Facet& facet : term_.surface_.facets())
      for (std::size_t q = 0; q < facet.points(); ++q) facet.add(q, dp * area(facet, q), sum);
    sum.finish();
  }
  void add_diagonal(Shifts, Vec) override {}  // preconditioners leave out the part of rank one
  bool add_stiffness_derivative(Vec, Vec, Vec) override { return false; }

 private:
  const Space& space() const { return term_.surface_.space(); }
  /// The vector area of a point.
  Vec3 area(const Surface::Facet& facet, std::size_t q) const {
    const auto [t0, t1] = forces_.tangents(facet.number(q));
    return facet.point(q).weight * cross(t0, t1);
  }
  /// The exact derivative of the integrated volume.
  PetscReal volume_change(const NodalValues& change) const {
    PetscReal sum = 0;
    for (const Surface::Facet& facet : term_.surface_.facets())
      for (std::size_t q = 0; q < facet.points(); ++q) {
        const std::size_t point = facet.number(q);
        const auto [t0, t1] = forces_.tangents(point);
        const auto [d0, d1] = facet.derivatives(q, change);
        sum -= (dot(facet.value(q, change), area(facet, q)) +
                facet.point(q).weight * dot(places_[point], cross(d0, t1) + cross(t0, d1))) /
               3;
      }
    return term_.surface_.sum_over_ranks(sum);
  }

  Gas& term_;
  NormalForceTangent forces_;
  PetscReal slope_ = 0;       // dp/dV
  std::vector<Vec3> places_;  // of the deformed points
};

std::unique_ptr<TermTangent> Gas::make_tangent() { return std::make_unique<Tangent>(*this); }

}  // namespace gearshift::solid
