#pragma once

#include <gearshift/dynamics/report.hpp>

#include "dynamics/methods/sdirk_method.hpp"

#include <memory>

namespace gearshift {

/// The one-step methods of an integration, each created when it is first needed, because it stores a Vec for each
/// stage.
class OneStepMethods {
 public:
  OneStepMethods(NewtonSolver& solver, Vec layout, int levels) : solver_(solver), layout_(layout), levels_(levels) {}

  /// Returns the method of a kind other than bdf; creates it if necessary.
  SdirkMethod& of(Method method) {
    std::unique_ptr<SdirkMethod>& one = method == Method::esdirk ? esdirk_ : sdirk_;
    if (!one)
      one = method == Method::esdirk
                ? std::make_unique<SdirkMethod>(bdf::esdirk5(), solver_, layout_, levels_, taught_by_esdirk_)
                : std::make_unique<SdirkMethod>(bdf::sdirk4(), solver_, layout_, levels_, taught_by_sdirk_);
    return *one;
  }
  /// Forgets the data learned from earlier steps of the methods.
  void forget() { taught_by_sdirk_ = taught_by_esdirk_ = {}; }
  /// Visits the data learned from their steps.
  void archive_numbers(Archive& state) {
    const Archive::Group group(state, "taught");
    taught_by_sdirk_.archive(state);
    const Archive::Group of_esdirk(state, "esdirk");
    taught_by_esdirk_.archive(state);
  }
  /// Returns a method that has taken a step.
  const SdirkMethod& of(Method method) const { return method == Method::esdirk ? *esdirk_ : *sdirk_; }

 private:
  NewtonSolver& solver_;
  Vec layout_;
  int levels_;
  SdirkMethod::Taught taught_by_sdirk_, taught_by_esdirk_;
  std::unique_ptr<SdirkMethod> sdirk_, esdirk_;
};

}  // namespace gearshift
