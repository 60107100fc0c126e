#include "solid/operator/quadrature_store.hpp"

namespace gearshift::solid {

using petsc::check;

QuadratureStore::QuadratureStore(const Space& space, const MaterialTable& material) {
  const auto points = static_cast<PetscInt>(space.element().points().size());
  begin_.reserve(static_cast<std::size_t>(space.cells()) + 1);
  begin_.push_back(0);
  for (PetscInt cell = 0; cell < space.cells(); ++cell)
    begin_.push_back(begin_.back() + points * entries * static_cast<PetscInt>(material[cell].prony_g.size()));
}

petsc::Handle<Vec> QuadratureStore::make_vector(MPI_Comm comm) const {
  petsc::Handle<Vec> result;
  PetscInt all = 0;
  const PetscInt own = size();
  check(MPI_Allreduce(&own, &all, 1, MPIU_INT, MPI_SUM, comm));
  if (all == 0) return result;
  check(VecCreate(comm, result.out()));
  check(VecSetSizes(result.get(), own, all));
  check(VecSetBlockSize(result.get(), entries));
  check(VecSetType(result.get(), VECSTANDARD));
  return result;
}

}  // namespace gearshift::solid
