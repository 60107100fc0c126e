#include "app/advice.hpp"

#include <gearshift/petsc/error.hpp>

#include "app/case.hpp"

#include <algorithm>
#include <vector>

namespace gearshift::app {
namespace {

constexpr PetscReal nearly_incompressible = 0.45, almost_incompressible = 0.495;

template <class Holds>
bool any_material(const Case& given, Holds&& holds) {
  return holds(given.material) || std::any_of(given.region_materials.begin(), given.region_materials.end(),
                                              [&](const auto& region) { return holds(region.second); });
}

}  // namespace

void warn_of_locking(const Case& given, MPI_Comm comm) {
  if (given.formulation == solid::Formulation::mixed) return;
  if (given.degree > 1) {
    if (any_material(given, [](const solid::Material& m) { return m.nu > almost_incompressible; }))
      petsc::check(PetscFPrintf(comm, PETSC_STDERR,
                                "note: with nu above %g displacements alone take many iterations, and large rotations "
                                "small steps; -formulation mixed does not\n",
                                static_cast<double>(almost_incompressible)));
    return;
  }
  if (any_material(given, [](const solid::Material& m) { return m.law == solid::Law::j2; }))
    petsc::check(PetscFPrintf(comm, PETSC_STDERR,
                              "warning: plastic flow keeps the volume, and cells of degree 1 lock under that "
                              "constraint: forces come out too large. Use -degree 2, or -formulation mixed\n"));
  else if (any_material(given, [](const solid::Material& m) { return m.nu > nearly_incompressible; }))
    petsc::check(
        PetscFPrintf(comm, PETSC_STDERR,
                     "warning: with -nu above %g cells of degree 1 lock: the body comes out too stiff. Use "
                     "-degree 2, or -formulation mixed, which is best at any degree where nu is close to 0.5\n",
                     static_cast<double>(nearly_incompressible)));
}

}  // namespace gearshift::app
