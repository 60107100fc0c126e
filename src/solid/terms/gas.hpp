#pragma once

/// @file
/// Pneumatic cavities: gas enclosed by a body.

#include "solid/operator/term/term.hpp"
#include "solid/terms/followers/normal_forces.hpp"

#include <memory>
#include <optional>

namespace gearshift::solid {

/// Gas enclosed by a face, under adiabatic compression:
///     R += s int p n da . phi,   p = p0 (V_0 / V)^gamma,   V = -1/3 int (x - c) . n da
/// with n pointing out of the body, so that V is the volume enclosed by the face, alone or together with planes of
/// symmetry; c is a point that these planes share (cavity_centre()). gamma = 1: isothermal. The tangent is that of a
/// pressure plus a matrix of rank one that couples all nodes of the face and is never assembled. Multigrid levels omit
/// it: rank one costs about one iteration.
class Gas : public Term {
 public:
  /// @param p0      pressure in the undeformed body [force/length^2]
  /// @param closing a point that the planes which close the cavity share; the origin if not given
  /// Throws OptionError for a face that encloses no volume, or whose volume is not known. Collective.
  Gas(const Space& space, std::string_view face, PetscReal p0, PetscReal gamma, const std::optional<Vec3>& closing);

  void add_residual(TermPoint& x, SharedSum& r) override;
  std::unique_ptr<TermTangent> make_tangent() override;
  /// Adds the stored energy -s int p dV, from V_0 to V: gas that expands transfers this energy to the body.
  void add_energy(TermPoint& x, Energy& energy) override;
  std::vector<std::string> faces() const override { return {surface_.name()}; }
  bool symmetric() const override { return false; }
  bool steady() const override { return true; }
  double bytes() const override { return surface_.bytes(); }
  double tangent_bytes() const override {
    return NormalForceTangent::bytes(surface_) + static_cast<double>(surface_.points() * sizeof(Vec3));
  }

  /// Returns the enclosed volume. Collective.
  PetscReal volume(const NodalValues& u) const;

 private:
  class Tangent;
  /// Returns the pressure; NaN for V <= 0.
  PetscReal pressure(PetscReal V) const;
  /// Throws InvalidState on all ranks for V <= 0; must be called after the last collective call.
  void require_volume(PetscReal V) const;

  Surface surface_;
  Vec3 centre_{};
  PetscReal p0_, gamma_, V0_ = 0;
};

}  // namespace gearshift::solid
