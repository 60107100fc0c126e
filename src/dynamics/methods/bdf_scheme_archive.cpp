// The history of a BdfScheme as a part of a checkpoint.

#include <gearshift/dynamics/bdf_scheme.hpp>

#include <string>

namespace gearshift {

void BdfScheme::archive(Archive& state) {
  const Archive::Group group(state, "history");
  int order = order_, size = size_, kept = kept_;
  state("order", order);
  state("size", size);
  state("kept", kept);
  if (state.loading()) {
    set_order(order);
    reserve(kept - 2);
    kept_ = kept;
    size_ = size;
    newest_ = size - 1;
    step_order_ = 0;
  }
  state("time", time_);
  for (int age = size_; age >= 1; --age) {
    const int slots = static_cast<int>(ring_.size()), at = (newest_ + 1 - age + slots) % slots;
    const Archive::Group of_state(state, "state_" + std::to_string(size_ - age));
    state("step", steps_[at]);
    state("time", times_[at]);
    for (int level = 0; level < levels_; ++level) state.vec("derivative_" + std::to_string(level), slot(age, level));
  }
}

}  // namespace gearshift
