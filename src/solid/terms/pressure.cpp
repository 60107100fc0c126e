#include "solid/terms/pressure.hpp"

#include "petsc/agree.hpp"

#include <cmath>
#include <sstream>

namespace gearshift::solid {

const std::vector<double>& Pressure::at(PetscReal t) {
  if (t == time_ || (pressure_.steady && !std::isnan(time_))) return values_;
  std::string failure;
  time_ = std::numeric_limits<PetscReal>::quiet_NaN();
  values_.resize(surface_.points());
  for (const Surface::Facet& facet : surface_.facets())
    for (std::size_t q = 0; q < facet.points(); ++q) {
      const Vec3& X = facet.point(q).X;
      const PetscReal p = values_[facet.number(q)] = pressure_.value(t, X)[0];
      if (std::isfinite(p) || !failure.empty()) continue;
      std::ostringstream text;
      text << "the pressure on '" << surface_.name() << "' is not finite: " << p << " at t = " << t << ", X = (" << X[0]
           << ", " << X[1] << ", " << X[2] << "); check its expression there";
      failure = text.str();
    }
  petsc::throw_if_any<Error>(surface_.space().comm(), failure);
  time_ = t;
  return values_;
}

void Pressure::add_residual(const State& x, PetscReal load_factor, Vec r) {
  const std::vector<double>& p = at(x.t);
  const NodalValues u(surface_.space(), x.q);
  NodalSum sum(surface_.space(), r);
  add_normal_forces(
      surface_, u, [&](std::size_t point) { return load_factor * p[point]; }, sum);
  sum.finish();
}

void Pressure::add_energy(const State& x, PetscReal load_factor, Energy& energy) {
  const std::vector<double>& p = at(x.t);
  const NodalValues u(surface_.space(), x.q), v(surface_.space(), x.v);
  PetscReal power = 0;
  for (const Surface::Facet& facet : surface_.facets())
    for (std::size_t q = 0; q < facet.points(); ++q) {
      const auto [t0, t1] = facet.tangents(q, u);
      power -= p[facet.number(q)] * facet.point(q).weight * dot(cross(t0, t1), facet.value(q, v));
    }
  energy.power_loads += load_factor * surface_.sum_over_ranks(power);
}

class Pressure::Tangent : public TermTangent {
 public:
  explicit Tangent(Pressure& term) : term_(term), forces_(term.surface_) {}

  void update(const State& x, PetscReal load_factor) override {
    const std::vector<double>& p = term_.at(x.t);
    forces_.update(NodalValues(space(), x.q), [&](std::size_t point) { return load_factor * p[point]; });
  }
  void add_apply(Shifts s, Vec in, Vec out, const Supports* held) override {
    if (s.q == 0) return;
    NodalSum sum(space(), out, held);
    forces_.add_product(s.q, NodalValues(space(), in, held), sum);
    sum.finish();
  }
  void add_diagonal(Shifts, Vec) override {}  // it is 0
  bool add_stiffness_derivative(Vec direction, Vec in, Vec out) override {
    NodalSum sum(space(), out);
    forces_.add_second(1, NodalValues(space(), direction), NodalValues(space(), in), sum);
    sum.finish();
    return true;
  }

 private:
  const Space& space() const { return term_.surface_.space(); }
  Pressure& term_;
  NormalForceTangent forces_;
};

std::unique_ptr<TermTangent> Pressure::make_tangent() { return std::make_unique<Tangent>(*this); }

}  // namespace gearshift::solid
