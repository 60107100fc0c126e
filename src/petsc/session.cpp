#include <gearshift/petsc/session.hpp>

#include "petsc/options/option_files.hpp"
#include "petsc/print_capture.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

namespace gearshift {
namespace {

/// Returns true if every rank arrives here within a few seconds: then all of them have failed and can end regularly.
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

/// A separate communicator: calls that the body left unfinished on PETSC_COMM_WORLD cannot match the messages sent
/// here.
class OwnComm {
 public:
  explicit OwnComm(MPI_Comm comm) { MPI_Comm_dup(comm, &comm_); }
  ~OwnComm() {
    int finalized = 0;
    if (MPI_Finalized(&finalized) == MPI_SUCCESS && !finalized) MPI_Comm_free(&comm_);
  }
  OwnComm& operator=(OwnComm&&) = delete;
  MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// Prints the message once if all ranks arrive here; otherwise prints it from this rank and ends all ranks.
void report(MPI_Comm comm, const std::string& message) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  std::fflush(stdout);
  if (all_ranks_arrive(comm)) {
    if (rank == 0) std::fprintf(stderr, "error: %s\n", message.c_str());
    std::fflush(stderr);
    return;
  }
  std::fprintf(stderr, "error on rank %d: %s\n", rank, message.c_str());
  std::fflush(stderr);
  MPI_Abort(comm, 1);
}

/// Ends the program on all ranks before PETSc is initialized.
[[noreturn]] void leave() {
  int finalized = 0;
  if (MPI_Finalized(&finalized) == MPI_SUCCESS && !finalized) MPI_Finalize();
  std::exit(1);
}

}  // namespace

Session::Session(int& argc, char**& argv, const char* help) {
  PetscBool initialized = PETSC_FALSE;
  petsc::check(PetscInitialized(&initialized));
  if (initialized) return;
  int mpi = 0;
  MPI_Initialized(&mpi);
  if (!mpi) {
    int provided = 0;
    const int required = PETSC_MPI_THREAD_REQUIRED < 0 ? MPI_THREAD_FUNNELED : PETSC_MPI_THREAD_REQUIRED;
    MPI_Init_thread(&argc, &argv, required, &provided);
    owns_mpi_ = true;
  }
  const MPI_Comm comm = PETSC_COMM_WORLD == MPI_COMM_NULL ? MPI_COMM_WORLD : PETSC_COMM_WORLD;
  int rank = 0, refused = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) {
    const std::string text = petsc::option_file_error(argc, argv);
    refused = !text.empty();
    if (refused) std::fprintf(stderr, "error: %s\n", text.c_str());
  }
  MPI_Bcast(&refused, 1, MPI_INT, 0, comm);
  if (refused) leave();
  bool started = false;
  {
    const petsc::PrintCapture capture;
    started = PetscInitialize(&argc, &argv, nullptr, help) == 0;
  }
  if (!started) {
    const std::string message = petsc::PrintCapture::message();
    report(comm, "PETSc did not start: " + message + ". " +
                     (message.find("extra token") == std::string::npos
                          ? "Check the options and the contents of the option files"
                          : "Give each option on its own line, and put values with blanks in quotes"));
    leave();
  }
  owns_petsc_ = true;
}

Session::~Session() {
  // After an error, unused options do not indicate a mistake of the user.
  if (owns_petsc_ && failed_) (void)!PetscOptionsClear(nullptr);
  if (owns_petsc_) (void)!PetscFinalize();
  if (owns_mpi_) MPI_Finalize();
}

int Session::run(const std::function<void(MPI_Comm)>& body) {
  return run_to_code([&](MPI_Comm comm) {
    body(comm);
    return 0;
  });
}

int Session::run_to_code(const std::function<int(MPI_Comm)>& body) {
  const OwnComm own(PETSC_COMM_WORLD);
  std::string message;
  try {
    const petsc::ErrorCapture capture;
    return body(PETSC_COMM_WORLD);
  } catch (const std::exception& error) {
    message = error.what();
  } catch (...) {
    message = "an exception not derived from std::exception";
  }
  failed_ = true;
  report(own.get(), message);
  return 1;
}

}  // namespace gearshift
