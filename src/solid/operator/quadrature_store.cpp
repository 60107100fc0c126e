#include "solid/operator/quadrature_store.hpp"

#include "petsc/queries.hpp"
#include "solid/material/registered_laws.hpp"

#include <algorithm>

namespace gearshift::solid {

using petsc::check;

QuadratureStore::QuadratureStore(const Space& space, const MaterialTable& material) {
  begin_.reserve(static_cast<std::size_t>(space.cells()) + 1);
  for (PetscInt cell = 0; cell < space.cells(); ++cell) {
    begin_.push_back(static_cast<PetscInt>(size_));  // may overflow; make_vector() checks the size
    const std::size_t tensors = internal_tensors(material[cell]);
    tensors_.push_back(static_cast<int>(tensors));
    plastic_.push_back(is_plastic(material[cell]) ? 1 : 0);
    follows_path_ |= is_plastic(material[cell]);
    size_ +=
        static_cast<std::int64_t>(space.element(cell).points().size()) * entries * static_cast<std::int64_t>(tensors);
  }
  begin_.push_back(static_cast<PetscInt>(size_));
}

void QuadratureStore::take_means(const QuadratureStore& other, const double* from, std::vector<double>& to) const {
  to.resize(static_cast<std::size_t>(size_));
  for (std::size_t cell = 0; cell < tensors_.size(); ++cell) {
    const auto at = static_cast<PetscInt>(cell);
    const double* own = from + other.begin(at);
    const PetscInt numbers = entries * tensors_[cell];
    if (other.count(at) == count(at)) {
      std::copy(own, own + count(at), to.begin() + begin(at));
      continue;
    }
    const double share = static_cast<double>(numbers) / static_cast<double>(other.count(at));
    for (PetscInt e = 0; e < numbers; ++e) {
      double sum = 0;
      for (PetscInt i = e; i < other.count(at); i += numbers) sum += own[i];
      for (PetscInt i = e; i < count(at); i += numbers) to[static_cast<std::size_t>(begin(at) + i)] = sum * share;
    }
  }
}

petsc::Handle<Vec> QuadratureStore::make_vector(MPI_Comm comm) const {
  petsc::Handle<Vec> result;
  const std::int64_t all = petsc::reduced<std::int64_t>(comm, MPI_SUM, size_);
  if (all > static_cast<std::int64_t>(PETSC_MAX_INT))
    throw OptionError("the quadrature points of the body have " + std::to_string(all) +
                      " internal variables, too many for this PETSc, whose largest integer is " +
                      std::to_string(static_cast<std::int64_t>(PETSC_MAX_INT)) +
                      "; use a PETSc with 64-bit indices, fewer Maxwell branches or a lower -degree");
  if (all == 0) return result;
  check(VecCreate(comm, result.out()));
  check(VecSetSizes(result.get(), static_cast<PetscInt>(size_), static_cast<PetscInt>(all)));
  check(VecSetBlockSize(result.get(), entries));
  check(VecSetType(result.get(), VECSTANDARD));
  return result;
}

}  // namespace gearshift::solid
