#include <gearshift/petsc/session.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

namespace gearshift {
namespace {

/// Whether every rank comes here within a few seconds: then all of them failed, and may end in good order.
bool all_ranks_arrive(MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  int done = 0;
  if (MPI_Ibarrier(comm, &request) != MPI_SUCCESS) return false;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (std::chrono::steady_clock::now() < deadline) {
    if (MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
    if (done) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

}  // namespace

Session::Session(int& argc, char**& argv, const char* help) {
  PetscBool initialized = PETSC_FALSE;
  petsc::check(PetscInitialized(&initialized));
  if (initialized) return;
  std::string message;
  {
    const petsc::ErrorCapture capture;
    try {
      petsc::check(PetscInitialize(&argc, &argv, nullptr, help));
    } catch (const Error& error) {
      message = error.what();
    }
  }
  if (!message.empty()) {
    // Without PETSc nothing else can run. The option file is read on the first rank only, so the others wait for it.
    std::fprintf(stderr, "error: PETSc did not start: %s. Check the options and the path of -options_file\n",
                 message.c_str());
    int mpi = 0;
    if (MPI_Initialized(&mpi) == MPI_SUCCESS && mpi) MPI_Abort(MPI_COMM_WORLD, 1);
    std::exit(1);
  }
  owns_petsc_ = true;
}

Session::~Session() {
  // After an error unused options say nothing about the user's input.
  if (owns_petsc_ && failed_) (void)!PetscOptionsClear(nullptr);
  if (owns_petsc_) (void)!PetscFinalize();
}

int Session::run(const std::function<void(MPI_Comm)>& body) {
  const MPI_Comm comm = PETSC_COMM_WORLD;
  std::string message;
  try {
    const petsc::ErrorCapture capture;
    body(comm);
    return 0;
  } catch (const std::exception& error) {
    message = error.what();
  } catch (...) {
    message = "an exception that is no std::exception";
  }
  failed_ = true;
  int rank = 0, size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  std::fflush(stdout);
  if (size == 1 || all_ranks_arrive(comm)) {
    if (rank == 0) std::fprintf(stderr, "error: %s\n", message.c_str());
    std::fflush(stderr);
    return 1;
  }
  std::fprintf(stderr, "error on rank %d: %s\n", rank, message.c_str());
  std::fflush(stderr);
  MPI_Abort(comm, 1);
  return 1;
}

}  // namespace gearshift
