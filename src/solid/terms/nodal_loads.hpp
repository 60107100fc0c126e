#pragma once

/// @file
/// Nodal forces supplied from outside.

#include "solid/operator/term/term.hpp"

#include <functional>

namespace gearshift::solid {

/// R -= s f(t), with f the nodal forces [force] that `fill` supplies, for example from the partner of a coupled
/// problem. They may change between two calls at the same time, so nothing is stored. The term has no tangent.
class NodalLoads : public Term {
 public:
  /// Adds the forces at time t to a Vec of the space's layout that is zero. Collective.
  using Fill = std::function<void(PetscReal t, Vec forces)>;
  NodalLoads(const Space& space, Fill fill);

  void add_residual(TermPoint& x, SharedSum& r) override;
  std::unique_ptr<TermTangent> make_tangent() override { return nullptr; }
  void add_energy(TermPoint& x, Energy& energy) override;
  double bytes() const override;

 private:
  Vec at(PetscReal t);

  const Space& space_;
  Fill fill_;
  petsc::Handle<Vec> forces_;
};

}  // namespace gearshift::solid
