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

class GuardedConstraints : public SystemConstraints {
 public:
  GuardedConstraints(const GuardedCalls& calls, SystemConstraints& part) : calls_(calls), part_(part) {}
  IS constrained() const override;
  void prescribe(PetscReal t, Vec q, Vec v, Vec a) override;
  IS dependent() const override;
  void complete(PetscReal t, Vec q, Vec v, Vec a) override;

 private:
  const GuardedCalls& calls_;
  SystemConstraints& part_;
};

class GuardedProjection : public SystemProjection {
 public:
  GuardedProjection(const GuardedCalls& calls, SystemProjection& part) : calls_(calls), part_(part) {}
  void project(Vec q, Vec v) override;

 private:
  const GuardedCalls& calls_;
  SystemProjection& part_;
};

/// Ranks agree on the earliest break, the shortest step and the larger motion. Functions that the System does not
/// override are not called.
class GuardedLoads : public SystemLoads {
 public:
  GuardedLoads(const GuardedCalls& calls, SystemLoads& part, Overrides overrides)
      : calls_(calls), part_(part), overrides_(overrides) {}
  std::optional<Break> next_break(PetscReal t, PetscReal until) override;
  PetscReal resolved_step(PetscReal t, PetscReal dt) override;
  MotionEstimate expected_motion(const State& x, PetscReal until) override;

 private:
  const GuardedCalls& calls_;
  SystemLoads& part_;
  Overrides overrides_;
};

class GuardedInternalVariables : public SystemInternalVariables {
 public:
  GuardedInternalVariables(const GuardedCalls& calls, SystemInternalVariables& part) : calls_(calls), part_(part) {}
  Vec internal_layout() const override;
  bool internal_follows_path() const override;
  void internal_variables(const State& x, Vec z) override;
  IS internal_numbering() const override;

 private:
  const GuardedCalls& calls_;
  SystemInternalVariables& part_;
};

/// Its functions take a GuardedLinearization; the System receives the Linearization that it made itself.
class GuardedPreconditioner : public SystemPreconditioner {
 public:
  GuardedPreconditioner(const GuardedCalls& calls, SystemPreconditioner& part) : calls_(calls), part_(part) {}
  void use_prefix(std::string_view prefix) override;
  Mat create_preconditioner_matrix() override;
  bool update_preconditioner(Linearization& tangent, Shifts s, PC pc) override;
  void keep_preconditioner(Linearization& tangent, Shifts s, PC pc) override;
  PetscInt inner_iterations() const override { return part_.inner_iterations(); }

 private:
  const GuardedCalls& calls_;
  SystemPreconditioner& part_;
};

/// The energies are NaN on a rank whose System throws.
class GuardedEnergies : public SystemEnergies {
 public:
  GuardedEnergies(const GuardedCalls& calls, SystemEnergies& part) : calls_(calls), part_(part) {}
  std::optional<Energy> energy(const State& x) override;

 private:
  const GuardedCalls& calls_;
  SystemEnergies& part_;
};

class GuardedRigidMotion : public SystemRigidMotion {
 public:
  GuardedRigidMotion(const GuardedCalls& calls, SystemRigidMotion& part) : calls_(calls), part_(part) {}
  bool take_out_rigid_motion(Vec q, Vec v) override;

 private:
  const GuardedCalls& calls_;
  SystemRigidMotion& part_;
};

class GuardedHistory : public SystemHistory {
 public:
  GuardedHistory(const GuardedCalls& calls, SystemHistory& part) : calls_(calls), part_(part) {}
  void accept(const State& x) override;
  void archive(Archive& state) override;

 private:
  const GuardedCalls& calls_;
  SystemHistory& part_;
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
