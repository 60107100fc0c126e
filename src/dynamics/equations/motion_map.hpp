#pragma once

#include <gearshift/dynamics/state.hpp>
#include <gearshift/petsc/handle.hpp>

#include "dynamics/equations/guarded_system.hpp"

#include <petscvec.h>

#include <array>
#include <vector>

namespace gearshift {

/// How the state depends on the unknown x of a solve at time t:
///
///     q = s.q x + f_q b_q,   v = s.v x + f_v b_v,   a = s.a x + f_a b_a
///
/// so that the Jacobian is s.q R_q + s.v R_v + s.a R_a. BDF and DIRK stages have x = v and s = (1/alpha, 1, alpha), a
/// first-order ODE x = q and s = (1, alpha, 0), statics x = q and s = (1, 0, 0), the acceleration x = a, s = (0, 0, 1).
struct AffineMap {
  PetscReal t = 0;
  Shifts slope;
  int unknown = 1;                                           ///< x is the unknown-th derivative of q
  Vec base_q = nullptr, base_v = nullptr, base_a = nullptr;  ///< borrowed; nullptr is zero
  PetscReal factor_q = 1, factor_v = 1, factor_a = 1;
  InternalState internal;  ///< of the state, whatever x is
  Vec to_q = nullptr, to_v = nullptr,
      to_a = nullptr;  ///< where the state is written; nullptr: to Vecs of the MotionMap's
};

/// alpha = sigma_a/sigma_v = sigma_v/sigma_q of a step, 0 in statics, infinite for accelerations.
PetscReal coefficient(Shifts s);

/// q, v and a in the owned constrained entries, in the order of MotionMap::constrained().
using ConstrainedValues = std::array<std::vector<PetscScalar>, 3>;

/// From the unknown of a solve to the state (q, v, a), and the constraints on the way.
///
/// Constrained entries have (q, v, a) = (g, g', g'') whatever x is there; their row is x - g^(unknown) = 0, the
/// identity, and their columns are zero, which keeps the symmetry. Of those that depend on other entries
/// (SystemConstraints::dependent()) x is not read: solves leave it as it is, and the state is completed. Excluded
/// entries have x = 0.
class MotionMap {
 public:
  MotionMap(GuardedSystem& system, Vec layout);

  /// Asks the System anew which entries are constrained; returns whether they are others on any rank. Collective.
  bool find_constrained();

  /// Sets what the next solves are about; asks the System for the prescribed motion.
  void set(const AffineMap& map);
  /// The same with the values given instead.
  void set(const AffineMap& map, const ConstrainedValues& values);
  /// g, g' and g'' at time t; 0 in dependent entries. The state is then to be set again. Collective.
  void prescribed_at(PetscReal t, ConstrainedValues& values);
  /// Writes all constrained entries of a state. What callbacks throw is kept in the System's guard. Collective.
  void prescribe(PetscReal t, Vec q, Vec v, Vec a);
  const AffineMap& map() const { return map_; }

  /// Entries excluded besides the constrained ones (massless entries of an acceleration solve).
  /// Collective.
  void exclude(std::vector<PetscInt> local);

  /// The state that belongs to x; valid until the next call.
  State state_at(Vec x);
  /// The same, where it may be the present state: that is not written again.
  State state_still_at(Vec x);
  /// The state of a solution x of which x itself becomes a part, the level that is the unknown; nothing is written any
  /// more to where the AffineMap says.
  State solution(Vec x);
  /// Nothing is written there any more, and the present state is forgotten: x was none.
  void give_up();
  /// Moves every entry of the state of x by `relative` of the terms it is the sum of, up or down by its global index.
  State perturbed_state_at(Vec x, PetscReal relative);
  State state() const { return {map_.t, now_[0], now_[1], now_[2], map_.internal}; }
  /// Where state_at() writes q.
  Vec q() const { return place(0); }
  /// The state is x's whatever the unknown is, until release(): a point that is looked at again.
  void pin(const State& x, Shifts slope);
  void release() { pinned_ = false; }

  /// Writes the prescribed value of the unknown into the constrained entries of x, except dependent ones.
  void constrain(Vec x) const;
  /// Replaces R in the fixed entries of f by their rows at x; R there goes to `reactions`.
  void fix_rows(Vec x, Vec f, Vec reactions) const;
  /// The fixed entries of x become zero, or those of `from`.
  void set_fixed_entries(Vec x, Vec from) const;
  void set_fixed_entries(Vec x, PetscScalar value) const;

  /// Whether a constrained entry has a velocity. Collective.
  bool supports_move() const;
  /// Whether any rank has a constrained or an excluded entry.
  bool any_constrained() const { return any_constrained_; }
  bool any_excluded() const { return any_excluded_; }
  bool nothing_fixed() const { return !any_constrained_ && !any_excluded_; }
  /// Local indices of the owned constrained entries.
  const std::vector<PetscInt>& constrained() const { return constrained_; }
  /// Their global indices.
  std::vector<PetscInt> constrained_rows() const;

 private:
  Vec place(int level) const;
  bool is_of(Vec x) const;
  void write_level(int level, Vec x);
  void write_prescribed(int level, Vec to) const;
  void complete();
  bool depends(std::size_t constrained) const { return any_dependent_ && dependent_[constrained]; }
  void give_up_state();

  GuardedSystem& system_;
  AffineMap map_;
  std::array<Vec, 3> now_{};  // the levels of the present state
  bool whole_ = false;        // state_at() has written all of it
  petsc::Handle<Vec> q_, v_, a_;
  std::vector<PetscInt> constrained_, excluded_;  // local indices of owned entries
  std::vector<char> dependent_;                   // whether each constrained entry is
  ConstrainedValues prescribed_;                  // of the map: g, g', g'', or what it was given
  bool any_constrained_ = false, any_dependent_ = false, any_excluded_ = false, pinned_ = false;
};

}  // namespace gearshift
