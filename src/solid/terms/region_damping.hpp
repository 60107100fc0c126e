#pragma once

/// @file
/// Damping defined separately for single regions.

#include "solid/operator/operator.hpp"
#include "solid/operator/term/term.hpp"

#include <memory>

namespace gearshift::solid {

/// R += C(q) v, C = M_D + K_D(q): the mass and the tangent stiffness of the same body with r_m times the density and
/// r_k times the moduli of each region (Material::rayleigh_mass, rayleigh_stiffness), without viscosity and history.
/// Its derivative with respect to q, R_qq[v, .] of that body, is exact, or a difference quotient for laws without a
/// third derivative. The term is symmetric; its multigrid is that of another body (DampedMultigrid). The second
/// Operator is created when it is first needed.
class RegionDamping : public Term {
 public:
  /// @param material the materials of the body's cells
  RegionDamping(const Space& space, const MaterialTable& material, const KernelOptions& options);

  /// Returns true if some material has separate damping.
  static bool in(const MaterialTable& material);

  void add_residual(TermPoint& x, SharedSum& r) override;
  std::unique_ptr<TermTangent> make_tangent() override;
  void add_energy(TermPoint& x, Energy& energy) override;
  double bytes() const override;
  double tangent_bytes() const override;

 private:
  class Tangent;
  const Operator& damper() const;
  /// Returns C(q) v, valid until the next call; v is not null. Collective.
  Vec force(const State& x) const;
  double numbers_at_points() const;

  const Space& space_;
  MaterialTable material_;  // of C
  KernelOptions options_;
  mutable std::unique_ptr<Operator> damper_;
  mutable std::unique_ptr<PointData<double>> points_;
  mutable petsc::Handle<Vec> force_;
};

}  // namespace gearshift::solid
