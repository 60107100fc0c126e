#pragma once

/// @file
/// What an analysis is: what gearshift-solid does with a body.

#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/io/summary.hpp>
#include <gearshift/solid/body.hpp>

#include "app/case/case.hpp"
#include "app/coupling/coupling.hpp"
#include "app/results/outcome.hpp"
#include "app/results/progress.hpp"
#include "app/results/results.hpp"

#include <memory>

namespace gearshift::app {

/// What an analysis works with; a resumed one goes on from a checkpoint.
struct Run {
  const Case& given;
  solid::Body& body;
  Stepper& stepper;
  Results& results;
  Progress& progress;
  bool resumed = false;
};

/// One class for each kind of analysis. Every function is collective.
class Analysis {
 public:
  explicit Analysis(const Run& run) : run_(run) {}
  virtual ~Analysis() = default;
  Analysis(const Analysis&) = delete;
  Analysis& operator=(const Analysis&) = delete;

  /// Gives the stepper its first state, or that of the checkpoint.
  virtual void begin() = 0;
  /// Goes as far as possible and closes the result files; says how it ended. Throws Error.
  virtual Outcome carry_out() = 0;
  /// What it adds to summary.json, and the same on the screen.
  virtual void add_to(io::Summary&) const {}
  virtual void print() const {}

 protected:
  /// The initial displacement and velocity of the case.
  void set_initial_state();
  petsc::Handle<Vec> initial_velocity() const;

  Run run_;
};

/// The analysis that the case asks for.
/// @param coupling nullptr: the body is alone
std::unique_ptr<Analysis> make_analysis(const Run& run, Coupling* coupling);

}  // namespace gearshift::app
