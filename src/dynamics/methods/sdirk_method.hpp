#pragma once

#include <gearshift/bdf/sdirk.hpp>
#include <gearshift/dynamics/archive.hpp>
#include <gearshift/petsc/handle.hpp>

#include "dynamics/methods/internal_stages.hpp"
#include "dynamics/methods/stage_motion.hpp"
#include "dynamics/newton/newton_solver.hpp"

#include <array>
#include <functional>
#include <span>
#include <vector>

namespace gearshift {

/// One step from one state with a singly diagonally implicit method: bdf::sdirk4(), which needs no initial
/// acceleration, or bdf::esdirk5(). The former can also be extrapolated by Richardson's method (Hairer, Norsett,
/// Wanner, Solving ODEs I, II.4) to order 5 for the start of BDF6. Every implicit stage is the same velocity problem
/// with alpha = 1/(gamma h):
///
///     y_i = x^(p-1) at stage i is the unknown,  z_i = x^(p) = (y_i - y_n - h sum_{j<i} a_ij z_j) / (gamma h)
///     q_i = q_n + h sum_{j<=i} a_ij v_j         (p = 2)
///
/// Constrained entries follow the stages too (StageMotion), and so do internal variables (InternalStages).
class SdirkMethod {
 public:
  /// One end of a step: {x, ...}, and the internal variables, if there are any.
  struct End {
    std::array<Vec, 2> x;
    Vec internal = nullptr;
  };
  /// The derivatives at the start, read if the first stage is explicit: x^(p), and z' of the internal variables.
  struct StartSlopes {
    Vec x = nullptr, internal = nullptr;
  };
  /// Called with h b_i and the state of each stage that enters quadratures.
  using OnStage = std::function<void(PetscReal weight, const State& at)>;

  /// Data learned from the steps since the last start.
  struct Taught {
    PetscReal truncation = 0;      ///< truncation error of the last step
    bdf::Sdirk::Row increments{};  ///< lengths of Newton's first increments in its stages
    void archive(Archive& state);
  };

  /// @param taught referenced
  SdirkMethod(const bdf::Sdirk& method, NewtonSolver& solver, Vec layout, int levels, Taught& taught);

  /// Takes a step from {x, ...} at t to `to` at t_end = t + h (given in addition to h, because t + h is rounded).
  /// Returns false if Newton's iteration fails. On success slope() is x^(p) at the end and internal().end() are the
  /// internal variables there.
  bool step(PetscReal t, PetscReal t_end, PetscReal h, const End& from, const StartSlopes& slopes_from, const End& to,
            StepReport& report, const OnStage& on_stage);
  /// Takes a step by Richardson extrapolation of the method of order 4, with local error O(h^6).
  bool extrapolated_step(PetscReal t, PetscReal t_end, PetscReal h, const End& from, const End& to, StepReport& report,
                         const OnStage& on_stage);
  /// Ties the accuracy of the stages of the next steps to the truncation error, estimated by that of the previous step.
  void tie_stages(bool tied) { tied_ = tied; }
  const bdf::Sdirk& method() const { return method_; }
  Vec slope() const { return slope_.back().get(); }
  const InternalStages& internal() const { return internal_; }
  /// The unknown of the last solve.
  Vec unknown() const { return unknown_.get(); }

  /// Estimates the local errors of the last step without extrapolation, of size h. error_v is not changed if levels is
  /// 1.
  void error(PetscReal h, Vec error_q, Vec error_v) const;
  /// Computes the sharper estimates (bdf::Sdirk::smooth_error); returns false if the method has none.
  bool smooth_error(PetscReal h, Vec error_q, Vec error_v) const;

  /// Estimates the local error of the internal variables.
  void internal_error(PetscReal h, Vec error) const;

  static constexpr int internal_level = -1;
  /// Computes out = x^(level), or the internal variables, at t + theta h of the last step from the continuous solution
  /// plus theta^2 times the difference between `to` and that solution at the end of the step (not zero after an
  /// extrapolation).
  void interpolate(int level, PetscReal theta, PetscReal h, Vec from, Vec to, Vec out) const;
  /// Computes the time derivative of interpolate().
  void interpolate_derivative(int level, PetscReal theta, PetscReal h, Vec from, Vec to, Vec out) const;

  /// Visits the stages that interpolate() needs.
  void archive(Archive& state);

 private:
  PetscReal truncation_error(PetscReal h);
  bool solve_stage(int i, PetscReal t, PetscReal h, const End& from, StepReport& report);
  /// The derivatives of x^(level) at the stages: the y_i below the highest level, the z_i at the highest level.
  const std::vector<petsc::Handle<Vec>>& slopes_of(int level) const {
    if (level == internal_level) return internal_.slopes();
    return level + 1 < levels_ ? stage_ : slope_;
  }
  void estimate(const bdf::Sdirk::Row& weights, PetscReal h, Vec error_q, Vec error_v) const;
  void sum(Vec out, PetscReal factor, std::span<const double> weights, const std::vector<petsc::Handle<Vec>>& slopes,
           std::size_t count) const;

  const bdf::Sdirk& method_;
  NewtonSolver& solver_;
  int levels_;
  StageMotion motion_;
  InternalStages internal_;
  std::vector<petsc::Handle<Vec>> stage_, slope_;  // y_i, z_i
  petsc::Handle<Vec> base_y_, base_q_, unknown_;
  /// Results of the whole step, of its first half, and of both halves. Created when extrapolation needs them.
  struct Extrapolation {
    std::array<petsc::Handle<Vec>, 2> coarse, middle;
    petsc::Handle<Vec> fine_slope, middle_internal, fine_internal, fine_internal_slope;
  };
  Extrapolation extrapolation_;
  bool tied_ = false;
  Taught& taught_;
  petsc::Handle<Vec> error_;  // created if stages are tied
};

}  // namespace gearshift
