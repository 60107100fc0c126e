#pragma once

#include <gearshift/petsc/handle.hpp>

#include "dynamics/linear/forcing.hpp"

#include <petscsnes.h>

#include <array>
#include <optional>
#include <string_view>

namespace gearshift {

class FullSteps;

/// Selection of the line search of Newton's iteration: PETSc's, or FullSteps during their lifetime.
class SearchChoice {
 public:
  /// Reads what the user has chosen. Called before the SNES is used.
  void set_up(SNES snes, std::string_view prefix, bool from_options);
  /// Returns false if the user has chosen otherwise: a SNES other than newtonls, a line search other than PETSc's
  /// default, the option -snes_linesearch_type, or pre- or post-checks of the step; or if searches_alone().
  bool allows_full_steps() const;
  /// Returns true during the lifetime of a SearchAlone.
  bool searches_alone() const { return alone_; }
  /// Returns true if the last solve took full steps, which still live, and went astray: it would take the same path
  /// with any linear solver.
  bool astray() const;
  /// Returns true during the lifetime of FullSteps.
  bool takes_full_steps() const { return full_steps_ != nullptr; }

 private:
  friend FullSteps;
  friend class SearchAlone;
  SNES snes_ = nullptr;
  bool type_chosen_ = false, divergence_chosen_ = false, max_chosen_ = false;  // by options
  bool alone_ = false;
  const FullSteps* full_steps_ = nullptr;
};

/// During its lifetime only PETSc's line search is used: an attempt after full steps, or before them. It ends where the
/// residual hardly falls.
class SearchAlone {
 public:
  explicit SearchAlone(SearchChoice& choice) : choice_(choice) { choice_.alone_ = true; }
  ~SearchAlone() { choice_.alone_ = false; }
  SearchAlone& operator=(SearchAlone&&) = delete;

 private:
  SearchChoice& choice_;
};

/// During its lifetime a SNES takes full Newton steps and halves them only if the state is invalid or absurdly far from
/// equilibrium. Static solves begin this way: the residual of a slender body has to rise at first, and a line search
/// that requires it to fall makes only tiny steps. The solve ends if the steps go astray: if they cycle among a few
/// residuals, for example across a jump of the force, or wander. The residual then rises more often than allowed, or,
/// if the rises are limited, is for long no less than before, as in a stiff contact. It also ends at a linear solve
/// that takes far more iterations than the first one.
///
/// Nothing changes if the choice does not allow full steps.
class FullSteps {
 public:
  struct Past {
    std::array<PetscReal, 8> norms{};  // ring buffer of the last residuals
    int returns = 0, rises = 0, max_rises = 0;
    int without_gain = 0;  // steps since the least residual
    bool astray = false;
    PetscReal first = 0, last = 0, least = 0;  // norms of the residual at the start, after the last step, and the least
    LinearSettings* linear = nullptr;
  };

  /// The number of steps in which the residual may rise: any, or as many as in the bending of a slender body, where
  /// the first steps stretch it.
  enum class Rises { any, few };
  /// @param patience factor by which the maximum number of iterations is multiplied
  FullSteps(SearchChoice& choice, Rises rises, PetscInt patience = 1);
  ~FullSteps();
  FullSteps& operator=(FullSteps&&) = delete;

  /// Returns true if the last solve ended because its steps cycled or wandered.
  bool astray() const { return past_.astray; }

 private:
  SearchChoice& choice_;
  petsc::Handle<SNESLineSearch> former_;
  std::optional<LinearSettings> linear_;
  mutable Past past_;  // written by the line search
  PetscReal divergence_ = 0;
  PetscInt max_iterations_ = 0;
};

}  // namespace gearshift
