#include "dynamics/checkpoint/natural_order.hpp"

#include "dynamics/checkpoint/parts.hpp"
#include "petsc/files/checksum.hpp"
#include "petsc/queries.hpp"
#include "petsc/ranks/agree.hpp"

#include <petscdmda.h>

#include <string>
#include <vector>

namespace gearshift {
namespace {

using petsc::check;
using petsc::Handle;

/// Returns the natural numbers of the owned entries of a DMDA's global Vec.
Handle<IS> numbers_of(DM grid) {
  Handle<Vec> natural, global;
  check(DMDACreateNaturalVector(grid, natural.out()));
  check(DMCreateGlobalVector(grid, global.out()));
  petsc::fill(natural.get(), [](PetscInt number) { return static_cast<PetscReal>(number); });
  check(DMDANaturalToGlobalBegin(grid, natural.get(), INSERT_VALUES, global.get()));
  check(DMDANaturalToGlobalEnd(grid, natural.get(), INSERT_VALUES, global.get()));
  const petsc::ReadView view(global.get());
  std::vector<PetscInt> numbers(view.begin(), view.end());
  Handle<IS> found;
  check(ISCreateGeneral(petsc::comm_of(grid), static_cast<PetscInt>(numbers.size()), numbers.data(), PETSC_COPY_VALUES,
                        found.out()));
  return found;
}

}  // namespace

NaturalOrder::NaturalOrder(Vec layout, IS given) {
  const MPI_Comm comm = petsc::comm_of(layout);
  const int rank = petsc::rank_of(comm);
  const PetscInt local = petsc::local_size_of(layout);
  const PetscInt global = petsc::size_of(layout);
  const PetscInt first = petsc::first_entry_of(layout);
  DM dm = nullptr;
  check(VecGetDM(layout, &dm));
  Handle<IS> numbers = given ? Handle<IS>::share(given) : petsc::is_of_type(dm, DMDA) ? numbers_of(dm) : Handle<IS>();
  renumbered_ = static_cast<bool>(numbers);
  std::uint64_t print = 0;
  if (renumbered_) {
    const std::vector<PetscInt> entries = petsc::indices_of(numbers.get());
    bool good = std::ssize(entries) == local;
    auto own = static_cast<std::uint64_t>(first);
    for (const PetscInt entry : entries) {
      good = good && entry >= 0 && entry < global;
      print ^= petsc::mixed(own++, static_cast<std::uint64_t>(entry));
    }
    petsc::throw_together(comm, good ? "" : "the natural numbering does not number the entries of the layout");
    check(VecCreateMPI(comm, PETSC_DECIDE, global, natural_.out()));
    Handle<IS> owned;
    check(ISCreateStride(comm, local, first, 1, owned.out()));
    check(VecScatterCreate(layout, owned.get(), natural_.get(), numbers.get(), scatter_.out()));
  } else {
    check(VecCreateMPI(comm, local, global, natural_.out()));
  }
  print ^= petsc::mixed(static_cast<std::uint64_t>(rank) << 32, static_cast<std::uint64_t>(first));
  MPI_Allreduce(MPI_IN_PLACE, &print, 1, MPI_UINT64_T, MPI_BXOR, comm);
  fingerprint_ = static_cast<std::int64_t>(print);
}

Vec NaturalOrder::from(Vec x) {
  if (!renumbered_) {
    check(VecCopy(x, natural_.get()));
    return natural_.get();
  }
  check(VecScatterBegin(scatter_.get(), x, natural_.get(), INSERT_VALUES, SCATTER_FORWARD));
  check(VecScatterEnd(scatter_.get(), x, natural_.get(), INSERT_VALUES, SCATTER_FORWARD));
  return natural_.get();
}

void NaturalOrder::into(Vec x) {
  if (!renumbered_) {
    check(VecCopy(natural_.get(), x));
    return;
  }
  check(VecScatterBegin(scatter_.get(), natural_.get(), x, INSERT_VALUES, SCATTER_REVERSE));
  check(VecScatterEnd(scatter_.get(), natural_.get(), x, INSERT_VALUES, SCATTER_REVERSE));
}

NaturalArchive::NaturalArchive(const CheckpointLayouts& layouts)
    : comm_(petsc::comm_of(layouts.motion)), order_(layouts.motion, layouts.natural) {
  if (layouts.internal && layouts.internal_numbering) internal_.emplace(layouts.internal, layouts.internal_numbering);
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
}

void NaturalArchive::vec(std::string_view name, Vec x) { convert(checkpoint::vec, name, x, order_); }

void NaturalArchive::internal(std::string_view name, Vec z) {
  if (internal_)
    convert(checkpoint::internal, name, z, *internal_);
  else
    Archive::internal(name, z);
}

void NaturalArchive::convert(std::string_view kind, std::string_view name, Vec x, NaturalOrder& order) {
  const PetscInt size = petsc::size_of(x);
  const PetscInt wanted = petsc::size_of(order.natural());
  if (size != wanted)
    throw IoError("checkpoint: the part '" + path(name) + "' has " + std::to_string(size) +
                  " entries, but the layout has " + std::to_string(wanted));
  if (!loading()) order.from(x);
  ordered(kind, name, order.natural());
  if (loading()) order.into(x);
}

}  // namespace gearshift
