// The history of a BdfScheme as a separate checkpoint.

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

}  // namespace gearshift
