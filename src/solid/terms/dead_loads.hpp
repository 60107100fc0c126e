#pragma once

/// @file
/// All loads that do not depend on the motion, combined in one term.

#include "solid/operator/term/term.hpp"
#include "solid/terms/dead_load.hpp"

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace gearshift::solid {

/// R -= s f(t), with f the sum of the loads' nodal forces. They are integrated once for each new time, and only once if
/// they are steady. The term has no tangent. NaN or infinity in a load throws Error on all ranks.
class DeadLoads : public Term {
 public:
  explicit DeadLoads(const Space& space);

  void add(std::unique_ptr<DeadLoad> load) { loads_.push_back(std::move(load)); }

  void add_residual(TermPoint& x, SharedSum& r) override;
  std::unique_ptr<TermTangent> make_tangent() override { return nullptr; }
  void add_energy(TermPoint& x, Energy& energy) override;
  std::vector<std::string> faces() const override;
  void add_residual_on(const std::string& face, TermPoint& x, SharedSum& r) override;
  bool steady() const override;
  std::vector<TimeHistory> time_histories() const override;
  double bytes() const override;

 private:
  /// Returns f, valid until the next call for another time. Collective.
  Vec at(PetscReal t);
  /// Computes the sum of the loads for which `counts` returns true, in `forces`. Collective.
  void integrate(PetscReal t, Vec forces, const std::function<bool(const DeadLoad&)>& counts);

  const Space& space_;
  std::vector<std::unique_ptr<DeadLoad>> loads_;
  petsc::Handle<Vec> steady_, total_, of_face_;  // of_face_ is created when first needed
  GhostValues ghosts_;
  PetscReal time_ = std::numeric_limits<PetscReal>::quiet_NaN();
};

}  // namespace gearshift::solid
