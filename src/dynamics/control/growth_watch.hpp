#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/dynamics/report.hpp>

#include "dynamics/control/mode_meter.hpp"

#include <optional>

namespace gearshift {

/// Tells where steps of a given order make a lightly damped oscillation grow. At fixed steps nothing else would; where the
/// step follows the error, the error test lets the mode grow to the tolerance and then cuts the step down to its period.
///
/// Every few steps the 2-norms of the local errors are looked at. |e_v| / |e_q|, averaged over the looks, is the apparent
/// frequency w. Where the amplitude, from |e_v|^2 + w^2 |e_q|^2 and the order of the errors, has doubled since it was least,
/// frequency and damping are measured (ModeMeter), and the formula's growth factor rho of that mode tells whether it is to
/// blame: the steps taken since then must have doubled the amplitude by rho too, which they have not where loads or physics
/// make the motion grow, and not have left more than half of that unseen, or the threefold unexplained. The products of a
/// measurement are thus spent only where something grows.
///
/// Where the tangent is not symmetric the mode is measured in the plane of both errors, so that gyroscopic and circulatory
/// terms count, and what grows by them no faster than by its own law is none of the formula's. A first-order system has
/// no e_v: there it is the difference quotient of the errors of two steps.
class GrowthWatch {
 public:
  GrowthWatch(NewtonSolver& problem, ModeMeter::RayleighDamping known) : meter_(problem, known) {}

  /// Counts a step; whether its errors are to be looked at.
  bool due() { return !found_ && ++since_ >= pause_; }
  /// Whether the errors of the step after this one are to be looked at.
  bool due_next() const { return !found_ && since_ + 1 >= pause_; }
  using Errors = ModeMeter::Errors;
  /// Looks at the local errors of a step of size h to t by the BDF of this order; the mode, once. Collective. Entries that
  /// are not integrated must be zero in the errors.
  std::optional<GrowingMode> look(const Errors& errors, int order, PetscReal t, PetscReal h);

  /// The mode found since forget().
  const std::optional<GrowingMode>& found() const { return found_; }
  PetscInt products() const { return meter_.products(); }
  /// The motion starts anew, and so do the sums. A mode already reported is not reported again.
  void restart();
  /// Another motion begins.
  void forget();

  void archive_numbers(Archive& state);

 private:
  /// Errors of a step: their sizes, and the power of the step that they go with.
  struct Size {
    PetscReal q = 0, v = 0, unit = 1;
    /// The logarithm of the amplitude of an oscillation of this frequency, but for a constant.
    PetscReal level(PetscReal frequency) const;
  };
  void pause();
  ModeMeter::Mode measure(const Errors& errors, PetscReal apparent);
  bool moves_freely(const ModeMeter::Mode& mode, PetscReal growth, const Size& now, PetscReal apparent) const;
  enum class Verdict { innocent, open, guilty };
  Verdict judge(const ModeMeter::Mode& mode, PetscReal growth, const Size& now) const;

  ModeMeter meter_;
  std::optional<GrowingMode> found_;
  PetscReal mean_q_ = 0, mean_v_ = 0;          // of |e_q|^2 and |e_v|^2
  Size least_;                                 // the errors where the amplitude was least
  bool any_ = false;                           // it was looked at
  static constexpr PetscInt first_pause = -3;  // the first five steps are all looked at
  PetscInt since_ = 0, pause_ = first_pause;   // in steps: since the last look, and to the next one
  PetscInt since_least_ = 0;                   // in steps
  PetscInt looks_ = 0, idle_ = 0;              // looks since the last measurement, and those to let pass
};

}  // namespace gearshift
