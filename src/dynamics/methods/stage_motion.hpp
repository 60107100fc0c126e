#pragma once

#include <gearshift/bdf/sdirk.hpp>

#include "dynamics/newton/newton_solver.hpp"

#include <span>
#include <vector>

namespace gearshift {

/// The prescribed motion at the stages of a one-step method.
///
/// A stage is a quadrature of low order: a body on a support moves by q_i = q_n + h sum_j a_ij v_j, whose error is
/// O(h^2). A support placed exactly at g(t_i) would stretch every spring attached to it by that error, by a different
/// amount at each stage. The support therefore follows the stages like everything else, starting from its
/// accelerations:
///
///     a_i = g''(t_i) + d_i,   v_i = g'(t_n) + h sum_{j<=i} a_ij a_j,   q_i = g(t_n) + h sum_{j<=i} a_ij v_j
///
/// Then the motion relative to the support is exactly the motion that the method gives in the moving frame, with the
/// body force -M (g'' + d). The d used is the smallest one with d_s = 0 for which the last stage, that is the new
/// state, ends at g, g' and g''; it is O(h^3), and its quadratures are O(h^5), like the error of the step. A
/// first-order ODE is treated in the same way, starting from g'.
///
/// Source of the treatment of boundary values: M.H. Carpenter, D. Gottlieb, S. Abarbanel, W.-S. Don, The theoretical
/// accuracy of Runge-Kutta time discretizations for the initial boundary value problem, SIAM J. Sci. Comput. 16 (1995).
class StageMotion {
 public:
  StageMotion(NewtonSolver& solver, const bdf::Sdirk& method, int levels)
      : solver_(solver), method_(method), levels_(levels), stages_(static_cast<std::size_t>(method.stages)) {}

  /// Computes the prescribed motion at the stages of the step from t to t_end = t + h; `times` are those of the stages.
  /// Collective.
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
