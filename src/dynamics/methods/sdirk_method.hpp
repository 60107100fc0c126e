#pragma once

#include <gearshift/petsc/handle.hpp>

#include "dynamics/newton/newton_solver.hpp"

#include <functional>
#include <span>
#include <vector>

namespace gearshift {

/// One step from one state, for the first steps of a high-order BDF: the L-stable, stiffly accurate SDIRK of order 4
/// with gamma = 1/4 (Hairer and Wanner, Solving ODEs II, table IV.6.5), and its Richardson extrapolation (Hairer,
/// Norsett, Wanner, Solving ODEs I, II.4) of order 5 when BDF6 is to be started. No stage is explicit, so that no
/// initial acceleration is needed; every stage is the same velocity problem with alpha = 1/(gamma h):
///
///     y_i = x^(p-1) at stage i is the unknown,  z_i = x^(p) = (y_i - y_n - h sum_{j<i} a_ij z_j) / (gamma h)
///     q_i = q_n + h sum_{j<=i} a_ij v_j         (p = 2)
class SdirkMethod {
 public:
  /// Called with h b_i and the state of each stage that counts for quadratures.
  using OnStage = std::function<void(PetscReal weight, const State& at)>;

  SdirkMethod(NewtonSolver& problem, Vec layout, int levels);

  /// From {x, ...} at t to `to` at t + h with local error O(h^5), or O(h^6) when extrapolating. Returns false when
  /// Newton fails. Afterwards the problem's state is that of the last stage.
  bool step(PetscReal t, PetscReal h, std::span<const Vec> from, std::span<const Vec> to, bool extrapolate,
            StepReport& record, const OnStage& on_stage);

  /// The local errors of the last step without extrapolation, of size h: the difference to the embedded method of
  /// order 3. error_v is not touched at levels 1.
  void error(PetscReal h, Vec error_q, Vec error_v) const;

 private:
  bool single(PetscReal t, PetscReal h, std::span<const Vec> from, std::span<const Vec> to, StepReport& record,
              const OnStage& on_stage);

  NewtonSolver& problem_;
  int levels_;
  std::vector<petsc::Handle<Vec>> stage_, slope_;  // y_i, z_i
  std::vector<petsc::Handle<Vec>> coarse_, middle_;
  petsc::Handle<Vec> base_y_, base_q_, unknown_;
};

}  // namespace gearshift
