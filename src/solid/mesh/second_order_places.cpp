#include "solid/mesh/second_order_places.hpp"

#include "petsc/queries.hpp"
#include "solid/mesh/plex.hpp"

namespace gearshift::solid {

using petsc::check;

SecondOrderPlaces::SecondOrderPlaces(DM dm) {
  PetscInt begin = 0, end = 0, size = 0;
  check(DMPlexGetChart(dm, &begin, &end));
  check(PetscSectionCreate(petsc::comm_of(dm), section_.out()));
  check(PetscSectionSetNumFields(section_.get(), 1));
  check(PetscSectionSetFieldComponents(section_.get(), 0, 3));
  check(PetscSectionSetChart(section_.get(), begin, end));
  for (PetscInt point = begin; point < end; ++point) {
    const DMPolytopeType type = type_of(dm, point);
    if (type != DM_POLYTOPE_POINT && type != DM_POLYTOPE_SEGMENT && type != DM_POLYTOPE_QUADRILATERAL &&
        type != DM_POLYTOPE_HEXAHEDRON)
      continue;
    check(PetscSectionSetDof(section_.get(), point, 3));
    check(PetscSectionSetFieldDof(section_.get(), point, 0, 3));
  }
  check(PetscSectionSetUp(section_.get()));
  check(PetscSectionGetStorageSize(section_.get(), &size));
  known_.resize(static_cast<std::size_t>(size), 0);
  check(VecCreateSeq(PETSC_COMM_SELF, size, values_.out()));
  check(VecSetBlockSize(values_.get(), 3));
}

bool SecondOrderPlaces::put(PetscInt point, const PetscReal* position) {
  PetscInt offset = 0;
  check(PetscSectionGetOffset(section_.get(), point, &offset));
  petsc::WriteView values(values_.get());
  bool same = true;
  for (std::size_t c = 0; c < 3; ++c) {
    const std::size_t entry = static_cast<std::size_t>(offset) + c;
    same = same && (known_[entry] == 0 || values[entry] == position[c]);
    values[entry] = position[c];
    known_[entry] = 1;
  }
  return same;
}

bool SecondOrderPlaces::agree(DM dm) {
  petsc::Handle<Vec> all, here;
  DM layout = nullptr;
  check(DMGetCoordinateDM(dm, &layout));
  check(DMCreateGlobalVector(layout, all.out()));
  check(DMCreateLocalVector(layout, here.out()));
  check(DMLocalToGlobal(layout, values_.get(), INSERT_VALUES, all.get()));
  check(DMGlobalToLocal(layout, all.get(), INSERT_VALUES, here.get()));
  bool same = true;
  {
    const petsc::ReadView of_owners(here.get());
    petsc::WriteView own(values_.get());
    for (std::size_t i = 0; i < known_.size(); ++i) {
      same = same && (known_[i] == 0 || own[i] == of_owners[i]);
      own[i] = of_owners[i];
    }
  }
  return same;
}

void SecondOrderPlaces::give(DM dm) {
  petsc::Handle<DM> layout;
  check(DMClone(dm, layout.out()));
  check(DMSetLocalSection(layout.get(), section_.get()));
  check(DMSetCoordinateDM(dm, layout.get()));
  check(DMSetCoordinateSection(dm, 3, section_.get()));
  check(DMSetCoordinatesLocal(dm, values_.get()));
}

}  // namespace gearshift::solid
