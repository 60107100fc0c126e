// Saving and loading a BdfScheme through PETSc's HDF5 viewer.

#include <gearshift/dynamics/bdf_scheme.hpp>
#include <gearshift/petsc/views.hpp>

#include "petsc/queries.hpp"
#if defined(GEARSHIFT_HAVE_HDF5)
#include <petscviewerhdf5.h>
#endif
#include <petscdmda.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>

namespace gearshift {

#if defined(GEARSHIFT_HAVE_HDF5)

using petsc::check;
using petsc::Handle;

namespace {

/// Returns a word that identifies which rank owns which entries.
std::string layout_name(Vec layout) {
  const PetscInt* ranges = nullptr;
  const int ranks = petsc::ranks_of(petsc::comm_of(layout));
  check(VecGetOwnershipRanges(layout, &ranges));
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  for (int i = 0; i <= ranks; ++i) hash = (hash ^ static_cast<std::uint64_t>(ranges[i])) * 1099511628211ULL;
  return std::to_string(ranks) + " ranks, " + std::to_string(hash);
}

/// Returns true if VecView writes the entries in an order that does not depend on the ranks.
bool numbers_naturally(Vec layout) {
  DM dm = nullptr;
  check(VecGetDM(layout, &dm));
  return petsc::is_of_type(dm, DMDA);
}

Handle<PetscViewer> open(MPI_Comm comm, const std::string& file, PetscFileMode mode) {
  Handle<PetscViewer> viewer;
  check(PetscViewerCreate(comm, viewer.out()));
  check(PetscViewerSetType(viewer.get(), PETSCVIEWERHDF5));
  check(PetscViewerFileSetMode(viewer.get(), mode));
  check(PetscViewerFileSetName(viewer.get(), file.c_str()));
  return viewer;
}

/// Returns a named Vec of numbers that are all stored on the first rank.
Handle<Vec> table(MPI_Comm comm, const char* name, std::span<const PetscReal> values, int rank) {
  Handle<Vec> vec;
  check(VecCreateMPI(comm, rank == 0 ? static_cast<PetscInt>(values.size()) : 0, PETSC_DETERMINE, vec.out()));
  check(PetscObjectSetName(reinterpret_cast<PetscObject>(vec.get()), name));
  const petsc::WriteView view(vec.get());
  for (std::size_t i = 0; i < view.size(); ++i) view[i] = values[i];
  return vec;
}

std::string dataset(int k, int level) { return "x_" + std::to_string(k) + "_" + std::to_string(level); }

/// Runs `body` and converts PETSc's failures into IoErrors that name the file.
void with_file(const std::string& file, const char* action, const std::function<void()>& body) {
  const petsc::ErrorCapture capture;
  try {
    body();
  } catch (const PetscFailure& failure) {
    throw IoError(std::string(action) + " '" + file + "' failed: " + failure.what());
  }
}

}  // namespace

void BdfScheme::save(const std::string& file, const std::string& name) const {
  with_file(file, "writing the BDF history to", [&] {
    const MPI_Comm comm = petsc::comm_of(layout_.get());
    const int rank = petsc::rank_of(comm);
    int exists = 0;
    if (rank == 0) exists = std::filesystem::exists(file) ? 1 : 0;
    MPI_Bcast(&exists, 1, MPI_INT, 0, comm);
    const Handle<PetscViewer> viewer = open(comm, file, exists ? FILE_MODE_UPDATE : FILE_MODE_WRITE);
    check(PetscViewerHDF5PushGroup(viewer.get(), ("/" + name).c_str()));
    const PetscInt slots = static_cast<PetscInt>(ring_.size());
    std::vector<PetscReal> steps(BdfScheme::max_order + 3, 0), times(BdfScheme::max_order + 3, 0);
    for (int k = 0; k < size_; ++k) {
      const PetscInt from = (newest_ + 1 - (size_ - k) + slots) % slots;
      steps[k] = steps_[from];
      times[k] = times_[from];
      for (int level = 0; level < levels_; ++level) {
        Vec x = slot(size_ - k, level);
        check(PetscObjectSetName(reinterpret_cast<PetscObject>(x), dataset(k, level).c_str()));
        check(VecView(x, viewer.get()));
      }
    }
    check(VecView(table(comm, "steps", steps, rank).get(), viewer.get()));
    check(VecView(table(comm, "times", times, rank).get(), viewer.get()));
    const PetscInt levels = levels_, order = order_, size = size_;
    const std::string layout = layout_name(layout_.get());
    check(PetscViewerHDF5WriteAttribute(viewer.get(), "steps", "levels", PETSC_INT, &levels));
    check(PetscViewerHDF5WriteAttribute(viewer.get(), "steps", "order", PETSC_INT, &order));
    check(PetscViewerHDF5WriteAttribute(viewer.get(), "steps", "size", PETSC_INT, &size));
    check(PetscViewerHDF5WriteAttribute(viewer.get(), "steps", "layout", PETSC_STRING, layout.c_str()));
    check(PetscViewerHDF5PopGroup(viewer.get()));
  });
}

void BdfScheme::load(const std::string& file, const std::string& name, bool rank_independent_numbering) {
  const MPI_Comm comm = petsc::comm_of(layout_.get());
  const int rank = petsc::rank_of(comm);
  int exists = 0;
  if (rank == 0) exists = std::filesystem::exists(file) ? 1 : 0;
  MPI_Bcast(&exists, 1, MPI_INT, 0, comm);
  if (!exists) throw IoError("file '" + file + "' with the BDF history does not exist");
  with_file(file, "reading the BDF history from", [&] {
    const Handle<PetscViewer> viewer = open(comm, file, FILE_MODE_READ);
    check(PetscViewerHDF5PushGroup(viewer.get(), ("/" + name).c_str()));
    PetscInt levels = 0, order = 0, size = 0;
    const char* layout = nullptr;
    check(PetscViewerHDF5ReadAttribute(viewer.get(), "steps", "levels", PETSC_INT, nullptr, &levels));
    check(PetscViewerHDF5ReadAttribute(viewer.get(), "steps", "order", PETSC_INT, nullptr, &order));
    check(PetscViewerHDF5ReadAttribute(viewer.get(), "steps", "size", PETSC_INT, nullptr, &size));
    check(PetscViewerHDF5ReadAttribute(viewer.get(), "steps", "layout", PETSC_STRING, nullptr, &layout));
    const std::string written = layout ? layout : "";
    check(PetscFree(layout));
    if (levels != levels_)
      throw IoError("'" + file + "' holds an ODE of order " + std::to_string(levels) + ", not " +
                    std::to_string(levels_));
    if (written != layout_name(layout_.get()) && !rank_independent_numbering && !numbers_naturally(layout_.get()))
      throw IoError("'" + file + "' was written with another distribution over ranks (" + written +
                    "): run on the same number of ranks, use vectors of a DMDA, or declare that your numbering does "
                    "not depend on it");
    set_order(static_cast<int>(order));
    const Handle<Vec> steps = table(comm, "steps", std::vector<PetscReal>(max_order + 3), rank);
    const Handle<Vec> times = table(comm, "times", std::vector<PetscReal>(max_order + 3), rank);
    check(VecLoad(steps.get(), viewer.get()));
    check(VecLoad(times.get(), viewer.get()));
    std::array<std::array<PetscReal, max_order + 3>, 2> numbers{};
    if (rank == 0) {
      const petsc::ReadView step_view(steps.get()), time_view(times.get());
      std::copy(step_view.begin(), step_view.end(), numbers[0].begin());
      std::copy(time_view.begin(), time_view.end(), numbers[1].begin());
    }
    for (auto& row : numbers) MPI_Bcast(row.data(), static_cast<int>(row.size()), MPIU_REAL, 0, comm);
    size_ = static_cast<int>(std::min<PetscInt>(size, static_cast<PetscInt>(ring_.size()) - 1));
    newest_ = size_ - 1;
    step_order_ = 0;
    for (int k = 0; k < size_; ++k) {
      const int from = static_cast<int>(size) - size_ + k;  // only the newest ones, if they do not all fit
      steps_[k] = numbers[0][from];
      times_[k] = numbers[1][from];
      for (int level = 0; level < levels_; ++level) {
        check(PetscObjectSetName(reinterpret_cast<PetscObject>(ring_[k][level].get()), dataset(from, level).c_str()));
        check(VecLoad(ring_[k][level].get(), viewer.get()));
      }
    }
    time_ = times_[newest_];
    check(PetscViewerHDF5PopGroup(viewer.get()));
  });
}

#else

void BdfScheme::save(const std::string& file, const std::string&) const {
  throw IoError("'" + file + "' cannot be written: this needs HDF5, and gearshift was built without it");
}

void BdfScheme::load(const std::string& file, const std::string&, bool) {
  throw IoError("'" + file + "' cannot be read: this needs HDF5, and gearshift was built without it");
}

#endif

void BdfScheme::archive(Archive& state) {
  const Archive::Group group(state, "history");
  int order = order_, size = size_, kept = kept_;
  state("order", order);
  state("size", size);
  state("kept", kept);
  if (state.loading()) {
    set_order(order);
    reserve(kept - 2);
    kept_ = kept;
    size_ = size;
    newest_ = size - 1;
    step_order_ = 0;
  }
  state("time", time_);
  for (int age = size_; age >= 1; --age) {
    const int slots = static_cast<int>(ring_.size()), at = (newest_ + 1 - age + slots) % slots;
    const Archive::Group of_state(state, "state_" + std::to_string(size_ - age));
    state("step", steps_[at]);
    state("time", times_[at]);
    for (int level = 0; level < levels_; ++level) state.vec("derivative_" + std::to_string(level), slot(age, level));
  }
}

}  // namespace gearshift
