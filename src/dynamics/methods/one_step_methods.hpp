#pragma once

#include <gearshift/dynamics/report.hpp>

#include "dynamics/methods/sdirk_method.hpp"

#include <memory>

namespace gearshift {

/// The one-step methods of an integration, each made when it is first needed: its stages are as many Vecs.
class OneStepMethods {
 public:
  OneStepMethods(NewtonSolver& solver, Vec layout, int levels) : solver_(solver), layout_(layout), levels_(levels) {}

  /// The method of a kind other than bdf.
  SdirkMethod& of(Method method) {
    std::unique_ptr<SdirkMethod>& one = method == Method::esdirk ? esdirk_ : sdirk_;
    if (!one)
      one = method == Method::esdirk
                ? std::make_unique<SdirkMethod>(bdf::esdirk5(), solver_, layout_, levels_, taught_by_esdirk_)
                : std::make_unique<SdirkMethod>(bdf::sdirk4(), solver_, layout_, levels_, taught_by_sdirk_);
    return *one;
  }
  /// What their steps have taught counts no more.
  void forget() { taught_by_sdirk_ = taught_by_esdirk_ = {}; }
  /// Visits all that their steps have taught.
  void archive_numbers(Archive& state) {
    const Archive::Group group(state, "taught");
    taught_by_sdirk_.archive(state);
    const Archive::Group of_esdirk(state, "esdirk");
    taught_by_esdirk_.archive(state);
  }
  /// The same of a method that has taken a step.
  const SdirkMethod& of(Method method) const { return method == Method::esdirk ? *esdirk_ : *sdirk_; }

 private:
  NewtonSolver& solver_;
  Vec layout_;
  int levels_;
  SdirkMethod::Taught taught_by_sdirk_, taught_by_esdirk_;
  std::unique_ptr<SdirkMethod> sdirk_, esdirk_;
};

}  // namespace gearshift
