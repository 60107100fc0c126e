#include "solid/operator/quadrature_store.hpp"

namespace gearshift::solid {

using petsc::check;

QuadratureStore::QuadratureStore(const Space& space, const MaterialTable& material) {
  begin_.reserve(static_cast<std::size_t>(space.cells()) + 1);
  for (PetscInt cell = 0; cell < space.cells(); ++cell) {
    begin_.push_back(static_cast<PetscInt>(size_));  // where it fits: make_vector()
    size_ += static_cast<std::int64_t>(space.element(cell).points().size()) * entries *
             static_cast<std::int64_t>(material[cell].prony_g.size());
  }
  begin_.push_back(static_cast<PetscInt>(size_));
}

petsc::Handle<Vec> QuadratureStore::make_vector(MPI_Comm comm) const {
  petsc::Handle<Vec> result;
  std::int64_t all = size_;
  check(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT64_T, MPI_SUM, comm));
  if (all > static_cast<std::int64_t>(PETSC_MAX_INT))
    throw OptionError("the Maxwell branches of the body have " + std::to_string(all) +
                      " internal variables, too many for this PETSc, whose integers end at " +
                      std::to_string(static_cast<std::int64_t>(PETSC_MAX_INT)) +
                      "; use a PETSc with 64-bit indices, fewer branches or a lower -degree");
  if (all == 0) return result;
  check(VecCreate(comm, result.out()));
  check(VecSetSizes(result.get(), static_cast<PetscInt>(size_), static_cast<PetscInt>(all)));
  check(VecSetBlockSize(result.get(), entries));
  check(VecSetType(result.get(), VECSTANDARD));
  return result;
}

}  // namespace gearshift::solid
