#include "solid/terms/gas.hpp"

#include "solid/terms/cavity.hpp"

#include <cmath>
#include <limits>
#include <sstream>

namespace gearshift::solid {

Gas::Gas(const Space& space, std::string_view face, PetscReal p0, PetscReal gamma, const std::optional<Vec3>& closing)
    : surface_(space, face), p0_(p0), gamma_(gamma) {
  surface_.require_sides("gas");
  centre_ = cavity_centre(surface_, closing);
  GhostValues none;
  V0_ = volume(NodalValues(space, nullptr, nullptr, none));
  if (!(V0_ > 0)) {
    std::ostringstream text;
    text << "gas behind '" << face << "': the face encloses the volume " << V0_
         << "; give a face around a cavity, or a face that planes of symmetry close";
    throw OptionError(text.str());
  }
}

PetscReal Gas::volume(const NodalValues& u) const {
  PetscReal sum = 0;
  for (const Surface::Facet& facet : surface_.facets())
    for (std::size_t q = 0; q < facet.points(); ++q) {
      const auto [t0, t1] = facet.tangents(q, u);
      sum -= facet.point(q).weight * dot(facet.place(q, u) - centre_, cross(t0, t1)) / 3;
    }
  return surface_.sum_over_ranks(sum);
}

PetscReal Gas::pressure(PetscReal V) const {
  return V > 0 ? p0_ * std::pow(V0_ / V, gamma_) : std::numeric_limits<PetscReal>::quiet_NaN();
}

void Gas::require_volume(PetscReal V) const {
  if (!(V > 0)) throw InvalidState("the gas behind '" + surface_.name() + "' has no volume left");
}

void Gas::add_residual(TermPoint& x, SharedSum& r) {
  const PetscReal p = x.load_factor() * pressure(volume(x.q()));
  add_normal_forces(
      surface_, x.q(), [p](std::size_t) { return p; }, r.get());
}

void Gas::add_energy(TermPoint& x, Energy& energy) {
  const PetscReal V = volume(x.q());
  const PetscReal work = gamma_ == 1 ? std::log(V / V0_) * V0_ : (V0_ - V * std::pow(V0_ / V, gamma_)) / (gamma_ - 1);
  energy.stored -= x.load_factor() * p0_ * work;
}

class Gas::Tangent : public TermTangent {
 public:
  explicit Tangent(Gas& term) : term_(term), forces_(term.surface_) {}

  void update(TermPoint& x) override {
    const NodalValues& u = x.q();
    const PetscReal V = term_.volume(u), p = x.load_factor() * term_.pressure(V);
    forces_.update(u, [p](std::size_t) { return p; });
    slope_ = -term_.gamma_ * p / V;
    places_.resize(term_.surface_.points());
    for (const Surface::Facet& facet : term_.surface_.facets())
      for (std::size_t q = 0; q < facet.points(); ++q) places_[facet.number(q)] = facet.place(q, u) - term_.centre_;
    term_.require_volume(V);
  }
  void add_apply(TermProduct& product) override {
    const PetscReal s = product.shifts().q;
    if (s == 0) return;
    const NodalValues& change = product.in();
    const PetscReal dp = s * slope_ * volume_change(change);
    NodalSum& sum = product.out();
    forces_.add_product(s, change, sum);
    for (const Surface::Facet& facet : term_.surface_.facets())
      for (std::size_t q = 0; q < facet.points(); ++q) facet.add(q, dp * area(facet, q), sum);
  }
  void add_diagonal(Shifts, NodalSum&) override {}  // preconditioners omit the part of rank one
  bool add_stiffness_derivative(const NodalValues&, const NodalValues&, NodalSum&) override { return false; }

 private:
  /// Returns the vector area of a point.
  Vec3 area(const Surface::Facet& facet, std::size_t q) const {
    const auto [t0, t1] = forces_.tangents(facet.number(q));
    return facet.point(q).weight * cross(t0, t1);
  }
  /// Returns the exact derivative of the integrated volume.
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
  std::vector<Vec3> places_;  // of the deformed points, relative to the centre
};

std::unique_ptr<TermTangent> Gas::make_tangent() { return std::make_unique<Tangent>(*this); }

}  // namespace gearshift::solid
