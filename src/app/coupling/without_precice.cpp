// Replaces coupling.cpp in builds without preCICE.

#include "app/coupling/coupling.hpp"

namespace gearshift::app {

class Coupling::Impl {};

bool Coupling::available() { return false; }
Coupling::Coupling(const CouplingKeys&, solid::Body&) { throw OptionError("this program was built without preCICE"); }
Coupling::~Coupling() = default;
Report Coupling::run(Stepper&, const Observer&) { return {}; }
PetscInt Coupling::windows() const { return 0; }
void Coupling::archive(Archive&) {}

}  // namespace gearshift::app
