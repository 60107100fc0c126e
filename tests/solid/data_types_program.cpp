// Every MPI data type that was made for the exchange between ranks is freed at the latest by MPI_Finalize().
#include <gearshift/gearshift.hpp>
#include <gearshift/solid/space.hpp>

#include <cstdio>
#include <set>

namespace {

using namespace gearshift;

std::set<MPI_Datatype> alive;
int made = 0;

void exchange(MPI_Comm comm) {
  const solid::Space space(solid::Mesh::from_options(comm), 2);
  std::vector<PetscReal> values(3 * static_cast<std::size_t>(space.local_nodes()));
  PetscReal* const ghosts = values.data() + 3 * space.owned_nodes();
  space.node_exchange().ghosts_begin(values.data(), ghosts);
  space.node_exchange().ghosts_end(values.data(), ghosts);
}

}  // namespace

// Called instead of the functions of MPI, which also have names with a P.
int MPI_Type_contiguous(int count, MPI_Datatype of, MPI_Datatype* type) {
  const int code = PMPI_Type_contiguous(count, of, type);
  alive.insert(*type);
  ++made;
  return code;
}

int MPI_Type_free(MPI_Datatype* type) {
  alive.erase(*type);
  return PMPI_Type_free(type);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, failed = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int life = 0; life < 2; ++life) {
    Session session(argc, argv);
    failed += session.run(exchange);
  }
  MPI_Finalize();
  if (failed != 0 || made == 0 || !alive.empty()) {
    std::printf("rank %d: %d failed; %d data types made, %zu not freed\n", rank, failed, made, alive.size());
    return 1;
  }
  if (rank == 0) std::printf("all data types were freed\n");
  return 0;
}
