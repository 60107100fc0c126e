#pragma once

/// @file
/// Data that the terms of a body share at one point and in one product: values with ghosts, and the sums to which they
/// add.

#include <gearshift/dynamics/state.hpp>

#include "solid/operator/term/nodal.hpp"

#include <optional>

namespace gearshift::solid {

/// Storage that points and products reuse.
struct TermStorage {
  GhostValues q, v, a, out;
};

/// Nodal values of a Vec, with ghosts that are fetched when a term first asks for them.
class SharedValues {
 public:
  SharedValues(const Space& space, Vec x, const PetscReal* known, GhostValues& ghosts)
      : space_(space), x_(x), known_(known), ghosts_(ghosts) {}
  /// Collective: must be called on all ranks or on none.
  const NodalValues& get() {
    if (!values_) values_.emplace(space_, x_, known_, ghosts_);
    return *values_;
  }

 private:
  const Space& space_;
  Vec x_;
  const PetscReal* known_;
  GhostValues& ghosts_;
  std::optional<NodalValues> values_;
};

/// The sum to which terms add. Contributions at ghosts are sent to the owners once, by finish().
class SharedSum {
 public:
  SharedSum(const Space& space, Vec out, GhostValues& ghosts) : space_(space), out_(out), ghosts_(ghosts) {}
  /// Collective: must be called on all ranks or on none.
  NodalSum& get() {
    if (!sum_) sum_.emplace(space_, out_, ghosts_);
    return *sum_;
  }
  /// Adds factor x to the sum. Collective.
  void add(PetscReal factor, Vec x) {
    finish();
    petsc::check(VecAXPY(out_, factor, x));
  }
  void finish() {
    if (sum_) sum_->finish();
    sum_.reset();
  }

 private:
  const Space& space_;
  Vec out_;
  GhostValues& ghosts_;
  std::optional<NodalSum> sum_;
};

/// A point of the motion.
class TermPoint {
 public:
  /// @param ghosts the ghost values of x.q if they are known, otherwise nullptr
  TermPoint(const Space& space, const State& x, PetscReal load_factor, const PetscReal* ghosts, TermStorage& storage)
      : state_(x),
        load_factor_(load_factor),
        q_(space, x.q, ghosts, storage.q),
        v_(space, x.v, nullptr, storage.v),
        a_(space, x.a, nullptr, storage.a) {}
  const State& state() const { return state_; }
  PetscReal t() const { return state_.t; }
  PetscReal load_factor() const { return load_factor_; }
  /// Return displacements, velocities and accelerations; those missing in state() read as 0. Collective, like
  /// SharedValues::get().
  const NodalValues& q() { return q_.get(); }
  const NodalValues& v() { return v_.get(); }
  const NodalValues& a() { return a_.get(); }

 private:
  const State& state_;
  PetscReal load_factor_;
  SharedValues q_, v_, a_;
};

/// A product with the tangent: out += (s.q R_q + s.v R_v + s.a R_a) in
class TermProduct {
 public:
  /// @param ghosts the ghost values of `in` if they are known, otherwise nullptr
  TermProduct(const Space& space, Shifts s, Vec in, Vec out, const PetscReal* ghosts, TermStorage& storage)
      : shifts_(s), vec_(in), in_(space, in, ghosts, storage.q), out_(space, out, storage.out) {}
  Shifts shifts() const { return shifts_; }
  /// Returns the input itself, for terms that multiply whole vectors.
  Vec vec() const { return vec_; }
  SharedSum& shared_out() { return out_; }
  /// Collective, like SharedValues::get().
  const NodalValues& in() { return in_.get(); }
  NodalSum& out() { return out_.get(); }
  void finish() { out_.finish(); }

 private:
  Shifts shifts_;
  Vec vec_;
  SharedValues in_;
  SharedSum out_;
};

}  // namespace gearshift::solid
