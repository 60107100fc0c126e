#pragma once

/// @file
/// Gas enclosed by a body.

#include "solid/operator/term.hpp"
#include "solid/terms/follower.hpp"

#include <memory>

namespace gearshift::solid {

/// Gas enclosed by a face, compressed adiabatically:
///     R += s int p n da . phi,   p = p0 (V_0 / V)^gamma,   V = -1/3 int x . n da
/// with n out of the body, so that V is the volume that the face encloses; of a face that planes of symmetry close it is
/// that part of it, if the planes go through the origin. gamma = 1: at one temperature. The tangent is that of a pressure
/// and a product of rank one, which couples all nodes of the face and is never assembled. Levels of the multigrid do
/// without it: a rank of one costs an iteration.
class Gas : public Term {
 public:
  /// @param p0 pressure in the undeformed body [force/length^2]
  /// OptionError for a face that encloses nothing. Collective.
  Gas(const Space& space, std::string_view face, PetscReal p0, PetscReal gamma);

  void add_residual(const State& x, PetscReal load_factor, Vec r) override;
  std::unique_ptr<TermTangent> make_tangent() override;
  /// Stores s (int p dV from V to V_0): what expands gives it to the body.
  void add_energy(const State& x, PetscReal load_factor, Energy& energy) override;
  bool symmetric() const override { return false; }
  bool steady() const override { return true; }
  double bytes() const override { return surface_.bytes(); }
  double tangent_bytes() const override {
    return NormalForceTangent::bytes(surface_) + static_cast<double>(surface_.points() * sizeof(Vec3));
  }

  /// The enclosed volume. Collective.
  PetscReal volume(const NodalValues& u) const;

 private:
  class Tangent;
  /// NaN where V <= 0.
  PetscReal pressure(PetscReal V) const;
  /// InvalidState where V <= 0, on all ranks; after the last collective call.
  void require_volume(PetscReal V) const;

  Surface surface_;
  PetscReal p0_, gamma_, V0_ = 0;
};

}  // namespace gearshift::solid
