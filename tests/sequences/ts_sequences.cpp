// Random sequences for programs of PETSc's interface: calls of a TS of type gear that must not change the motion.

#include <gearshift/petsc/session.hpp>

#include "sequences/ts_player.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace ts_sequences;

char hang_message[160];
unsigned long long errors = 0;  ///< sequences in which both runs end with an error

void say_hang(int) {
  (void)!write(STDERR_FILENO, hang_message, std::strlen(hang_message));
  _exit(3);
}

/// Returns the difference of the observations i.
std::string difference(std::size_t i, const std::vector<Values>& plain, const std::vector<Values>& full) {
  std::ostringstream text;
  text.precision(17);
  text << "observation " << i << " of " << plain.size();
  if (i >= full.size()) return text.str() + " is missing";
  for (std::size_t j = 0; j < std::min(plain[i].size(), full[i].size()); ++j)
    if (plain[i][j] != full[i][j]) {
      text << ": number " << j << " is " << plain[i][j] << ", with the other calls " << full[i][j];
      return text.str();
    }
  return text.str() + ": another number of values";
}

std::string fault(const Case& c, const std::vector<Call>& calls) {
  std::string text, ends[2];
  std::vector<Values> plainly, fully;
  alarm(60);
  Player plain(c, true), full(c, false);
  for (Player* one : {&plain, &full}) try {
      for (const Call& call : calls) one->play(call);
    } catch (const std::exception& error) {  // a system may be too difficult for both runs
      ends[one == &plain ? 0 : 1] = error.what();
    }
  text = full.faults;
  if (!ends[0].empty()) ++errors;
  if (ends[0] != ends[1]) text = "ends with '" + ends[0] + "', with the other calls '" + ends[1] + "'";
  plainly = std::move(plain.seen);
  fully = std::move(full.seen);
  alarm(0);
  for (std::size_t i = 0; text.empty() && i < plainly.size(); ++i)
    if (i >= fully.size() || plainly[i] != fully[i]) text = difference(i, plainly, fully);
  int failed = text.empty() ? 0 : 1;
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
  return failed != 0 && text.empty() ? "on another rank" : text;
}

}  // namespace

int main(int argc, char** argv) {
  unsigned long long first = 0, count = 1;
  std::string keys;  // for both runs, for example " -snes_monitor"
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::string(argv[i]) == "--first") first = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::string(argv[i]) == "--count") count = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::string(argv[i]) == "--keys") keys = argv[i + 1];
  }
  int one = 1;
  gearshift::Session session(one, argv);
  check(GearshiftInitializePackage());
  std::signal(SIGALRM, say_hang);
  check(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr));  // PETSc's own handler ends all ranks but the first
  int size = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  unsigned long long failures = 0;
  for (unsigned long long seed = first; seed < first + count; ++seed) {
    std::snprintf(hang_message, sizeof hang_message, "sequence %llu hangs\n", seed);
    Dice dice(seed);
    Case c = draw_case(dice);
    c.keys += keys;
    std::vector<Call> calls;
    for (int i = dice.integer(4, 12); i > 0; --i) {
      const int kind = dice.chance(0.3) ? dice.integer(0, 1) : dice.integer(0, static_cast<int>(Kind::count) - 1);
      calls.push_back({static_cast<Kind>(kind), dice.integer(1, 25), static_cast<unsigned>(dice.integer(0, 4095)),
                       dice.uniform(0, 1)});
    }
    calls.push_back({Kind::steps, c.first_order ? 100 : 20, 0, 0});
    std::string text = fault(c, calls);
    if (text.empty()) continue;
    ++failures;
    for (std::size_t i = 0; i < calls.size();) {
      std::vector<Call> fewer = calls;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      const std::string shorter = fault(c, fewer);
      if (shorter.empty()) {
        ++i;
      } else {
        calls = fewer;
        text = shorter;
      }
    }
    (void)PetscPrintf(PETSC_COMM_WORLD, "seed %llu on %d ranks: %s\n  order %d, %d unknowns, keys%s\n", seed, size,
                      text.c_str(), c.first_order ? 1 : 2, c.recipe.n, c.keys.c_str());
    for (const Call& call : calls) (void)PetscPrintf(PETSC_COMM_WORLD, "    %s\n", to_string(call).c_str());
    (void)PetscPrintf(PETSC_COMM_WORLD, "  repeat: mpirun -n %d %s --first %llu --count 1\n", size, argv[0], seed);
  }
  (void)PetscPrintf(PETSC_COMM_WORLD, "%llu sequences, %llu of them failed, %llu ended with an error\n", count,
                    failures, errors);
  return failures > 0 ? 1 : 0;
}
