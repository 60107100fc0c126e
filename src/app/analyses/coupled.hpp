#pragma once

/// @file
/// A coupled motion, from the first time window to the last.

#include "app/analyses/dynamics.hpp"

namespace gearshift::app {

/// Integrates a coupled motion. Rows and frames are written at the ends of time windows; envelopes and steps.csv
/// contain every step of the accepted windows.
class Coupled : public Dynamics {
 public:
  Coupled(const Run& run, Coupling& coupling) : Dynamics(run), coupling_(coupling) {}

 protected:
  Report advance() override;
  Outcome outcome(const Report& report) const override;
  void write_last_state() override {}  // it is written at the end of a window

 private:
  Coupling& coupling_;
};

}  // namespace gearshift::app
