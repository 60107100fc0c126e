#pragma once

#include <gearshift/dynamics/bdf_scheme.hpp>
#include <gearshift/dynamics/state.hpp>

#include <array>
#include <span>

namespace gearshift {

/// The accepted motion: the states of the last steps and the slope x^(p) at the two newest ones (p = 2: the
/// acceleration, p = 1: the velocity), with one step that can be taken back.
class MotionHistory {
 public:
  MotionHistory(Vec layout, int levels, int order);

  /// Forgets everything before the state {q, v} at time t; the slope there is not known. Copies.
  void start(PetscReal t, std::span<const Vec> state);
  /// The step begun in scheme() becomes the newest state at time t, with the slope given; copies the slope.
  void push(PetscReal t, Vec slope);
  /// Takes the newest state back.
  void pop();

  BdfScheme& scheme() { return scheme_; }
  const BdfScheme& scheme() const { return scheme_; }
  int levels() const { return levels_; }
  bool empty() const { return scheme_.size() == 0; }
  PetscReal time() const { return scheme_.time(); }

  /// {q, v} (p = 1: {q, nullptr}) of the newest state, of the one before, and of the step being solved.
  std::array<Vec, 2> present() const { return at(1); }
  std::array<Vec, 2> next() const;
  /// The derivatives of present(): {v, a}, or {v, nullptr}.
  std::array<Vec, 2> derivatives() const;
  /// The newest state; a is zero at p = 1.
  State state() const;

  Vec slope() const { return slope_.get(); }
  Vec slope_before() const { return slope_before_.get(); }
  /// Whether slope() belongs to the newest state: not after start() before the first step, unless it was found there.
  bool slope_known() const { return known_; }
  bool slope_before_known() const { return known_before_; }
  void set_slope_known(bool known) { known_ = known; }

  /// As a span of p Vecs.
  std::span<const Vec> levels_of(const std::array<Vec, 2>& vecs) const {
    return {vecs.data(), static_cast<std::size_t>(levels_)};
  }

  void archive(Archive& state);

 private:
  std::array<Vec, 2> at(int age) const;

  int levels_;
  BdfScheme scheme_;
  petsc::Handle<Vec> slope_, slope_before_, zero_;
  bool known_ = false, known_before_ = false;
};

}  // namespace gearshift
