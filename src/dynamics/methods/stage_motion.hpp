#pragma once

#include <gearshift/bdf/sdirk.hpp>

#include "dynamics/newton/newton_solver.hpp"

#include <array>
#include <span>
#include <vector>

namespace gearshift {

/// The prescribed motion at the stages of a one-step method.
///
/// A stage is a quadrature of low order: what hangs on the support goes with q_i = q_n + h sum_j a_ij v_j, whose error
/// is O(h^2), and a support put at g(t_i) exactly would stretch every spring to it by that much, at each stage by
/// another amount. So the support takes the stages as everything else does, from its accelerations:
///
///     a_i = g''(t_i) + d_i,   v_i = g'(t_n) + h sum_{j<=i} a_ij a_j,   q_i = g(t_n) + h sum_{j<=i} a_ij v_j
///
/// Then the motion against the support is exactly that of the method applied in the moving frame, with the body force
/// -M (g'' + d). The smallest d with d_s = 0 that makes the last stage, which is the new state, end at g, g' and g'' is
/// O(h^3), its quadratures O(h^5) as the error of the step. A first-order ODE does the same from g'.
///
/// Source: M.H. Carpenter, D. Gottlieb, S. Abarbanel, W.-S. Don, The theoretical accuracy of Runge-Kutta time
/// discretizations for the initial boundary value problem, SIAM J. Sci. Comput. 16 (1995), for the boundary values.
class StageMotion {
 public:
  StageMotion(NewtonSolver& solver, const bdf::Sdirk& method, int levels)
      : solver_(solver), method_(method), levels_(levels), stages_(static_cast<std::size_t>(method.stages)) {}

  /// For the step from t to t_end = t + h, whose stages are at `times`. Collective.
  void begin(PetscReal t, PetscReal h, std::span<const PetscReal> times);
  /// (q, v, a) of the constrained entries at stage i.
  const ConstrainedValues& at(int stage) const { return stages_[static_cast<std::size_t>(stage)]; }

 private:
  void arrive(std::size_t entry, PetscReal h);
  void quadratures(std::size_t entry, PetscReal h);

  NewtonSolver& solver_;
  const bdf::Sdirk& method_;
  int levels_;
  ConstrainedValues start_, end_;
  std::vector<ConstrainedValues> stages_;
};

}  // namespace gearshift
