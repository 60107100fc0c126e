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

/// The result of the load steps.
struct Equilibrium {
  PetscReal load = 0;  ///< the load factor of the last accepted equilibrium
  bool unstable = false;
  std::string remark = {};  ///< a warning, or empty
  Refusal refusal = {};     ///< the reason if the run ends before the full load
  bool failed = false;      ///< it is an error: no equilibrium was found that could be refused
};

/// Finds the equilibrium by equal load steps, each with the guess of the LoadCurve: under the loads of t = 0 times a load
/// factor or, with -load_until, under the loads of the time up to which a load step goes. If Newton
/// fails in a load step, or the EquilibriumCheck refuses its equilibrium, the step is halved and repeated from the last
/// equilibrium, down to 2^-load_cutbacks of a load step; parts are doubled again if they fit. If the smallest part is
/// refused, or Newton fails there, the load steps end at the equilibrium before it. Collective.
/// @param results receives each part as a separate load step; nullptr: no results
/// @param left records the residual of each of them
Equilibrium solve_static(const Run& run, Results* results, ResidualLeft& left);

/// Computes the equilibrium and, if requested, natural modes about it.
class Statics : public Analysis {
 public:
  using Analysis::Analysis;
  void begin() override;
  Outcome carry_out() override;
  void add_to(io::Summary& summary) const override {
    if (result_) result_->add_to(summary);
    Analysis::add_to(summary);
  }
  void print() const override {
    if (result_) result_->print(run_.stepper.comm());
    Analysis::print();
  }

 private:
  std::optional<EquilibriumResult> result_;  // set by carry_out(); empty if the first load step failed
};

}  // namespace gearshift::app
