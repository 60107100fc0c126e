#pragma once

#include <Eigen/Dense>
#include <string>
#include <vector>

namespace bench {

/// One mode, z'' + 2 zeta w z' + w^2 z = F cos(W t + p), and its motion in closed form; zeta is not 1.
struct Mode {
  double frequency = 1;  ///< w [rad/time]
  double damping = 0;    ///< zeta
  double z0 = 0, v0 = 0;
  double load = 0, load_frequency = 0, load_phase = 0;  ///< F, W, p

  /// Returns z and z' at time t.
  Eigen::Vector2d at(double t) const;
  /// Returns the steady-state response to the load, z and z' at time t.
  Eigen::Vector2d steady(double t) const;
  double steady_size() const;
  /// Starts in the steady-state response, without free vibration.
  void start_steady();
};

/// A random linear system q'' + C q' + K q = f(t), q(0), q'(0), with a known motion: independent modes and a random
/// rotation, q = V z, so that no entry of q is a mode and no matrix is diagonal.
///
/// Kinds, in cycles of eleven systems:
///
/// | kind | share | description |
/// |---|---|---|
/// | `one` | 2 | one mode, free or under a harmonic load |
/// | `pair` | 3 | a mode under a harmonic load, and a free one 10..1000 times faster with 1e-5..1e-2 of its amplitude |
/// | `many` | 3 | 3 to 10 modes over a frequency range of 2..100, free or under a harmonic load on all; uniform, Rayleigh or
///                 random damping |
/// | `close` | 1 | 2 to 5 modes within 1..10 %, free or under one harmonic load between them |
/// | `sudden` | 1 | 3 to 10 modes over a range of 3..300, at rest until a constant load acts on all |
/// | `creep` | 1 | 2 to 8 modes over a range of 10..1000 with damping ratios that grow with the frequency, up to 1.1..100 |
///
/// All other damping ratios are in 0..0.1: a fifth of them are 0, the rest log-uniform from 1e-4 or uniform; a run has 3..60
/// periods of the slowest mode. If the fastest mode is hardly damped, runs longer than 3 periods end after 600
/// periods of the fastest mode.
class SearchSystem {
 public:
  /// Creates system number `index` of the search `seed`: the same on every machine.
  SearchSystem(unsigned long seed, unsigned long index);

  int size() const { return static_cast<int>(modes_.size()); }
  bool free() const { return free_; }
  Eigen::VectorXd load(double t) const;
  /// Computes q and q' of the exact motion.
  void exact(double t, Eigen::VectorXd& q, Eigen::VectorXd& v) const;
  double energy(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const {
    return (v.dot(v) + q.dot(stiffness * q)) / 2;
  }

  std::string kind, damped;
  unsigned long seed, index;
  double end = 1;  ///< [time]
  double periods = 0;
  Eigen::MatrixXd stiffness, damping;
  const std::vector<Mode>& modes() const { return modes_; }
  double least_damping() const;
  double max_damping() const;
  double frequency_ratio() const;  ///< highest over lowest frequency
  double fast_amplitude() const { return fast_amplitude_; }

 private:
  std::vector<Mode> modes_;
  Eigen::MatrixXd rotation_;
  double fast_amplitude_ = 0;  ///< kind pair: amplitude of the fast mode relative to the slow one; else 0
  bool free_ = true;
};

}  // namespace bench
