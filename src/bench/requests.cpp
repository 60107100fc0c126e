#include "bench/requests.hpp"

#include <gearshift/petsc/error.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <thread>

namespace gearshift::bench {
namespace {

/// Broadcasts the first rank's number to all ranks; they sleep until it arrives.
int broadcast_quietly(MPI_Comm comm, int number) {
  MPI_Request request = MPI_REQUEST_NULL;
  int here = 0;
  MPI_Ibcast(&number, 1, MPI_INT, 0, comm, &request);
  for (MPI_Test(&request, &here, MPI_STATUS_IGNORE); !here; MPI_Test(&request, &here, MPI_STATUS_IGNORE))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return number;
}

}  // namespace

int next_request(MPI_Comm comm, const std::vector<std::string>& names) {
  int index = -1, rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (std::string line; rank == 0 && std::getline(std::cin, line))
    index = static_cast<int>(std::find(names.begin(), names.end(), line) - names.begin());
  index = broadcast_quietly(comm, index);
  if (index < static_cast<int>(names.size())) return index;
  std::string known;
  for (const auto& name : names) known += (known.empty() ? "" : ", ") + name;
  throw IoError("standard input contains an unknown name; give on each line one of " + known);
}

}  // namespace gearshift::bench
