#pragma once

/// @file
/// Forces and masses at single points.

#include <gearshift/solid/material_point.hpp>

#include "solid/operator/term/term.hpp"
#include "solid/terms/dead_load.hpp"

#include <memory>
#include <string>

namespace gearshift::solid {

/// f_i = N_i(X) F(t, X) at a point of the body.
class PointForce : public DeadLoad {
 public:
  /// @param name of the force, under which forces are summed in the results; may be empty. Throws OptionError for a
  /// point outside the body. Collective.
  PointForce(const Space& space, std::string name, const Vec3& X, TimeHistory F);

  std::string add_forces(PetscReal t, NodalSum& sum) const override;
  const std::string& place() const override { return name_; }

 private:
  const Space& space_;
  std::string name_;
  MaterialPoint point_;
};

/// A mass m that moves with a point of the body: R_i += m N_i(X) a(X).
class PointMass : public Term {
 public:
  /// Takes the same parameters as PointForce, and throws the same errors.
  PointMass(const Space& space, std::string name, const Vec3& X, PetscReal m);

  void add_residual(TermPoint& x, SharedSum& r) override;
  std::unique_ptr<TermTangent> make_tangent() override;
  void add_energy(TermPoint& x, Energy& energy) override;
  void add_momentum(TermPoint& x, SharedSum& p) override;
  std::unique_ptr<LevelTerm> on(const Space& level) const override;
  double bytes() const override { return sizeof(PointMass); }

 private:
  class Tangent;
  class Level;
  /// Returns the value of a nodal vector at the point; valid only on the rank that owns the point.
  Vec3 value(const NodalValues& x) const;
  /// Adds factor m N x(X) to sum.
  void add(PetscReal factor, const NodalValues& x, NodalSum& sum) const;

  const Space& space_;
  std::string name_;
  PetscReal mass_;
  MaterialPoint point_;
};

}  // namespace gearshift::solid
