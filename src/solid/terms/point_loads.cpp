#include "solid/terms/point_loads.hpp"

#include "petsc/queries.hpp"
#include "solid/element/vectors.hpp"

namespace gearshift::solid {

PointForce::PointForce(const Space& space, std::string name, const Vec3& X, TimeHistory F)
    : DeadLoad(std::move(F)),
      space_(space),
      name_(std::move(name)),
      point_(space, "the force at '" + name_ + "',", X) {}

std::string PointForce::add_forces(PetscReal t, NodalSum& sum) const {
  std::string failure;
  if (!point_.mine()) return failure;
  const Vec3 F = value("the force at '" + name_ + "'", t, point_.X(), failure);
  const auto nodes = space_.cell_nodes(point_.cell());
  for (std::size_t i = 0; i < nodes.size(); ++i) sum.add(nodes[i], point_.shape()[i] * F);
  return failure;
}

PointMass::PointMass(const Space& space, std::string name, const Vec3& X, PetscReal m)
    : space_(space), name_(std::move(name)), mass_(m), point_(space, "the mass at '" + name_ + "',", X) {}

Vec3 PointMass::value(const NodalValues& x) const {
  Vec3 sum{};
  const auto nodes = space_.cell_nodes(point_.cell());
  for (std::size_t i = 0; i < nodes.size(); ++i) sum = sum + point_.shape()[i] * x[nodes[i]];
  return sum;
}

void PointMass::add(PetscReal factor, const NodalValues& x, NodalSum& sum) const {
  if (!point_.mine()) return;
  const Vec3 at = factor * mass_ * value(x);
  const auto nodes = space_.cell_nodes(point_.cell());
  for (std::size_t i = 0; i < nodes.size(); ++i) sum.add(nodes[i], point_.shape()[i] * at);
}

void PointMass::add_residual(TermPoint& x, SharedSum& r) { add(1, x.a(), r.get()); }

void PointMass::add_momentum(TermPoint& x, SharedSum& p) { add(1, x.v(), p.get()); }

void PointMass::add_energy(TermPoint& x, Energy& energy) {
  const NodalValues& values = x.v();
  PetscReal square = 0;
  if (point_.mine()) square = dot(value(values), value(values));
  energy.kinetic += mass_ * petsc::reduced(space_.comm(), MPI_SUM, square) / 2;
}

class PointMass::Tangent : public TermTangent {
 public:
  explicit Tangent(const PointMass& term) : term_(term) {}

  void update(TermPoint&) override {}
  void add_apply(TermProduct& product) override {
    if (product.shifts().a != 0) term_.add(product.shifts().a, product.in(), product.out());
  }
  void add_diagonal(Shifts s, NodalSum& d) override {
    if (!term_.point_.mine()) return;
    const auto nodes = term_.space_.cell_nodes(term_.point_.cell());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const double own = s.a * term_.mass_ * term_.point_.shape()[i] * term_.point_.shape()[i];
      d.add(nodes[i], {own, own, own});
    }
  }
  bool add_stiffness_derivative(const NodalValues&, const NodalValues&, NodalSum&) override { return true; }  // it is 0

 private:
  const PointMass& term_;
};

std::unique_ptr<TermTangent> PointMass::make_tangent() { return std::make_unique<Tangent>(*this); }

/// N N' lumped to its diagonal, scaled to the same largest eigenvalue.
class PointMass::Level : public LevelTerm {
 public:
  Level(const PointMass& term, const Space& space)
      : mass_(term.mass_), space_(space), point_(space, "the mass at '" + term.name_ + "',", term.point_.X()) {}

  void add_blocks(Shifts s, NodeBlocks& blocks) const override {
    if (s.a == 0 || !point_.mine()) return;
    const auto nodes = space_.cell_nodes(point_.cell());
    double squares = 0, largest = 0;
    for (const double N : point_.shape()) {
      squares += N * N;
      largest = std::max(largest, N * N);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const double own = s.a * mass_ * squares / largest * point_.shape()[i] * point_.shape()[i];
      if (own != 0) blocks.add(nodes[i], {own, 0, 0, own, 0, own});
    }
  }

 private:
  PetscReal mass_;
  const Space& space_;
  MaterialPoint point_;
};

std::unique_ptr<LevelTerm> PointMass::on(const Space& level) const { return std::make_unique<Level>(*this, level); }

}  // namespace gearshift::solid
