#pragma once

/// @file
/// Multigrid for bodies with damping defined separately for single regions.

#include "solid/multigrid/multigrid.hpp"
#include "solid/operator/operator.hpp"

#include <memory>

namespace gearshift::solid {

/// With damping C = r_m M + r_k K of single regions, s.q K + s.v C + s.a M is in each of them
///     (s.q + s.v r_k) K + (s.a + s.v r_m) M.
/// Except at nodes that regions share, this is the tangent without damping of a body that is stiffer by 1 + r_k s.v /
/// s.q and heavier by 1 + r_m s.v / s.a in that region. This class uses a FloatMultigrid of that body, rebuilt when
/// these factors have changed.
class DampedMultigrid : public Multigrid {
 public:
  /// @param finest a body without internal variables that depend on the strain path
  explicit DampedMultigrid(const FinestLevel& finest);
  ~DampedMultigrid() override;

  void update(Tangent& tangent, Shifts s, PC pc) override;
  bool is_definite() const override;

 private:
  void configure(PC pc) override;
  void apply(Vec residual, Vec correction) override;
  void view(PetscViewer viewer) const override;
  /// Sets the factors of these shifts, and rebuilds the levels if they have changed. Collective.
  void take_factors(Shifts s);

  FinestLevel body_;
  Shifts factors_{0, 0, 0};  // s.v / s.q, -, s.v / s.a for which the levels were built
  TermSum no_terms_;
  MaterialTable material_;
  std::unique_ptr<Operator> op_;
  std::unique_ptr<Tangent> tangent_;
  petsc::Handle<PC> levels_;
};

}  // namespace gearshift::solid
