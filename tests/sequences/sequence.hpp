#pragma once

#include "sequences/random_system.hpp"

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

/// A system, settings, and calls of the Stepper, drawn from a seed.
namespace sequences {

/// Uniform random numbers that do not depend on the standard library.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed * 0x9e3779b97f4a7c15ULL + 1) { engine_.discard(8); }
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  /// Returns a number with a uniformly distributed logarithm.
  double scale(double low, double high) { return low * std::pow(high / low, uniform(0, 1)); }
  int integer(int low, int high) {
    return low + static_cast<int>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(double p) { return uniform(0, 1) < p; }

 private:
  std::mt19937_64 engine_;
};

enum class Kind {
  // These may change the motion, and are made by both runs.
  steps,
  advance,
  set_dt,
  set_order,
  set_tolerances,
  set_tolerances_by_vec,
  discontinuity,
  begin_again,
  set_velocity,
  statics,
  acceleration,
  refuse,  ///< a step whose first attempts are invalid on some ranks
  poison,  ///< a step in which a callback throws on some ranks
  // These must not change it, and are made by one run only.
  read,
  snapshot,
  excursion,  ///< steps and changes that are undone by restoring a snapshot or a file
  transfer,   ///< the run continues in a new stepper, from a snapshot or a file
  outputs,
  other,  ///< steps of another stepper
};

/// A call, with numbers whose meaning depends on its kind.
struct Call {
  Kind kind;
  int count = 1;
  double x = 1;
  unsigned how = 0;
};

struct EventRecipe {
  enum class Act { note, keep, kick, end } act = Act::note;
  int entry = 0;  ///< index into v if odd, into q otherwise; negative: time
  double level = 0;
  int direction = 0;
};

/// The way in which the stepper gets the settings; each one must lead to the same run.
enum class Dress { constructor, keys, setters_before_start, setters_after_start, twice };

struct Sequence {
  std::uint64_t seed = 0;
  Recipe recipe, other;
  gearshift::StepperOptions options, other_options;
  std::string solver;  ///< option keys
  Dress dress = Dress::constructor;
  bool ledger = false;
  std::vector<EventRecipe> events;
  /// Event functions are invalid in longer steps, on the ranks of the system's mask.
  double events_longest = std::numeric_limits<double>::infinity();
  std::vector<Call> calls;
};

Sequence draw(std::uint64_t seed);
/// Returns one readable line: the kind with its numbers.
std::string to_string(const Call& call);
std::string describe(const Sequence& sequence);

}  // namespace sequences
