#include "dynamics/equations/all_parts.hpp"

namespace gearshift {

AllParts::AllParts(System& system) : system_(system), parts_(system.parts()) {
  if (!parts_.constraints) parts_.constraints = this;
  if (!parts_.projection) parts_.projection = this;
  if (!parts_.loads) parts_.loads = this;
  if (!parts_.internal) parts_.internal = this;
  if (!parts_.preconditioner) parts_.preconditioner = this;
  if (!parts_.energies) parts_.energies = this;
  if (!parts_.rigid_motion) parts_.rigid_motion = this;
  if (!parts_.history) parts_.history = this;
}

Overrides with_declared_parts(System& system, Overrides known) {
  const SystemParts declared = system.parts();
  if (declared.loads) known.next_break = known.resolved_step = true;
  if (declared.rigid_motion) known.take_out_rigid_motion = true;
  if (declared.projection) known.project = true;
  if (declared.history) known.accept = true;
  return known;
}

}  // namespace gearshift
