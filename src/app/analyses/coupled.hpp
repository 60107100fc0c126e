#pragma once

/// @file
/// A coupled motion, from its first window to its last.

#include "app/analyses/dynamics.hpp"

namespace gearshift::app {

/// Rows and frames are those of windows' ends, envelopes and steps.csv have every step of the windows that were accepted.
class Coupled : public Dynamics {
 public:
  Coupled(const Run& run, Coupling& coupling) : Dynamics(run), coupling_(coupling) {}

 protected:
  Report advance() override;
  Outcome outcome(const Report& report) const override;
  void write_last_state() override {}  // it is the end of a window

 private:
  Coupling& coupling_;
};

}  // namespace gearshift::app
