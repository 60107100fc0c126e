#pragma once

/// @file
/// The analyses: motion, equilibrium, natural modes.

#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/io/summary.hpp>
#include <gearshift/solid/body.hpp>

#include "app/analyses/contact_result.hpp"
#include "app/case/case.hpp"
#include "app/coupling/coupling.hpp"
#include "app/results/outcome.hpp"
#include "app/results/progress.hpp"
#include "app/results/results.hpp"

#include <memory>

namespace gearshift::app {

/// Objects that an analysis uses.
struct Run {
  const Case& given;
  solid::Body& body;
  Stepper& stepper;
  Results& results;
  Progress& progress;
  bool resumed = false;  ///< continues from a checkpoint
};

/// Base class of the analyses. Every function is collective.
class Analysis {
 public:
  explicit Analysis(const Run& run) : run_(run) {}
  virtual ~Analysis() = default;
  Analysis& operator=(Analysis&&) = delete;

  /// Sets the initial state of the stepper, or the state of the checkpoint.
  virtual void begin() = 0;
  /// Runs the analysis, closes the result files, and returns how it ended. Throws Error.
  virtual Outcome carry_out() = 0;
  /// Add the results of the analysis to summary.json, and print them.
  virtual void add_to(io::Summary& summary) const { contacts().add_to(summary); }
  virtual void print() const { contacts().print(); }
  /// Returns what has happened in the contacts.
  ContactResult contacts() const { return {run_.body, run_.stepper.state()}; }

 protected:
  /// Sets the initial displacement and velocity of the case, or those of the checkpoint.
  void set_initial_state();
  petsc::Handle<Vec> initial_displacement() const;
  petsc::Handle<Vec> initial_velocity() const;

  Run run_;
};

/// Creates the analysis of the case.
/// @param coupling nullptr for a body that is not coupled
std::unique_ptr<Analysis> make_analysis(const Run& run, Coupling* coupling);

}  // namespace gearshift::app
