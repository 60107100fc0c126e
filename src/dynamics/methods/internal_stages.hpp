#pragma once

#include <gearshift/bdf/sdirk.hpp>
#include <gearshift/petsc/handle.hpp>

#include "dynamics/equations/guarded_system.hpp"

#include <vector>

namespace gearshift {

/// The internal variables of a System in one step of a one-step method:
///
///     z_i' = (z_i - z_n - h sum_{j<i} a_ij z_j') / (gamma h)
///
/// Path-dependent variables (SystemInternalVariables::internal_follows_path()) are advanced to every stage from z_n.
///
/// For a System without internal variables the functions do nothing.
class InternalStages {
 public:
  InternalStages(GuardedSystem& system, const bdf::Sdirk& method);

  /// Begins the step of size h from z; `slope` is z' there and is read if the first stage is explicit.
  void begin(PetscReal h, Vec z, Vec slope);
  /// Returns the internal variables of the stage to be solved.
  InternalState at(int stage);
  /// Computes z and z' of the stage whose solved state is x.
  void find(int stage, const State& x);

  bool follow_path() const { return follow_path_; }
  /// z and z' of the last stage; the caller may overwrite them.
  Vec end() const { return z_.get(); }
  Vec slope() const { return slopes_.empty() ? nullptr : slopes_.back().get(); }
  /// z' of all stages.
  const std::vector<petsc::Handle<Vec>>& slopes() const { return slopes_; }

  void archive(Archive& state);

 private:
  GuardedSystem& system_;
  const bdf::Sdirk& method_;
  std::vector<petsc::Handle<Vec>> slopes_;
  bool follow_path_ = false;
  petsc::Handle<Vec> z_, base_;
  Vec from_ = nullptr;
  PetscReal h_ = 0;
};

}  // namespace gearshift
