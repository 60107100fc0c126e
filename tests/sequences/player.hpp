#pragma once

#include "sequences/sequence.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sequences {

/// The outcome of a call: named numbers, and the text of an exception.
struct Seen {
  std::string call, words;
  std::vector<std::pair<std::string, double>> numbers;
};

/// Returns the first difference of two lists, or an empty text.
std::string difference(const std::vector<Seen>& plain, const std::vector<Seen>& full);

/// A stepper with everything that it needs, ready for its first step.
class Machine {
 public:
  /// @param t approximate time at which the motion starts or continues
  Machine(const Recipe& recipe, const gearshift::StepperOptions& options, const Sequence& sequence, Dress dress,
          const std::string& prefix, std::vector<Seen>* seen, double t = 0);
  void begin(double t, const Values& q, const Values& v);
  /// Its state, including the settings, is restored from another machine.
  void settle() { dress_ = Dress::constructor; }
  gearshift::Stepper& stepper() { return *stepper_; }
  RandomSystem& system() { return *system_; }
  const Recipe& recipe() const { return system_->recipe(); }
  Vec tolerance(double value);
  /// Calls that changed settings, to be repeated on a stepper that is created later.
  std::vector<std::function<void(Machine&)>> settings;

 private:
  void add_events(const Sequence& sequence, std::vector<Seen>* seen);
  std::unique_ptr<RandomSystem> system_;
  std::unique_ptr<HandingSystem> handing_;  ///< if no override calls its base
  std::unique_ptr<gearshift::Stepper> stepper_;
  std::vector<Handle<Vec>> tolerances_;
  gearshift::StepperOptions right_;
  Dress dress_;
};

/// Makes the calls of a sequence: all of them, or only those that may change the motion.
class Player {
 public:
  Player(const Sequence& sequence, bool plain);
  ~Player();
  void play();
  std::vector<Seen> seen;
  /// Violations of guarantees during the run.
  std::vector<std::string> faults;

 private:
  void play(const Call& call);
  void change(const Call& call);
  void keep(const Call& call);
  std::unique_ptr<Machine> make(double t);
  void watch_length(const gearshift::StepReport& report, double too_long);
  void attempt(const std::string& name, const std::function<void(Seen&)>& body);
  void steps(const std::string& name, int count);
  void set(std::function<void(Machine&)> setting);
  void disturbed_step(const Call& call);
  void begin_again(const Call& call);
  void read(const Call& call);
  void excursion(const Call& call);
  void transfer(const Call& call);
  void wander(const Call& call);
  void expect_same(const gearshift::Snapshot& before, const std::string& after);

  const Sequence& sequence_;
  bool plain_;
  double longest_ = 0;  ///< maximum of the next step after one that was too long; 0: unknown
  std::string file_;
  std::unique_ptr<Machine> machine_, other_;
};

}  // namespace sequences
