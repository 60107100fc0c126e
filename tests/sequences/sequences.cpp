// Random sequences of calls. Calls that must not change a motion are made in one run and left out in another; all
// numbers that the steps return must be bitwise equal.

#include <gearshift/petsc/session.hpp>

#include "sequences/player.hpp"
#include "sequences/relations.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

using sequences::Sequence;

char hang_message[160];

void say_hang(int) {
  (void)!write(STDERR_FILENO, hang_message, std::strlen(hang_message));
  _exit(3);
}

/// Returns the first error of a sequence, from the first rank that has one, or an empty text. Collective.
std::string fault(const Sequence& sequence) {
  std::snprintf(hang_message, sizeof hang_message, "sequence %llu hangs\n",
                static_cast<unsigned long long>(sequence.seed));
  alarm(120);
  std::string found;
  {
    sequences::Player plain(sequence, true), full(sequence, false);
    plain.play();
    full.play();
    found = full.faults.empty() ? difference(plain.seen, full.seen) : full.faults.front();
    if (found.empty() && !plain.faults.empty()) found = plain.faults.front();
    int any = found.empty() ? 0 : 1;
    MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
    if (any == 0) found = event_as_stop(sequence);
  }
  alarm(0);
  int rank = 0, size = 1;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  int first = found.empty() ? size : rank;
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, PETSC_COMM_WORLD);
  if (first == size) return {};
  std::string text = "rank " + std::to_string(first) + ": " + found;
  auto length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, first, PETSC_COMM_WORLD);
  text.resize(static_cast<std::size_t>(length));
  MPI_Bcast(text.data(), length, MPI_CHAR, first, PETSC_COMM_WORLD);
  return text;
}

/// Leaves out everything that is not needed for the failure.
Sequence shrink(Sequence failing) {
  const auto keep_if_failing = [&](const Sequence& smaller) {
    if (fault(smaller).empty()) return false;
    failing = smaller;
    return true;
  };
  for (std::size_t part = std::max<std::size_t>(failing.calls.size() / 2, 1); part >= 1; part /= 2)
    for (std::size_t i = 0; i < failing.calls.size();) {
      Sequence smaller = failing;
      const auto begin = smaller.calls.begin() + static_cast<std::ptrdiff_t>(i);
      smaller.calls.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(part, smaller.calls.size() - i)));
      if (!keep_if_failing(smaller)) i += part;
    }
  for (std::size_t i = 0; i < failing.events.size();) {
    Sequence smaller = failing;
    smaller.events.erase(smaller.events.begin() + static_cast<std::ptrdiff_t>(i));
    if (!keep_if_failing(smaller)) ++i;
  }
  for (std::size_t i = 0; i < failing.calls.size(); ++i)
    while (failing.calls[i].count > 1) {
      Sequence smaller = failing;
      --smaller.calls[i].count;
      if (!keep_if_failing(smaller)) break;
    }
  Sequence smaller = failing;
  smaller.dress = sequences::Dress::constructor;
  (void)keep_if_failing(smaller);
  return failing;
}

}  // namespace

int main(int argc, char** argv) {
  unsigned long long first = 0, count = 1;
  std::string keys;  // for both runs, for example " -snes_monitor"
  bool shrinks = true, tells = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--first" && i + 1 < argc)
      first = std::strtoull(argv[++i], nullptr, 10);
    else if (word == "--count" && i + 1 < argc)
      count = std::strtoull(argv[++i], nullptr, 10);
    else if (word == "--no-shrink")
      shrinks = false;
    else if (word == "--keys" && i + 1 < argc)
      keys = argv[++i];
    else if (word == "--verbose")
      tells = true;
  }
  int one = 1;
  gearshift::Session session(one, argv);
  std::signal(SIGALRM, say_hang);
  int size = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  unsigned long long failures = 0;
  for (unsigned long long seed = first; seed < first + count; ++seed) {
    Sequence sequence = sequences::draw(seed);
    sequence.solver += keys;
    if (tells) (void)PetscPrintf(PETSC_COMM_WORLD, "%llu: %s\n", seed, describe(sequence).c_str());
    const std::string text = fault(sequence);
    if (text.empty()) continue;
    ++failures;
    (void)PetscPrintf(PETSC_COMM_WORLD, "seed %llu on %d ranks: %s\n", seed, size, text.c_str());
    if (shrinks) {
      sequence = shrink(sequence);
      (void)PetscPrintf(PETSC_COMM_WORLD, "  smallest: %s\n  %s\n", fault(sequence).c_str(),
                        describe(sequence).c_str());
    }
    (void)PetscPrintf(PETSC_COMM_WORLD, "  repeat: mpirun -n %d %s --first %llu --count 1\n", size, argv[0], seed);
  }
  (void)PetscPrintf(PETSC_COMM_WORLD, "%llu sequences, %llu of them failed\n", count, failures);
  return failures > 0 ? 1 : 0;
}
