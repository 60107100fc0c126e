#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/dynamics/report.hpp>

#include "dynamics/control/constants.hpp"
#include "dynamics/control/mode_meter.hpp"

#include <optional>

namespace gearshift {

/// Detects steps of a given order that make a lightly damped oscillation grow. With fixed steps nothing else would
/// detect it; if the step follows the error, the error test lets the mode grow to the tolerance and then cuts the step
/// down to the period of the mode.
///
/// The 2-norms of the local errors are examined every few steps. |e_v| / |e_q|, averaged over these looks, is the
/// apparent frequency w. The amplitude follows from |e_v|^2 + w^2 |e_q|^2 and the order of the errors. When it has
/// doubled since its minimum, the frequency and damping are measured (ModeMeter); Jacobian-vector products are thus
/// spent only when something grows. The formula is the cause if three conditions hold for its growth factor rho for
/// that mode, in logarithms over the steps since the minimum: rho predicts a doubling or more (it does not if loads or
/// physics make the motion grow), half of a doubling or more is observed, and the observed growth does not exceed three
/// times the predicted growth plus 1.
///
/// If the tangent is not symmetric, the mode is measured in the plane of both errors, so that gyroscopic and
/// circulatory terms count; growth no faster than the growth that these terms cause physically is not attributed to the
/// formula. A first-order system has no e_v; the difference quotient of the errors of two steps replaces it.
class GrowthWatch {
 public:
  explicit GrowthWatch(ModeMeter& meter) : meter_(meter) {}

  /// Counts a step. Returns true if its errors must be examined.
  bool due() { return !found_ && ++since_ >= pause_; }
  /// Returns true if the errors of the step after this one must be examined.
  bool due_next() const { return !found_ && since_ + 1 >= pause_; }
  using Errors = ModeMeter::Errors;
  /// Examines the local errors of a step of size h to t by the BDF of this order. Returns the growing mode, once.
  /// Collective. Entries that are not integrated must be zero in the errors.
  std::optional<GrowingMode> look(const Errors& errors, int order, PetscReal t, PetscReal h);

  /// The mode found since forget().
  const std::optional<GrowingMode>& found() const { return found_; }
  /// Resets the sums when the motion starts again. A mode that was already reported is not reported again.
  void restart();
  /// Forgets the mode found as well, for another motion.
  void forget();

  void archive_numbers(Archive& state);

 private:
  /// The 2-norms of the errors of a step, and the power of the step size to which they are proportional.
  struct Size {
    PetscReal q = 0, v = 0, unit = 1;
    /// Returns the logarithm of the amplitude of an oscillation of this frequency, up to a constant.
    PetscReal level(PetscReal frequency) const;
  };
  void pause();
  ModeMeter::Mode measure(const Errors& errors, PetscReal apparent);
  bool moves_freely(const ModeMeter::Mode& mode, PetscReal growth, const Size& now, PetscReal apparent) const;
  enum class Verdict { innocent, open, guilty };
  Verdict judge(const ModeMeter::Mode& mode, PetscReal growth, const Size& now) const;

  ModeMeter& meter_;
  std::optional<GrowingMode> found_;
  PetscReal mean_q_ = 0, mean_v_ = 0;                  // averages of |e_q|^2 and |e_v|^2
  Size least_;                                         // the errors at the minimum of the amplitude
  bool any_ = false;                                   // errors have been examined
  PetscInt since_ = 0, pause_ = control::first_pause;  // in steps: since the last look, and to the next one
  PetscInt since_least_ = 0;                           // in steps
  PetscInt looks_ = 0, idle_ = 0;                      // looks since the last measurement, and looks to skip
};

}  // namespace gearshift
