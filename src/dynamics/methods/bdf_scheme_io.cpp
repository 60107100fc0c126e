// The history of a BdfScheme as a part of a checkpoint, and as a separate checkpoint.

#include <gearshift/dynamics/bdf_scheme.hpp>

#include "dynamics/checkpoint/natural_order.hpp"
#include "petsc/queries.hpp"
#include "petsc/text_of.hpp"

#include <string>

namespace gearshift {

void BdfScheme::save(const std::string& file, const std::string& name) const {
  CheckpointHeader header;
  header.integers["levels"] = levels_;
  const auto visit = [&](Archive& state) {
    const Archive::Group group(state, name);
    const_cast<BdfScheme*>(this)->archive(state);  // does not change it
  };
  write_checkpoint({layout_.get()}, file, visit, header);
}

void BdfScheme::load(const std::string& file, const std::string& name, bool rank_independent_numbering) {
  const NaturalOrder order(layout_.get(), nullptr);
  const auto integers = read_checkpoint_header(petsc::comm_of(layout_.get()), file).integers;
  if (const auto levels = integers.find("levels"); levels == integers.end() || levels->second != levels_)
    throw IoError("'" + file + "' does not hold the BDF history of an ODE of order " + std::to_string(levels_));
  if (!rank_independent_numbering && !order.renumbered() && integers.at("numbering") != order.fingerprint())
    throw IoError("'" + file + "' was written with another distribution over ranks (" +
                  petsc::count_of(integers.at("ranks"), "rank") +
                  "): run on the same number of ranks, use vectors of a DMDA, or declare that your numbering "
                  "does not depend on it");
  read_checkpoint({layout_.get()}, file, [&](Archive& state) {
    const Archive::Group group(state, name);
    archive(state);
  });
}

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
