#include "dynamics/equations/rayleigh.hpp"

#include "dynamics/equations/all_parts.hpp"
#include "dynamics/equations/state_copy.hpp"
#include "petsc/queries.hpp"
#include "petsc/ranks/deferred.hpp"

#include <algorithm>

namespace gearshift {
namespace {

using petsc::check;
using petsc::duplicate;
using petsc::Handle;

struct Damping {
  PetscReal mass;
  PetscReal stiffness;
};

// Every function here makes several calls of the System. They may be collective, so an exception that one of them
// throws on a rank is held back until all calls have been made.

/// Returns the internal variables for the damping stiffness. If they have a rate, the stiffness is the one without
/// them; if they follow a path, they keep their values at the beginning of the step.
InternalState frozen(const SystemInternalVariables& variables, InternalState x) {
  if (!variables.internal_follows_path()) return {};
  x.rate = InternalState{}.rate;
  return x;
}

/// The tangent of the damped system. `base` is at x, and if the system does not provide R_qq itself, `rest` is at
/// (t, q, 0, 0) and the two of `aside` at q +- e v.
class DampedLinearization : public Linearization {
 public:
  DampedLinearization(System& system, const SystemInternalVariables& variables, Vec layout, Damping damping)
      : system_(system),
        variables_(variables),
        damping_(damping),
        base_(system.make_linearization()),
        q_(duplicate(layout)),
        v_(duplicate(layout)),
        zero_(duplicate(layout)),
        work_(duplicate(layout)) {}

  void update(const State& x) override {
    move_to(x, [&] { base_->update(x); });
  }
  void follow(const State& x) override {
    move_to(x, [&] { base_->follow(x); });
  }

  void apply(Shifts s, Vec in, Vec out) override {
    const PetscReal m = s.v * damping_.mass, k = s.v * damping_.stiffness, kv = s.q * damping_.stiffness;
    petsc::Deferred all;
    if (!probed_) all.run([&] { probe(in); });
    if (!rest_) {
      // The system states that R_q does not depend on v and a: one product serves both terms.
      all.run([&] { base_->apply({s.q + k, s.v, s.a + m}, in, out); });
      if (kv != 0) {
        all.run([&] { base_->apply_stiffness_derivative(v_.get(), in, work_.get()); });
        check(VecAXPY(out, kv, work_.get()));
      }
    } else {
      all.run([&] { base_->apply(s, in, out); });
      if (m != 0 || k != 0) {
        all.run([&] { rest_->apply({k, 0, m}, in, work_.get()); });
        check(VecAXPY(out, 1, work_.get()));
      }
      if (kv != 0) add_difference(kv, s, in, out, all);
    }
    all.rethrow();
  }

  bool diagonal(Shifts s, Vec d) override { return base_->diagonal(effective(s), d); }
  bool assemble(Shifts s, Mat P) override { return base_->assemble(effective(s), P); }

  Linearization& base() { return *base_; }
  /// Returns the shifts of the undamped system's matrix that come closest: only the exact product contains R_qq.
  Shifts effective(Shifts s) const { return {s.q + s.v * damping_.stiffness, s.v, s.a + s.v * damping_.mass}; }

 private:
  template <class Move>
  void move_to(const State& x, Move&& move_base) {
    t_ = x.t;
    check(VecCopy(x.q, q_.get()));
    check(VecCopy(x.v, v_.get()));
    e_ = -1;
    if (variables_.internal_follows_path()) frozen_.take(frozen(variables_, x.internal));
    petsc::Deferred all;
    all.run(move_base);
    if (rest_) all.run([&] { rest_->update(at_rest(q_.get())); });
    all.rethrow();
  }

  void probe(Vec in) {
    probed_ = true;
    petsc::Deferred all;
    bool exact = damping_.stiffness != 0 && !variables_.internal_layout();  // remains true for a System that throws
    // Internal variables change with q in R_q but not in K.
    if (exact) {
      all.run([&] { exact = base_->apply_stiffness_derivative(v_.get(), in, work_.get()); });
    }
    if (!exact) {
      rest_ = system_.make_linearization();
      rest_->update(at_rest(q_.get()));
    }
    all.rethrow();
  }

  State at_rest(Vec q) const { return {t_, q, zero_.get(), zero_.get(), frozen_.state()}; }

  /// Adds `factor` R_qq v in, by the central difference of R_q along v.
  void add_difference(PetscReal factor, Shifts s, Vec in, Vec out, petsc::Deferred& all) {
    constexpr std::array<PetscReal, 2> signs{1, -1};
    if (!moved_) moved_ = duplicate(q_.get());
    for (auto& side : aside_)
      if (!side) side = system_.make_linearization();
    if (e_ < 0) {
      const PetscReal q_size = petsc::norm(q_.get(), NORM_INFINITY);
      const PetscReal v_size = petsc::norm(v_.get(), NORM_INFINITY);
      // q is changed by 1e-4 of its own size or of the displacement due to v in a step. The error is 1e-8 if the
      // system's products are exact, and the change is large compared with the noise of products that are differences
      // themselves.
      const PetscReal size = std::max(q_size, s.v != 0 ? v_size * s.q / s.v : 0);
      e_ = v_size > 0 ? 1e-4 * (size > 0 ? size : 1) / v_size : 0;
      for (std::size_t i = 0; i < 2 && e_ > 0; ++i) {
        check(VecWAXPY(moved_.get(), signs[i] * e_, v_.get(), q_.get()));
        all.run([&] { aside_[i]->update(at_rest(moved_.get())); });
      }
    }
    for (std::size_t i = 0; i < 2 && e_ > 0; ++i) {
      all.run([&] { aside_[i]->apply({factor / (2 * e_), 0, 0}, in, work_.get()); });
      check(VecAXPY(out, signs[i], work_.get()));
    }
  }

  System& system_;
  const SystemInternalVariables& variables_;
  Damping damping_;
  std::unique_ptr<Linearization> base_, rest_;
  std::array<std::unique_ptr<Linearization>, 2> aside_;
  Handle<Vec> q_, v_, zero_, work_, moved_;
  InternalCopy frozen_;
  PetscReal t_ = 0;
  PetscReal e_ = -1;     // step of the difference; < 0: not known yet
  bool probed_ = false;  // the system was asked for R_qq: it provides R_qq unless there is a rest_
};

class RayleighDamped : public System, SystemPreconditioner, SystemEnergies {
 public:
  RayleighDamped(System& base, Vec layout, Damping damping)
      : base_(base),
        of_base_(base),
        damping_(damping),
        layout_(Handle<Vec>::share(layout)),
        at_rest_(base.make_linearization()),
        zero_(duplicate(layout)),
        force_(duplicate(layout)) {}

  void residual(const State& x, Vec r) override {
    petsc::Deferred all;
    all.run([&] { base_.residual(x, r); });
    damping_force(x, all);
    check(VecAXPY(r, 1, force_.get()));
    all.rethrow();
  }
  std::unique_ptr<Linearization> make_linearization() override {
    return std::make_unique<DampedLinearization>(base_, *of_base_->internal, layout_.get(), damping_);
  }
  void configure(SNES snes) override { base_.configure(snes); }
  bool symmetric() const override { return base_.symmetric(); }
  PetscInt vector_size() const override { return base_.vector_size(); }
  IS natural_numbering() const override { return base_.natural_numbering(); }
  SystemParts parts() override {
    SystemParts parts = *of_base_;
    parts.preconditioner = this;
    parts.energies = this;
    return parts;
  }

 private:
  void use_prefix(std::string_view prefix) override { of_base_->preconditioner->use_prefix(prefix); }
  Mat create_preconditioner_matrix() override { return of_base_->preconditioner->create_preconditioner_matrix(); }
  bool update_preconditioner(Linearization& tangent, Shifts s, PC pc) override {
    auto& damped = static_cast<DampedLinearization&>(tangent);
    return of_base_->preconditioner->update_preconditioner(damped.base(), damped.effective(s), pc);
  }
  void keep_preconditioner(Linearization& tangent, Shifts s, PC pc) override {
    auto& damped = static_cast<DampedLinearization&>(tangent);
    of_base_->preconditioner->keep_preconditioner(damped.base(), damped.effective(s), pc);
  }
  PetscInt inner_iterations() const override { return of_base_->preconditioner->inner_iterations(); }

  std::optional<Energy> energy(const State& x) override {
    petsc::Deferred all;
    std::optional<Energy> energy = Energy{};  // assumed to be known if the System throws
    all.run([&] { energy = of_base_->energies->energy(x); });
    if (!energy) return energy;
    damping_force(x, all);
    // The forces of dependent entries are contained in the others, too.
    if (IS dependent = of_base_->constraints->dependent()) check(VecISSet(force_.get(), dependent, 0));
    const PetscScalar power = petsc::dot(force_.get(), x.v);
    all.rethrow();
    energy->power_dissipated += power;
    return energy;
  }

  void damping_force(const State& x, petsc::Deferred& all) {
    all.run([&] { at_rest_->update({x.t, x.q, zero_.get(), zero_.get(), frozen(*of_base_->internal, x.internal)}); });
    all.run([&] { at_rest_->apply({damping_.stiffness, 0, damping_.mass}, x.v, force_.get()); });
  }

  System& base_;
  AllParts of_base_;
  Damping damping_;
  Handle<Vec> layout_;
  std::unique_ptr<Linearization> at_rest_;
  Handle<Vec> zero_, force_;
};

}  // namespace

std::unique_ptr<System> add_rayleigh_damping(System& base, Vec layout, PetscReal mass, PetscReal stiffness) {
  return std::make_unique<RayleighDamped>(base, layout, Damping{mass, stiffness});
}

}  // namespace gearshift
