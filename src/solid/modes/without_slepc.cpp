#include <gearshift/solid/modes.hpp>

namespace gearshift::solid {

bool Modes::available() { return false; }

void Modes::require_symmetric(Body&) {}  // without SLEPc no modes can be computed

Modes::Modes(Body&, const State&, PetscInt, PetscReal, Watch) {
  throw OptionError(
      "modes need SLEPc, and this library was built without it: install it (Debian: slepc-dev) and build again");
}

}  // namespace gearshift::solid
