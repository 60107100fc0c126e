#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/dynamics/report.hpp>

#include "dynamics/control/mode_meter.hpp"

#include <optional>

namespace gearshift {

/// Tells where steps of a given order make a lightly damped oscillation grow. At fixed steps nothing else would; where the
/// step follows the error, the error test lets the mode grow to the tolerance and then cuts the step down to its period.
///
/// Now and then the local errors of a step are looked at. |e_v| / |e_q|, averaged over the looks, is the apparent frequency;
/// where it says that the formula may be unstable, frequency and damping are measured (ModeMeter). Said is only what was
/// both predicted and seen: sum ln rho over the steps, rho the growth factor of the formula with the mode's own damping,
/// is that of a doubling, and the amplitude, from |e_v|^2 + w^2 |e_q|^2 and the order of the errors, has grown with it. It
/// has not where the error is that of a motion driven by loads or settling, and by much more where physics makes it grow.
class GrowthWatch {
 public:
  GrowthWatch(NewtonSolver& problem, ModeMeter::RayleighDamping known) : meter_(problem, known) {}

  /// Counts a step; whether its errors are to be looked at.
  bool due() { return !found_ && ++since_ >= pause_; }
  /// Looks at the local errors of a step of size h to t by the BDF of this order; the mode, once. Collective. Entries that
  /// are not integrated must be zero in the errors.
  std::optional<GrowingMode> look(Vec error_q, Vec error_v, int order, PetscReal t, PetscReal h);

  /// The mode found since forget().
  const std::optional<GrowingMode>& found() const { return found_; }
  PetscInt products() const { return meter_.products(); }
  /// The motion starts anew: the sums do. What was said is not said again.
  void restart();
  /// Another motion begins.
  void forget();

  void archive_numbers(Archive& state);

 private:
  void pause();
  void start_sums();
  void add_up(PetscReal growth, PetscReal amplitude);

  ModeMeter meter_;
  std::optional<GrowingMode> found_;
  PetscReal mean_q_ = 0, mean_v_ = 0;  // of |e_q|^2 and |e_v|^2
  PetscReal predicted_ = 0;            // sum of ln rho
  // Logarithms: of the least amplitude since the sum was zero, how far it has risen since, of the errors last measured.
  PetscReal lowest_ = PETSC_MAX_REAL, risen_ = 0, level_ = PETSC_MAX_REAL;
  PetscInt since_ = 0, pause_ = 1;  // in steps: since the last look, and to the next one
  PetscInt unsummed_ = 0;           // steps since the last measurement
  PetscInt looks_ = 0, idle_ = 0;   // looks since the last measurement, and those to let pass
};

}  // namespace gearshift
