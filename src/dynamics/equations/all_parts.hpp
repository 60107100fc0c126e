#pragma once

#include <gearshift/dynamics/system.hpp>

namespace gearshift {

/// All parts of a System: those that it declares (System::parts()), and for the others adapters that call its
/// deprecated functions. The System must outlive them.
class AllParts : SystemConstraints,
                 SystemProjection,
                 SystemLoads,
                 SystemInternalVariables,
                 SystemPreconditioner,
                 SystemEnergies,
                 SystemRigidMotion,
                 SystemHistory {
 public:
  explicit AllParts(System& system);
  AllParts& operator=(AllParts&&) = delete;

  const SystemParts* operator->() const { return &parts_; }
  const SystemParts& operator*() const { return parts_; }

 private:
  IS constrained() const override { return system_.constrained(); }
  void prescribe(PetscReal t, Vec q, Vec v, Vec a) override { system_.prescribe(t, q, v, a); }
  IS dependent() const override { return system_.dependent(); }
  void complete(PetscReal t, Vec q, Vec v, Vec a) override { system_.complete(t, q, v, a); }
  void project(Vec q, Vec v) override { system_.project(q, v); }
  std::optional<Break> next_break(PetscReal t, PetscReal until) override { return system_.next_break(t, until); }
  PetscReal resolved_step(PetscReal t, PetscReal dt) override { return system_.resolved_step(t, dt); }
  MotionEstimate expected_motion(const State& x, PetscReal until) override { return system_.expected_motion(x, until); }
  Vec internal_layout() const override { return system_.internal_layout(); }
  bool internal_follows_path() const override { return system_.internal_follows_path(); }
  void internal_variables(const State& x, Vec z) override { system_.internal_variables(x, z); }
  IS internal_numbering() const override { return system_.internal_numbering(); }
  void use_prefix(std::string_view prefix) override { system_.use_prefix(prefix); }
  Mat create_preconditioner_matrix() override { return system_.create_preconditioner_matrix(); }
  bool update_preconditioner(Linearization& tangent, Shifts s, PC pc) override {
    return system_.update_preconditioner(tangent, s, pc);
  }
  void keep_preconditioner(Linearization& tangent, Shifts s, PC pc) override {
    system_.keep_preconditioner(tangent, s, pc);
  }
  PetscInt inner_iterations() const override { return system_.inner_iterations(); }
  std::optional<Energy> energy(const State& x) override { return system_.energy(x); }
  bool take_out_rigid_motion(Vec q, Vec v) override { return system_.take_out_rigid_motion(q, v); }
  void accept(const State& x) override { system_.accept(x); }
  void archive(Archive& state) override { system_.archive(state); }

  System& system_;
  SystemParts parts_;
};

/// Returns `known`, the flags of the deprecated functions, with the flags of the parts that the System declares added.
Overrides with_declared_parts(System& system, Overrides known);

}  // namespace gearshift
