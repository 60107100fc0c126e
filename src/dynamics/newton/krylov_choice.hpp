#pragma once

#include <gearshift/petsc/handle.hpp>

#include "dynamics/newton/dense_factor.hpp"

#include <petscksp.h>

#include <memory>
#include <string>

namespace gearshift {

/// Which linear solver a Newton iteration has: CG where the tangent is symmetric, GMRES else, and, where CG has met an
/// indefinite tangent, one after the other of those that work there. The user's choice stays: an option, or a type that the
/// host sets through Stepper::snes() before the first solve or between two.
class KrylovChoice {
 public:
  /// @param theirs the user has chosen a method
  void set_up(KSP ksp, bool theirs);

  /// The default for a tangent that is symmetric or not; not while a fallback is on.
  void prefer(bool symmetric);

  /// Whether the last linear solve ended at an indefinite tangent or preconditioner.
  bool met_indefinite() const;
  /// Whether it ended at a preconditioner that is none, as one made of an indefinite tangent may be.
  bool broke_down() const;
  /// Goes on to the next method for indefinite tangents: flexible GMRES with a long basis and the preconditioner that
  /// there is, then, for few unknowns, LU factors of the dense tangent. False when there is none left.
  bool fall_back(Vec unknown);
  /// Whether there is one at all: the default method is.
  bool may_fall_back() { return !theirs(); }
  /// Whether the present method has factors.
  bool has_factors() const { return fallback_ == Fallback::dense; }
  /// Whether the last of them leaves nothing to another linear solver.
  bool ends_with_factors(Vec unknown);
  /// Back to the default.
  void recover();

  /// Whether the method wants the preconditioner that the System offers.
  bool uses_preconditioner() const { return fallback_ != Fallback::dense; }

  /// At each linearisation: factors the tangent where that is the method.
  void linearized(Mat tangent);

 private:
  enum class Fallback { none, flexible_gmres, dense };
  std::string type() const;
  /// Returns true if the method is the user's, who may have set it since the last build.
  bool theirs();
  void set_type(const char* name);

  KSP ksp_ = nullptr;
  bool theirs_ = false;
  std::string ours_;  // the type that was there at set_up(), or that was set here last
  Fallback fallback_ = Fallback::none;
  std::string former_type_;  // and its iterations and preconditioner, while a fallback is on
  PetscInt former_max_ = 0;
  petsc::Handle<PC> former_;
  std::unique_ptr<DenseFactor> dense_;
};

}  // namespace gearshift
