#include <gearshift/petsc/session.hpp>

#include "petsc/files/hdf5_file.hpp"

#include <gtest/gtest.h>
#include <petscsys.h>

#include <array>
#include <cstdio>
#include <cstring>

namespace {

/// Prints the failures of every rank with the rank; the default printer is used on rank 0 only. Distinguishes failures
/// from those which only report that gearshift was built without HDF5.
class RankListener : public testing::EmptyTestEventListener {
 public:
  explicit RankListener(int rank) : rank_(rank) {}
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    const bool no_hdf5 = !gearshift::petsc::Hdf5File::available() &&
                         std::strstr(result.message(), "needs HDF5, and gearshift was built without it");
    (no_hdf5 ? lacking : failed) = 1;
    std::fprintf(stderr, "[rank %d] %s:%d: %s\n", rank_, result.file_name() ? result.file_name() : "?",
                 result.line_number(), result.message());
  }

  int failed = 0, lacking = 0;

 private:
  int rank_;
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  gearshift::Session session(argc, argv);
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  if (rank != 0) delete listeners.Release(listeners.default_result_printer());
  auto* results = new RankListener(rank);
  listeners.Append(results);
  const bool passed = RUN_ALL_TESTS() == 0;
  std::array<int, 2> any{results->failed || (!passed && !results->lacking), results->lacking};
  MPI_Allreduce(MPI_IN_PLACE, any.data(), 2, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
  constexpr int skipped = 77;
  return any[0] ? 1 : any[1] ? skipped : 0;
}
