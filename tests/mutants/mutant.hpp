#pragma once

/// @file
/// One build of the library with many mutants, one of which is selected by the environment: `GEARSHIFT_MUTANT` is
/// its number. `GEARSHIFT_MUTANTS_REACHED` names a file in which the byte of each mutant whose line is executed is
/// set to 1, in any process.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

namespace gearshift_mutants {

constexpr int most = 4096;

struct Run {
  int chosen = -1;
  unsigned char* reached = nullptr;

  Run() {
    if (const char* number = std::getenv("GEARSHIFT_MUTANT")) chosen = std::atoi(number);
    const char* file = std::getenv("GEARSHIFT_MUTANTS_REACHED");
    const int descriptor = file ? open(file, O_RDWR) : -1;
    if (descriptor < 0) return;
    // Shared with the file, so that a killed process also leaves its marks.
    void* bytes = mmap(nullptr, most, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (bytes != MAP_FAILED) reached = static_cast<unsigned char*>(bytes);
    close(descriptor);
  }
};

inline bool is(int number) {
  static Run run;
  if (run.reached) run.reached[number] = 1;
  return run.chosen == number;
}

template <class T>
T either(int number, T usual, T mutated) {
  return is(number) ? mutated : usual;
}

}  // namespace gearshift_mutants

#define MUTANT(number) gearshift_mutants::is(number)
#define MUTANT_EITHER(number, usual, mutated) gearshift_mutants::either(number, usual, mutated)
