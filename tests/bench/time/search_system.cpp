#include "search_system.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <random>

namespace bench {
namespace {

using std::numbers::pi;

constexpr double most_fast_periods = 600, lasting = 2.5e-3;  // damping ratio that leaves 1e-4 after these periods

/// The distributions of std differ between libraries; its generators and seeds do not.
class Dice {
 public:
  Dice(unsigned long seed, unsigned long index) {
    std::seed_seq sequence{seed, index};
    generator_.seed(sequence);
  }
  double uniform(double a, double b) { return a + (b - a) * static_cast<double>(generator_() >> 11) * 0x1p-53; }
  double log_uniform(double a, double b) { return a * std::pow(b / a, uniform(0, 1)); }
  bool chance(double p) { return uniform(0, 1) < p; }
  int whole(int a, int b) { return a + static_cast<int>(uniform(0, b - a + 1)); }
  double normal() { return std::sqrt(-2 * std::log(1 - uniform(0, 1))) * std::cos(uniform(0, 2 * pi)); }

  double damping_ratio() {
    if (chance(0.2)) return 0;
    return chance(0.5) ? log_uniform(1e-4, 0.1) : uniform(0, 0.1);
  }
  Eigen::MatrixXd rotation(int n) {
    Eigen::MatrixXd gauss(n, n);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) gauss(i, j) = normal();
    return Eigen::HouseholderQR<Eigen::MatrixXd>(gauss).householderQ();
  }

 private:
  std::mt19937_64 generator_;
};

void vibrate(Mode& mode, double amplitude, Dice& dice) {
  const double phase = dice.uniform(0, 2 * pi);
  mode.z0 += amplitude * std::cos(phase);
  mode.v0 += amplitude * mode.frequency * std::sin(phase);
}

std::vector<Mode> one_mode(double slow, Dice& dice) {
  Mode mode{slow, dice.damping_ratio()};
  if (dice.chance(0.5)) {
    vibrate(mode, 1, dice);
    return {mode};
  }
  mode.load = slow * slow;
  mode.load_frequency = slow * dice.log_uniform(0.2, 5);
  mode.load_phase = dice.uniform(0, 2 * pi);
  if (dice.chance(0.3)) mode.start_steady();
  return {mode};
}

std::vector<Mode> slow_and_fast(double slow, double fast_amplitude, Dice& dice) {
  Mode driven{slow, dice.damping_ratio()};
  driven.load = slow * slow;
  driven.load_frequency = slow * dice.log_uniform(0.2, 3);
  driven.load_phase = dice.uniform(0, 2 * pi);
  const bool steady = dice.chance(0.5);
  if (steady) driven.start_steady();
  Mode fast{slow * dice.log_uniform(10, 1000), dice.damping_ratio()};
  vibrate(fast, fast_amplitude * driven.steady_size(), dice);
  return {driven, fast};
}

std::vector<Mode> many_modes(double slow, std::string& damped, Dice& dice) {
  std::vector<Mode> modes(static_cast<std::size_t>(dice.whole(3, 10)));
  const double range = dice.log_uniform(2, 100);
  const bool loaded = dice.chance(0.5);
  for (Mode& mode : modes) mode.frequency = slow * dice.log_uniform(1, range);
  modes.front().frequency = slow;
  modes.back().frequency = slow * range;
  const std::array kinds{"uniform", "rayleigh", "random"};
  const int kind = dice.whole(0, 2);
  damped = kinds[static_cast<std::size_t>(kind)];
  const double first = dice.damping_ratio(), last = dice.damping_ratio();
  // zeta = a / w + b w with `first` at the slowest and `last` at the fastest mode; if that requires a negative factor,
  // only the other one is used.
  const double squares = range * range - 1;
  double a = slow * (first * range * range - last * range) / squares, b = (last * range - first) / (slow * squares);
  if (a < 0) a = 0, b = last / (slow * range);
  if (b < 0) b = 0, a = first * slow;
  const double decay = dice.uniform(0.5, 2), load_frequency = slow * dice.log_uniform(0.2, range);
  const double load_phase = dice.uniform(0, 2 * pi);
  for (Mode& mode : modes) {
    mode.damping = kind == 0 ? first : kind == 1 ? a / mode.frequency + b * mode.frequency : dice.damping_ratio();
    if (loaded) {
      mode.load = slow * slow * dice.uniform(-1, 1);
      mode.load_frequency = load_frequency;
      mode.load_phase = load_phase;
    }
    vibrate(mode, std::pow(mode.frequency / slow, -decay) * dice.uniform(0, loaded ? 0.3 : 1), dice);
  }
  return modes;
}

/// Beats: modes within a tenth of one frequency, free or under one load between them.
std::vector<Mode> close_modes(double slow, Dice& dice) {
  std::vector<Mode> modes(static_cast<std::size_t>(dice.whole(2, 5)));
  const double range = 1 + dice.log_uniform(0.01, 0.1), load_frequency = slow * dice.uniform(1, range);
  const bool loaded = dice.chance(0.5);
  const double damping = dice.damping_ratio();
  for (Mode& mode : modes) {
    mode.frequency = slow * dice.uniform(1, range);
    mode.damping = damping;
    if (loaded) {
      mode.load = slow * slow * 0.1 * dice.uniform(-1, 1);
      mode.load_frequency = load_frequency;
    } else {
      vibrate(mode, dice.uniform(0.2, 1), dice);
    }
  }
  modes.front().frequency = slow;
  return modes;
}

/// A load that acts suddenly, at rest: its response falls with the frequency.
std::vector<Mode> sudden_load(double slow, Dice& dice) {
  std::vector<Mode> modes(static_cast<std::size_t>(dice.whole(3, 10)));
  const double range = dice.log_uniform(3, 300), first = dice.damping_ratio(), last = dice.damping_ratio();
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(modes.size() - 1);
    modes[i].frequency = slow * std::pow(range, part);
    modes[i].damping = first + part * (last - first);
    modes[i].load = slow * slow * (i == 0 ? 1 : dice.uniform(-1, 1));
  }
  return modes;
}

/// Stiffness-proportional damping that lets the fast modes creep: damping ratios up to 100.
std::vector<Mode> creeping_modes(double slow, Dice& dice) {
  std::vector<Mode> modes(static_cast<std::size_t>(dice.whole(2, 8)));
  const double range = dice.log_uniform(10, 1000), last = dice.log_uniform(1.1, 100);
  const double load_frequency = slow * dice.log_uniform(0.2, 3);
  const bool loaded = dice.chance(0.5);
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(modes.size() - 1);
    modes[i].frequency = slow * std::pow(range, part);
    modes[i].damping = last * std::pow(range, part - 1);
    if (loaded) {
      modes[i].load = slow * slow * dice.uniform(-1, 1);
      modes[i].load_frequency = load_frequency;
    }
    vibrate(modes[i], std::pow(range, -part) * dice.uniform(0, 1), dice);
  }
  return modes;
}

}  // namespace

Eigen::Vector2d Mode::steady(double t) const {
  using namespace std::complex_literals;
  if (load == 0) return {0, 0};
  const std::complex<double> receptance =
      1.0 / (frequency * frequency - load_frequency * load_frequency + 2i * damping * frequency * load_frequency);
  const std::complex<double> z = receptance * load * std::exp(1i * (load_frequency * t + load_phase));
  return {z.real(), (1i * load_frequency * z).real()};
}

Eigen::Vector2d Mode::at(double t) const {
  const Eigen::Vector2d start = Eigen::Vector2d(z0, v0) - steady(0);
  // The motion A e^(fast t) + B e^(slow t), with the roots of x^2 + 2 zeta w x + w^2; the second one without cancellation.
  const std::complex<double> fast = -frequency * (damping + std::sqrt(std::complex<double>(damping * damping - 1)));
  const std::complex<double> slow = frequency * frequency / fast;
  const std::complex<double> a = (start[1] - slow * start[0]) / (fast - slow) * std::exp(fast * t);
  const std::complex<double> b = (fast * start[0] - start[1]) / (fast - slow) * std::exp(slow * t);
  return Eigen::Vector2d((a + b).real(), (fast * a + slow * b).real()) + steady(t);
}

double Mode::steady_size() const {
  return std::abs(load) /
         std::hypot(frequency * frequency - load_frequency * load_frequency, 2 * damping * frequency * load_frequency);
}

void Mode::start_steady() {
  const Eigen::Vector2d start = steady(0);
  z0 = start[0];
  v0 = start[1];
}

SearchSystem::SearchSystem(unsigned long seed_, unsigned long index_) : seed(seed_), index(index_) {
  Dice dice(seed, index);
  const double slow = 2 * pi * dice.log_uniform(0.1, 100), size = dice.log_uniform(1e-3, 1);
  const auto turn = index % 11;
  if (turn < 2) {
    kind = "one";
    modes_ = one_mode(slow, dice);
  } else if (turn < 5) {
    kind = "pair";
    fast_amplitude_ = dice.log_uniform(1e-5, 1e-2);
    modes_ = slow_and_fast(slow, fast_amplitude_, dice);
  } else if (turn < 8) {
    kind = "many";
    modes_ = many_modes(slow, damped, dice);
  } else if (turn < 9) {
    kind = "close";
    modes_ = close_modes(slow, dice);
  } else if (turn < 10) {
    kind = "sudden";
    modes_ = sudden_load(slow, dice);
  } else {
    kind = "creep";
    modes_ = creeping_modes(slow, dice);
  }
  periods = dice.log_uniform(3, 60);
  const Mode& fastest = *std::ranges::max_element(modes_, {}, &Mode::frequency);
  if (fastest.damping < lasting) periods = std::min(periods, std::max(3.0, most_fast_periods / frequency_ratio()));
  end = periods * 2 * pi / slow;
  const int n = this->size();
  rotation_ = n == 1 ? Eigen::MatrixXd::Identity(1, 1) : dice.rotation(n);
  Eigen::VectorXd k(n), c(n);
  for (int i = 0; i < n; ++i) {
    Mode& mode = modes_[static_cast<std::size_t>(i)];
    for (double* part : {&mode.z0, &mode.v0, &mode.load}) *part *= size;
    k[i] = mode.frequency * mode.frequency;
    c[i] = 2 * mode.damping * mode.frequency;
    free_ = free_ && mode.load == 0;
  }
  stiffness = rotation_ * k.asDiagonal() * rotation_.transpose();
  damping = rotation_ * c.asDiagonal() * rotation_.transpose();
  stiffness = (stiffness + stiffness.transpose()).eval() / 2;
  damping = (damping + damping.transpose()).eval() / 2;
}

Eigen::VectorXd SearchSystem::load(double t) const {
  Eigen::VectorXd f(size());
  for (int i = 0; i < size(); ++i) {
    const Mode& mode = modes_[static_cast<std::size_t>(i)];
    f[i] = mode.load == 0 ? 0 : mode.load * std::cos(mode.load_frequency * t + mode.load_phase);
  }
  return rotation_ * f;
}

void SearchSystem::exact(double t, Eigen::VectorXd& q, Eigen::VectorXd& v) const {
  Eigen::MatrixXd z(size(), 2);
  for (int i = 0; i < size(); ++i) z.row(i) = modes_[static_cast<std::size_t>(i)].at(t).transpose();
  q = rotation_ * z.col(0);
  v = rotation_ * z.col(1);
}

double SearchSystem::least_damping() const { return std::ranges::min(modes_, {}, &Mode::damping).damping; }
double SearchSystem::max_damping() const { return std::ranges::max(modes_, {}, &Mode::damping).damping; }
double SearchSystem::frequency_ratio() const {
  const auto [least, most] = std::ranges::minmax(modes_, {}, &Mode::frequency);
  return most.frequency / least.frequency;
}

}  // namespace bench
