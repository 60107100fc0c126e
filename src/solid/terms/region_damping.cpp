#include "solid/terms/region_damping.hpp"

#include "petsc/queries.hpp"
#include "solid/material/scaled.hpp"

#include <algorithm>
#include <utility>

namespace gearshift::solid {

using petsc::check;

namespace {

/// Returns the material whose mass and stiffness are M_D and K_D: all laws are linear in their moduli.
Material damping_of(Material m) {
  m = scaled(m, m.rayleigh_stiffness, m.rayleigh_mass);
  m.prony_g.clear();
  m.prony_tau.clear();
  if (m.rayleigh_stiffness == 0)
    m.law = Law::linear_elastic;  // without stiffness, and without the strain path of a metal
  return m;
}

}  // namespace

RegionDamping::RegionDamping(const Space& space, const MaterialTable& material, const KernelOptions& options)
    : space_(space), material_(material.transformed(damping_of)), options_(options) {}

bool RegionDamping::in(const MaterialTable& material) {
  return std::any_of(material.all().begin(), material.all().end(),
                     [](const Material& m) { return m.rayleigh_mass != 0 || m.rayleigh_stiffness != 0; });
}

const Operator& RegionDamping::damper() const {
  if (!damper_) damper_ = std::make_unique<Operator>(space_, material_, options_);
  return *damper_;
}

Vec RegionDamping::force(const State& x) const {
  if (!points_) {
    points_ = std::make_unique<PointData<double>>(damper().make_point_data());
    force_ = petsc::duplicate(space_.layout());
  }
  (void)damper().linearize(x.q, {}, *points_);  // the body itself reports inverted cells
  damper().apply(*points_, 1, 1, x.v, force_.get());
  return force_.get();
}

void RegionDamping::add_residual(TermPoint& x, SharedSum& r) {
  if (x.state().v) r.add(1, force(x.state()));
}

void RegionDamping::add_energy(TermPoint& x, Energy& energy) {
  if (!x.state().v) return;
  energy.power_dissipated += petsc::dot(force(x.state()), x.state().v);
}

class RegionDamping::Tangent : public TermTangent {
 public:
  explicit Tangent(const RegionDamping& term)
      : term_(term),
        points_(term.damper().make_point_data()),
        q_(petsc::duplicate(term.space_.layout())),
        v_(petsc::duplicate(q_.get())),
        out_(petsc::duplicate(q_.get())) {}

  void update(TermPoint& x) override {
    (void)term_.damper().linearize(x.state().q, {}, points_);
    moving_ = x.state().v != nullptr;
    differences_ready_ = false;
    if (!moving_) return;
    check(VecCopy(x.state().q, q_.get()));
    check(VecCopy(x.state().v, v_.get()));
  }

  void add_apply(TermProduct& product) override {
    const Shifts s = product.shifts();
    if (s.v != 0) {
      term_.damper().apply(points_, s.v, s.v, product.vec(), out_.get());
      product.shared_out().add(1, out_.get());
    }
    if (s.q != 0 && moving_) {
      if (term_.damper().has_derivative())
        term_.damper().derivative(q_.get(), InternalState{}.rate, v_.get(), product.vec(), out_.get());
      else
        difference(s, product.vec());
      product.shared_out().add(s.q, out_.get());
    }
  }

  void add_diagonal(Shifts s, NodalSum& d) override {
    term_.damper().diagonal(points_, s.v, s.v, out_.get());
    const petsc::ReadView own(out_.get());
    for (PetscInt node = 0; node < term_.space_.owned_nodes(); ++node) {
      const auto first = 3 * static_cast<std::size_t>(node);
      d.add(node, {own[first], own[first + 1], own[first + 2]});
    }
  }

  bool add_stiffness_derivative(const NodalValues&, const NodalValues&, NodalSum&) override { return false; }

 private:
  /// Computes out_ = R_qq[v, in] as (K_D(q + e v) - K_D(q - e v)) in / 2 e, for laws without a third derivative. As in
  /// the Rayleigh damping of the whole body, q is changed by 1e-4 of its size, or of the displacement that v causes in
  /// a step.
  void difference(Shifts s, Vec in) {
    const Operator& damper = term_.damper();
    if (!differences_ready_) {
      differences_ready_ = true;
      const PetscReal q = petsc::norm(q_.get(), NORM_INFINITY);
      const PetscReal v = petsc::norm(v_.get(), NORM_INFINITY);
      const PetscReal size = std::max(q, s.v != 0 ? v * s.q / s.v : 0);
      e_ = v > 0 ? 1e-4 * (size > 0 ? size : 1) / v : 0;
      for (const auto& [points, sign] : {std::pair{&ahead_, 1}, {&behind_, -1}}) {
        if (!*points) *points = std::make_unique<PointData<double>>(damper.make_point_data());
        check(VecWAXPY(out_.get(), sign * e_, v_.get(), q_.get()));
        (void)damper.linearize(out_.get(), {}, **points);
      }
      if (!behind_product_) behind_product_ = petsc::duplicate(out_.get());
    }
    if (e_ == 0) return check(VecSet(out_.get(), 0));
    damper.apply(*ahead_, 1 / (2 * e_), 0, in, out_.get());
    damper.apply(*behind_, 1 / (2 * e_), 0, in, behind_product_.get());
    check(VecAXPY(out_.get(), -1, behind_product_.get()));
  }

  const RegionDamping& term_;
  PointData<double> points_;
  petsc::Handle<Vec> q_, v_, out_;
  bool moving_ = false;
  // Used by difference(), created when first needed.
  std::unique_ptr<PointData<double>> ahead_, behind_;
  petsc::Handle<Vec> behind_product_;
  PetscReal e_ = 0;
  bool differences_ready_ = false;
};

std::unique_ptr<TermTangent> RegionDamping::make_tangent() { return std::make_unique<Tangent>(*this); }

double RegionDamping::numbers_at_points() const {
  double sum = 0;
  for (const CellBlock& block : space_.blocks())
    sum += static_cast<double>(block.last - block.first) * static_cast<double>(block.element.points().size());
  return sum;
}

double RegionDamping::bytes() const {
  constexpr double geometry = 17, products = 16;  // numbers per point
  return sizeof(double) * (geometry + products) * numbers_at_points() +
         sizeof(PetscScalar) * 3.0 * static_cast<double>(space_.owned_nodes());
}

double RegionDamping::tangent_bytes() const {
  // These are the term's own products, and the geometry and products of the body that replaces the damped one in the
  // multigrid.
  constexpr double products = 16, geometry = 17, vectors = 3;
  return sizeof(double) * (geometry + 2 * products) * numbers_at_points() +
         sizeof(PetscScalar) * 3 * vectors * static_cast<double>(space_.owned_nodes());
}

}  // namespace gearshift::solid
