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
      one = std::make_unique<SdirkMethod>(method == Method::esdirk ? bdf::esdirk5() : bdf::sdirk4(), solver_, layout_,
                                          levels_);
    return *one;
  }
  /// What their steps have taught counts no more.
  void forget() {
    for (SdirkMethod* one : {sdirk_.get(), esdirk_.get()})
      if (one) one->forget();
  }
  /// Visits what the steps of one-step family `usual` have taught. ESDIRK's first step after a start is SDIRK's.
  void archive_numbers(Method usual, Archive& state) {
    of(usual).archive_numbers(state);
    bool starts = usual == Method::esdirk && sdirk_ && sdirk_->has_learned();
    state("starts_by_sdirk", starts);
    if (state.loading() && usual == Method::esdirk && sdirk_) sdirk_->forget();
    if (starts) of(Method::sdirk).archive_numbers(state);
  }
  /// The same of a method that has taken a step.
  const SdirkMethod& of(Method method) const { return method == Method::esdirk ? *esdirk_ : *sdirk_; }

 private:
  NewtonSolver& solver_;
  Vec layout_;
  int levels_;
  std::unique_ptr<SdirkMethod> sdirk_, esdirk_;
};

}  // namespace gearshift
