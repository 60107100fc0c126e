#pragma once

/// @file
/// Pressure on the deformed surface (follower load).

#include "solid/operator/term/term.hpp"
#include "solid/terms/followers/normal_forces.hpp"

#include <limits>
#include <memory>
#include <vector>

namespace gearshift::solid {

/// R += s int p(t, X) n da . phi: a pressure p > 0 pushes on the body, along the normal of the deformed face and per
/// deformed area. The tangent is exact and unsymmetric; multigrid levels omit it.
class Pressure : public Term {
 public:
  /// Creates the pressure p on p.face; p is evaluated only once if it is steady. Collective.
  Pressure(const Space& space, TimeHistory p) : surface_(space, p.face), pressure_(std::move(p)) {
    surface_.require_sides("pressure");
  }

  void add_residual(TermPoint& x, SharedSum& r) override;
  std::unique_ptr<TermTangent> make_tangent() override;
  void add_energy(TermPoint& x, Energy& energy) override;
  std::vector<std::string> faces() const override { return {surface_.name()}; }
  bool symmetric() const override { return false; }
  bool steady() const override { return pressure_.steady; }
  std::vector<TimeHistory> time_histories() const override { return {pressure_}; }
  double bytes() const override { return surface_.bytes() + 8 * static_cast<double>(surface_.points()); }
  double tangent_bytes() const override { return NormalForceTangent::bytes(surface_); }

 private:
  class Tangent;
  /// Returns p at every point. Throws Error on all ranks if it is not finite somewhere. Collective.
  const std::vector<double>& at(PetscReal t);

  Surface surface_;
  TimeHistory pressure_;
  PetscReal time_ = std::numeric_limits<PetscReal>::quiet_NaN();
  std::vector<double> values_;
};

}  // namespace gearshift::solid
