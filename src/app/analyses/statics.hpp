#pragma once

/// @file
/// Equilibria under growing loads.

#include "app/analyses/analysis.hpp"
#include "app/analyses/equilibrium_check.hpp"
#include "app/analyses/equilibrium_result.hpp"
#include "app/analyses/residual_left.hpp"

#include <optional>
#include <string>

namespace gearshift::app {

/// The result of load steps.
struct Equilibrium {
  PetscReal load = 0;  ///< the load factor of the last equilibrium that was kept
  bool unstable = false;
  std::string remark = {};  ///< a warning, or nothing
  Refusal refusal = {};     ///< of the equilibrium at which the run ends before the whole load
};

/// Finds the equilibrium under the loads of t = 0 by equal load steps, each from the guess of the LoadCurve. One at which Newton
/// fails, or whose equilibrium the EquilibriumCheck refuses, is halved, from the last equilibrium on, and again, down to
/// 2^-load_cutbacks of it; parts grow again if they fit. Collective. If the last part is refused, that ends the load steps
/// at the equilibrium before; throws Error, with the load step, if Newton fails there.
/// @param results receives each part as a load step of its own; nullptr: none
/// @param left looks at each of them
Equilibrium solve_static(const Run& run, Results* results, ResidualLeft& left);

/// The equilibrium, and natural modes about it, if the case wants any.
class Statics : public Analysis {
 public:
  using Analysis::Analysis;
  void begin() override;
  Outcome carry_out() override;
  void add_to(io::Summary& summary) const override { result_->add_to(summary); }
  void print() const override { result_->print(run_.stepper.comm()); }

 private:
  std::optional<EquilibriumResult> result_;  // of carry_out()
};

}  // namespace gearshift::app
