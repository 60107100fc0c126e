#pragma once

#include "dynamics/equations/all_parts.hpp"
#include "petsc/poison.hpp"
#include "petsc/ranks/callback_guard.hpp"

#include <functional>
#include <initializer_list>
#include <memory>

namespace gearshift {

/// The ways in which the functions of a System are called, so that all ranks continue together if some of them throw.
class GuardedCalls {
 public:
  /// Collective. @param patience see CallbackGuard
  GuardedCalls(MPI_Comm comm, PetscReal patience) : comm_(comm), guard_(comm, patience) {}

  petsc::CallbackGuard& guard() const { return guard_; }
  MPI_Comm comm() const { return comm_; }

  /// Returns the answer of this rank; throws on every rank if the query throws on any.
  template <class Query>
  auto ask(Query&& query) const {
    decltype(query()) answer{};
    guard_.run_together([&] { answer = query(); });
    return answer;
  }
  /// Runs an action that computes some Vecs, which become NaN on this rank if it throws.
  template <class Action>
  void fill(std::initializer_list<Vec> out, Action&& action) const {
    const bool good = guard_.run(action);
    for (Vec vec : out) petsc::poison_where(!good, vec);
  }
  /// Return true if some rank, or every rank, answers true.
  bool some_say(const std::function<bool()>& question) const;
  bool all_say(const std::function<bool()>& question) const;

 private:
  MPI_Comm comm_;
  mutable petsc::CallbackGuard guard_;
};

/// One part of a System.
template <class Part>
class Guarded : public Part {
 public:
  Guarded(const GuardedCalls& calls, Part& part) : calls_(calls), part_(part) {}

 protected:
  const GuardedCalls& calls_;
  Part& part_;
};

class GuardedConstraints : public Guarded<SystemConstraints> {
 public:
  using Guarded::Guarded;
  IS constrained() const override;
  void prescribe(PetscReal t, Vec q, Vec v, Vec a) override;
  IS dependent() const override;
  void complete(PetscReal t, Vec q, Vec v, Vec a) override;
};

class GuardedProjection : public Guarded<SystemProjection> {
 public:
  using Guarded::Guarded;
  void project(Vec q, Vec v) override;
};

/// Ranks agree on the earliest break, the shortest step and the larger motion. Functions that the System does not
/// override are not called.
class GuardedLoads : public Guarded<SystemLoads> {
 public:
  GuardedLoads(const GuardedCalls& calls, SystemLoads& part, Overrides overrides)
      : Guarded(calls, part), overrides_(overrides) {}
  std::optional<Break> next_break(PetscReal t, PetscReal until) override;
  PetscReal resolved_step(PetscReal t, PetscReal dt) override;
  MotionEstimate expected_motion(const State& x, PetscReal until) override;

 private:
  Overrides overrides_;
};

class GuardedInternalVariables : public Guarded<SystemInternalVariables> {
 public:
  using Guarded::Guarded;
  Vec internal_layout() const override;
  bool internal_follows_path() const override;
  void internal_variables(const State& x, Vec z) override;
  IS internal_numbering() const override;
};

/// Its functions take a GuardedLinearization; the System receives the Linearization that it made itself.
class GuardedPreconditioner : public Guarded<SystemPreconditioner> {
 public:
  using Guarded::Guarded;
  void use_prefix(std::string_view prefix) override;
  Mat create_preconditioner_matrix() override;
  bool update_preconditioner(Linearization& tangent, Shifts s, PC pc) override;
  void keep_preconditioner(Linearization& tangent, Shifts s, PC pc) override;
  PetscInt inner_iterations() const override { return part_.inner_iterations(); }
};

/// The energies are NaN on a rank whose System throws.
class GuardedEnergies : public Guarded<SystemEnergies> {
 public:
  using Guarded::Guarded;
  std::optional<Energy> energy(const State& x) override;
};

class GuardedRigidMotion : public Guarded<SystemRigidMotion> {
 public:
  using Guarded::Guarded;
  bool take_out_rigid_motion(Vec q, Vec v) override;
  PetscReal farthest_position() override;
};

class GuardedHistory : public Guarded<SystemHistory> {
 public:
  using Guarded::Guarded;
  void accept(const State& x) override;
  void archive(Archive& state) override;
};

/// The parts of a System, each with guarded calls.
class GuardedParts {
 public:
  /// @param parts those of the System, which this object keeps
  /// @param overrides equal on all ranks
  GuardedParts(const GuardedCalls& calls, std::unique_ptr<AllParts> parts, Overrides overrides);
  GuardedParts& operator=(GuardedParts&&) = delete;

  SystemParts all();

 private:
  std::unique_ptr<AllParts> parts_;
  GuardedConstraints constraints_;
  GuardedProjection projection_;
  GuardedLoads loads_;
  GuardedInternalVariables internal_;
  GuardedPreconditioner preconditioner_;
  GuardedEnergies energies_;
  GuardedRigidMotion rigid_motion_;
  GuardedHistory history_;
};

}  // namespace gearshift
