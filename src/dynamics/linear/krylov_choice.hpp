#pragma once

#include <gearshift/petsc/handle.hpp>

#include "dynamics/linear/dense_factor.hpp"

#include <petscksp.h>

#include <memory>
#include <string>

namespace gearshift {

/// Selection of the linear solver of a Newton iteration: CG if the tangent is symmetric, otherwise GMRES, and after CG
/// has met an indefinite tangent a sequence of methods for such tangents. The user's choice is respected: an option, or
/// a type that the host sets through Stepper::snes() before the first solve or between two solves.
class KrylovChoice {
 public:
  /// @param user_chosen true if the user has chosen a method
  void set_up(KSP ksp, bool user_chosen);

  /// Sets the default for a symmetric or an unsymmetric tangent; does nothing while a fallback is active.
  void prefer(bool symmetric);

  /// Returns true if the last linear solve ended at an indefinite tangent or preconditioner.
  bool met_indefinite() const;
  /// Returns true if it ended because the preconditioner is unusable, as one built from an indefinite tangent may be.
  bool broke_down() const;
  /// Switches to the next method for indefinite tangents: flexible GMRES with a long basis and the present
  /// preconditioner, then, for few unknowns, LU factors of the dense tangent. Returns false if no method is left.
  bool fall_back(Vec unknown);
  /// Returns true if the method is the user's choice, which has no fallbacks. It may have been set since the last build.
  bool user_chosen();
  /// Returns true if the present method uses dense LU factors.
  bool has_factors() const { return fallback_ == Fallback::dense; }
  /// Returns true if the last fallback is the dense LU, after which no other linear solver can do better.
  bool ends_with_factors(Vec unknown);
  /// Restores the default method.
  void recover();

  /// Returns true if the method uses the preconditioner that the System offers.
  bool uses_preconditioner() const { return fallback_ != Fallback::dense; }

  /// Returns the name of the preconditioner, if it is a PCSHELL with a name.
  std::string preconditioner() const;

  /// Called at each linearisation: factorizes the tangent if the present method is the dense LU.
  void linearized(Mat tangent);

 private:
  enum class Fallback { none, flexible_gmres, dense };
  std::string type() const;
  void set_type(const char* name);

  KSP ksp_ = nullptr;
  bool user_chosen_ = false;
  std::string ours_;  // the type that was set at set_up(), or the last one that was set here
  Fallback fallback_ = Fallback::none;
  std::string former_type_;  // with its maximum iterations and preconditioner, while a fallback is active
  PetscInt former_max_ = 0;
  petsc::Handle<PC> former_;
  std::unique_ptr<DenseFactor> dense_;
};

}  // namespace gearshift
