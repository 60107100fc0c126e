// Uses the solid library through its installed headers.
#include <gearshift/gearshift.hpp>
#include <gearshift/solid/body.hpp>
#include <gearshift/solid/material.hpp>

#include <string>

int main(int argc, char** argv) {
  gearshift::Session session(argc, argv);
  return session.run([](MPI_Comm comm) {
    const auto law = gearshift::solid::law_of("neo_hookean");
    if (gearshift::solid::name_of(law) != std::string("neo_hookean")) throw gearshift::Error("another law came back");
    gearshift::petsc::check(PetscPrintf(comm, "solid consumer: right\n"));
  });
}
