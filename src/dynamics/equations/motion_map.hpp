#pragma once

#include <gearshift/dynamics/state.hpp>
#include <gearshift/petsc/handle.hpp>

#include "dynamics/equations/fixed_entries.hpp"

#include <petscvec.h>

#include <array>
#include <vector>

namespace gearshift {

/// Dependence of the state on the unknown x of a solve at time t:
///
///     q = s.q x + f_q b_q,   v = s.v x + f_v b_v,   a = s.a x + f_a b_a
///
/// so that the Jacobian is s.q R_q + s.v R_v + s.a R_a. BDF and DIRK stages have x = v and s = (1/alpha, 1, alpha), a
/// first-order ODE x = q and s = (1, alpha, 0), statics x = q and s = (1, 0, 0), the acceleration x = a and s = (0, 0,
/// 1).
struct AffineMap {
  PetscReal t = 0;
  Shifts slope;
  int unknown = 1;                                           ///< x is the unknown-th derivative of q
  Vec base_q = nullptr, base_v = nullptr, base_a = nullptr;  ///< borrowed; nullptr is zero
  PetscReal factor_q = 1, factor_v = 1, factor_a = 1;
  InternalState internal;  ///< of the state, independent of x
  Vec to_q = nullptr, to_v = nullptr,
      to_a = nullptr;  ///< receive the state; nullptr: the MotionMap's own Vecs do
};

/// Returns alpha = sigma_a/sigma_v = sigma_v/sigma_q of a step; 0 in statics, infinite for accelerations.
PetscReal coefficient(Shifts s);

/// q, v and a of the owned constrained entries, in the order of FixedEntries::constrained().
using ConstrainedValues = std::array<std::vector<PetscScalar>, 3>;

/// Map from the unknown of a solve to the state (q, v, a), with the values of the fixed entries.
///
/// Constrained entries have (q, v, a) = (g, g', g'') for any x; their row is x - g^(unknown) = 0, the identity, and
/// their columns are zero to keep the symmetry. For constrained entries that depend on other entries
/// (SystemConstraints::dependent()) x is not read: solves leave it unchanged, and the System completes the state.
/// Excluded entries have x = 0.
class MotionMap {
 public:
  MotionMap(GuardedSystem& system, Vec layout);

  /// The entries that are fixed, whatever the map is.
  FixedEntries& fixed() { return fixed_; }
  /// Asks the System for them again (FixedEntries::find()). Collective.
  bool find_constrained();

  /// Sets the map for the next solves; the System provides the prescribed motion.
  void set(const AffineMap& map);
  /// Sets the map with given values of the constrained entries instead.
  void set(const AffineMap& map, const ConstrainedValues& values);
  /// Computes g, g' and g'' at time t; 0 in dependent entries. The state must be set again afterwards. Collective.
  void prescribed_at(PetscReal t, ConstrainedValues& values);
  /// Writes all constrained entries of a state. Exceptions of callbacks are kept in the System's guard. Collective.
  void prescribe(PetscReal t, Vec q, Vec v, Vec a);
  const AffineMap& map() const { return map_; }

  /// Returns the state that belongs to x; valid until the next call.
  State state_at(Vec x);
  /// Returns the state that belongs to x; if that is the present state, it is not written again.
  State state_still_at(Vec x);
  /// Returns the state of a solution x. x itself becomes a part of it, the level that is the unknown; the Vecs named in
  /// the AffineMap are not written any more.
  State solution(Vec x);
  /// Discards the present state after a failed solve; the Vecs named in the AffineMap are not written any more.
  void give_up();
  /// Moves every entry of the state of x by the fraction `relative` of its terms, up or down depending on its global
  /// index, and all of q together by this fraction of SystemRigidMotion::farthest_position(). Collective.
  State perturbed_state_at(Vec x, PetscReal relative);
  State state() const { return {map_.t, now_[0], now_[1], now_[2], map_.internal}; }
  /// Fixes the state to x, whatever the unknown is, until release(); for evaluations at a former point.
  void pin(const State& x, Shifts slope);
  void release() { pinned_ = false; }

  /// Writes the prescribed value of the unknown into the constrained entries of x, except dependent ones.
  void constrain(Vec x) const;
  /// Replaces R in the fixed entries of f by their rows at x; the replaced values of R are stored in `reactions`.
  void fix_rows(Vec x, Vec f, Vec reactions) const;
  /// Returns true if a constrained entry has a nonzero velocity. Collective.
  bool supports_move() const;

 private:
  Vec place(int level) const;
  bool holds_state_of(Vec x) const;
  void write_level(int level, Vec x);
  void write_prescribed(int level, Vec to) const;
  void complete();
  void give_up_state();

  GuardedSystem& system_;
  AffineMap map_;
  std::array<Vec, 3> now_{};  // the levels of the present state
  bool whole_ = false;        // state_at() has written all its levels
  petsc::Handle<Vec> q_, v_, a_;
  FixedEntries fixed_;
  ConstrainedValues prescribed_;  // of the map: g, g', g'', or the values given
  bool pinned_ = false;
};

}  // namespace gearshift
