#include "solid/terms/pressure.hpp"

#include "petsc/ranks/agree.hpp"

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
      const PetscReal p = petsc::value_or_failure([&] { return pressure_.value(t, X); }, failure)[0];
      values_[facet.number(q)] = p;
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

void Pressure::add_residual(TermPoint& x, SharedSum& r) {
  const std::vector<double>& p = at(x.t());
  add_normal_forces(
      surface_, x.q(), [&](std::size_t point) { return x.load_factor() * p[point]; }, r.get());
}

void Pressure::add_energy(TermPoint& x, Energy& energy) {
  const std::vector<double>& p = at(x.t());
  const NodalValues &u = x.q(), &v = x.v();
  PetscReal power = 0;
  for (const Surface::Facet& facet : surface_.facets())
    for (std::size_t q = 0; q < facet.points(); ++q) {
      const auto [t0, t1] = facet.tangents(q, u);
      power -= p[facet.number(q)] * facet.point(q).weight * dot(cross(t0, t1), facet.value(q, v));
    }
  energy.power_loads += x.load_factor() * surface_.sum_over_ranks(power);
}

class Pressure::Tangent : public TermTangent {
 public:
  explicit Tangent(Pressure& term) : term_(term), forces_(term.surface_) {}

  void update(TermPoint& x) override {
    const std::vector<double>& p = term_.at(x.t());
    forces_.update(x.q(), [&](std::size_t point) { return x.load_factor() * p[point]; });
  }
  void add_apply(TermProduct& product) override {
    const PetscReal s = product.shifts().q;
    if (s != 0) forces_.add_product(s, product.in(), product.out());
  }
  void add_diagonal(Shifts, NodalSum&) override {}  // it is 0
  bool add_stiffness_derivative(const NodalValues& direction, const NodalValues& in, NodalSum& out) override {
    forces_.add_second(1, direction, in, out);
    return true;
  }

 private:
  Pressure& term_;
  NormalForceTangent forces_;
};

std::unique_ptr<TermTangent> Pressure::make_tangent() { return std::make_unique<Tangent>(*this); }

}  // namespace gearshift::solid
