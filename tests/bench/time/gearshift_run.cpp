/// Runs gearshift's Stepper; its options (-gear_*, -snes_*, -ksp_*, -pc_*) determine the method.

#include <gearshift/dynamics/stepper.hpp>

#include "krylov_watch.hpp"
#include "run.hpp"

#include <petscksp.h>

#include <sstream>

namespace bench {
namespace {

/// The tangent of M a - F(q, v) at a copied state: one loop over the body per product, for any shifts.
class Tangent : public gearshift::Linearization {
 public:
  explicit Tangent(Problem& problem)
      : problem_(problem), q_(problem.vector()), v_(problem.vector()), inertia_(problem.vector()) {}

  void update(const gearshift::State& x) override {
    check(VecCopy(x.q, q_.get()));
    check(VecCopy(x.v, v_.get()));
  }

  void apply(gearshift::Shifts s, Vec in, Vec out) override {
    if (s.q == 0 && s.v == 0) {
      check(VecPointwiseMult(out, problem_.mass(), in));
      check(VecScale(out, s.a));
      return;
    }
    problem_.product(q_.get(), v_.get(), -s.q, in, -s.v, in, out);
    if (s.a == 0) return;
    check(VecPointwiseMult(inertia_.get(), problem_.mass(), in));
    check(VecAXPY(out, s.a, inertia_.get()));
  }

  bool diagonal(gearshift::Shifts s, Vec d) override {
    if (!diagonal_of_) diagonal_of_ = problem_.matrix();
    problem_.assemble(q_.get(), v_.get(), s.a, s.q, s.v, diagonal_of_.get());
    check(MatGetDiagonal(diagonal_of_.get(), d));
    return true;
  }

  bool assemble(gearshift::Shifts s, Mat P) override {
    ++problem_.counts.builds;
    problem_.assemble(q_.get(), v_.get(), s.a, s.q, s.v, P);
    return true;
  }

 private:
  Problem& problem_;
  Handle<Vec> q_, v_, inertia_;
  Handle<Mat> diagonal_of_;
};

class Body : public gearshift::System {
 public:
  explicit Body(Problem& problem) : problem_(problem), force_(problem.vector()) {}

  void residual(const gearshift::State& x, Vec r) override {
    problem_.force(x.t, x.q, x.v, force_.get());
    check(VecPointwiseMult(r, problem_.mass(), x.a));
    check(VecAXPY(r, -1, force_.get()));
  }
  std::unique_ptr<gearshift::Linearization> make_linearization() override {
    return std::make_unique<Tangent>(problem_);
  }
  Mat create_preconditioner_matrix() override { return problem_.matrix().release(); }
  bool symmetric() const override { return problem_.symmetric(); }

 private:
  Problem& problem_;
  Handle<Vec> force_;
};

/// Sets options that the option database does not contain: the size of fixed steps, tolerances,
/// the common preconditioner.
void set_usual_options(const Problem& problem, const Settings& settings) {
  const auto usual = [](const std::string& key, const std::string& value) {
    PetscBool set = PETSC_FALSE;
    check(PetscOptionsHasName(nullptr, nullptr, key.c_str(), &set));
    if (!set) check(PetscOptionsSetValue(nullptr, key.c_str(), value.c_str()));
  };
  const auto number = [](double x) {
    std::ostringstream text;
    text.precision(17);
    text << x;
    return text.str();
  };
  if (settings.steps > 0) {
    usual("-gear_dt", number(problem.end / static_cast<double>(settings.steps)));
  } else {
    usual("-gear_rtol", number(settings.tolerance));
    usual("-gear_atol", number(settings.tolerance * problem.scale_q));
    usual("-gear_atol_v", number(settings.tolerance * problem.scale_v));
  }
  usual("-pc_type", problem.pc_type);
}

}  // namespace

Run run_gearshift(Problem& problem, const Settings& settings) {
  set_usual_options(problem, settings);
  Run run;
  run.q = problem.vector();
  run.v = problem.vector();
  problem.initial(run.q.get(), run.v.get());
  const Meter meter;
  Body body(problem);
  gearshift::Stepper stepper(body, run.q.get());
  stepper.set_from_options();
  stepper.set_initial_state(0, run.q.get(), run.v.get());
  KSP ksp = nullptr;
  PC pc = nullptr;
  check(SNESGetKSP(stepper.snes(), &ksp));
  check(KSPGetPC(ksp, &pc));
  const KrylovWatch watch(ksp);
  try {
    const gearshift::Report report = stepper.advance_to(problem.end);
    run.steps = report.steps;
    run.rejected = report.rejected;
    run.newton = report.newton_iterations;
    run.krylov = report.krylov_iterations;
    run.order = report.last.order;
  } catch (const gearshift::StepFailed& error) {
    run.failure = error.what();
  }
  meter.stop(run);
  check(VecCopy(stepper.state().q, run.q.get()));
  check(VecCopy(stepper.state().v, run.v.get()));
  run.length = problem.size();
  run.factor_nonzeros = factor_nonzeros(pc);
  run.krylov_vectors = watch.vectors();
  problem.counts.applications = watch.applications();
  return run;
}

}  // namespace bench
