// What stands for coupling.cpp where there is no preCICE.

#include "app/coupling.hpp"

namespace gearshift::app {

class Coupling::Impl {};

bool Coupling::available() { return false; }
Coupling::Coupling(const CouplingKeys&, solid::Body&) { throw OptionError("this program was built without preCICE"); }
Coupling::~Coupling() = default;
Report Coupling::run(Stepper&, const Observer&) { return {}; }

}  // namespace gearshift::app
