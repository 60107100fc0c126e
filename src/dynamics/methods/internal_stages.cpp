#include "dynamics/methods/internal_stages.hpp"

#include "petsc/queries.hpp"

#include <array>

namespace gearshift {

using petsc::check;
using petsc::duplicate;

InternalStages::InternalStages(GuardedSystem& system, const bdf::Sdirk& method) : system_(system), method_(method) {
  Vec layout = system.parts().internal->internal_layout();
  if (!layout) return;
  slopes_.resize(static_cast<std::size_t>(method.stages));
  for (auto& slope : slopes_) slope = duplicate(layout);
  follow_path_ = system.parts().internal->internal_follows_path();
  z_ = duplicate(layout);
  base_ = duplicate(layout);
}

void InternalStages::begin(PetscReal h, Vec z, Vec slope) {
  h_ = h;
  from_ = z;
  if (z && method_.explicit_first) check(VecCopy(slope, slopes_.front().get()));
}

InternalState InternalStages::at(int stage) {
  if (slopes_.empty()) return {};
  std::array<PetscScalar, bdf::Sdirk::max_stages> w{};
  std::array<Vec, bdf::Sdirk::max_stages> k{};
  for (int j = 0; j < stage; ++j) {
    w[j] = h_ * method_.a[stage][j];
    k[j] = slopes_[j].get();
  }
  check(VecCopy(from_, base_.get()));
  if (follow_path_) return {base_.get(), 1, 1 / (method_.c[stage] * h_)};
  check(VecMAXPY(base_.get(), stage, w.data(), k.data()));
  return {base_.get(), 1, 1 / (method_.gamma * h_)};
}

void InternalStages::find(int stage, const State& x) {
  if (slopes_.empty()) return;
  Vec slope = slopes_[stage].get();
  system_.parts().internal->internal_variables(x, z_.get());
  check(VecWAXPY(slope, -1, base_.get(), z_.get()));
  check(VecScale(slope, x.internal.rate));
}

void InternalStages::archive(Archive& state) {
  if (slopes_.empty()) return;
  const Archive::Group group(state, "internal");
  for (std::size_t i = 0; i < slopes_.size(); ++i) state.internal("slope_" + std::to_string(i), slopes_[i].get());
}

}  // namespace gearshift
