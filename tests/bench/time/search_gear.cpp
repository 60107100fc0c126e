/// gearshift's Stepper on a dense linear system, with a preconditioner that is exact at every solve.

#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/petsc/handle.hpp>
#include <gearshift/petsc/views.hpp>

#include "search.hpp"

#include <petscksp.h>

#include <ctime>

namespace bench {
namespace {

using gearshift::petsc::check;
using gearshift::petsc::Handle;
using gearshift::petsc::ReadView;
using gearshift::petsc::WriteView;

Eigen::VectorXd values(Vec x) {
  const ReadView view(x);
  return Eigen::Map<const Eigen::VectorXd>(view.span().data(), static_cast<Eigen::Index>(view.size()));
}

void set_values(Vec x, const Eigen::VectorXd& y) {
  const WriteView view(x);
  Eigen::Map<Eigen::VectorXd>(view.span().data(), static_cast<Eigen::Index>(view.size())) = y;
}

struct GivenUp {};

class Tangent : public gearshift::Linearization {
 public:
  Tangent(const SearchSystem& system, SearchRun& run) : system_(system), run_(run) {}

  void update(const gearshift::State&) override {}
  void apply(gearshift::Shifts s, Vec in, Vec out) override {
    ++run_.products;
    const Eigen::VectorXd x = values(in);
    Eigen::VectorXd y = s.a * x;
    if (s.q != 0) y += s.q * (system_.stiffness * x);
    if (s.v != 0) y += s.v * (system_.damping * x);
    set_values(out, y);
  }
  bool diagonal(gearshift::Shifts s, Vec d) override {
    set_values(d, matrix(s).diagonal());
    return true;
  }
  bool assemble(gearshift::Shifts s, Mat P) override {
    const Eigen::MatrixXd full = matrix(s);
    PetscScalar* array = nullptr;
    check(MatDenseGetArrayWrite(P, &array));
    Eigen::Map<Eigen::MatrixXd>(array, system_.size(), system_.size()) = full;
    check(MatDenseRestoreArrayWrite(P, &array));
    check(MatAssemblyBegin(P, MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(P, MAT_FINAL_ASSEMBLY));
    return true;
  }

 private:
  Eigen::MatrixXd matrix(gearshift::Shifts s) const {
    return s.q * system_.stiffness + s.v * system_.damping +
           s.a * Eigen::MatrixXd::Identity(system_.size(), system_.size());
  }
  const SearchSystem& system_;
  SearchRun& run_;
};

class Body : public gearshift::System {
 public:
  Body(const SearchSystem& system, SearchRun& run, long limit) : system_(system), run_(run), limit_(limit) {}

  void residual(const gearshift::State& x, Vec r) override {
    if (run_.solves > limit_) throw GivenUp{};
    ++run_.forces;
    set_values(r, values(x.a) + system_.damping * values(x.v) + system_.stiffness * values(x.q) - system_.load(x.t));
  }
  std::unique_ptr<gearshift::Linearization> make_linearization() override {
    return std::make_unique<Tangent>(system_, run_);
  }
  Mat create_preconditioner_matrix() override {
    Mat P = nullptr;
    check(MatCreateSeqDense(PETSC_COMM_SELF, system_.size(), system_.size(), nullptr, &P));
    return P;
  }
  bool symmetric() const override { return true; }
  std::optional<gearshift::Energy> energy(const gearshift::State& x) override {
    const Eigen::VectorXd q = values(x.q), v = values(x.v);
    return gearshift::Energy{v.dot(v) / 2, q.dot(system_.stiffness * q) / 2, system_.load(x.t).dot(v),
                             v.dot(system_.damping * v)};
  }

 private:
  const SearchSystem& system_;
  SearchRun& run_;
  long limit_;
};

/// A separate option database, in use during the lifetime of the object.
class Options {
 public:
  Options(const std::string& text, int argc, char** argv) {
    check(PetscOptionsCreate(&options_));
    check(PetscOptionsInsertString(options_, text.c_str()));
    check(PetscOptionsInsertArgs(options_, argc, argv));
    check(PetscOptionsPush(options_));
  }
  ~Options() {
    (void)!PetscOptionsPop();
    (void)!PetscOptionsDestroy(&options_);
  }
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

 private:
  PetscOptions options_ = nullptr;
};

PetscErrorCode count_solve(KSP, Vec, Vec, void* solves) {
  ++*static_cast<long*>(solves);
  return 0;
}

}  // namespace

SearchRun search_gear(const SearchSystem& system, const SearchSettings& settings, int argc, char** argv) {
  const Options options("-pc_type lu -gear_pc_update newton " + settings.options, argc, argv);
  SearchRun run;
  const std::clock_t start = std::clock();
  Body body(system, run, settings.limit);
  Handle<Vec> q, v;
  check(VecCreateSeq(PETSC_COMM_SELF, system.size(), q.out()));
  check(VecDuplicate(q.get(), v.out()));
  Eigen::VectorXd q0, v0;
  system.exact(0, q0, v0);
  set_values(q.get(), q0);
  set_values(v.get(), v0);
  gearshift::Stepper stepper(body, q.get(),
                             {.rtol = settings.tolerance,
                              .atol = settings.tolerance * settings.scale_q,
                              .atol_v = settings.scaled_atol_v ? settings.tolerance * settings.scale_v : 0});
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  KSP ksp = nullptr;
  check(SNESGetKSP(stepper.snes(), &ksp));
  check(KSPSetPreSolve(ksp, count_solve, &run.solves));
  stepper.add_output(settings.times, [&](const gearshift::State& x) {
    run.q.push_back(values(x.q));
    run.v.push_back(values(x.v));
  });
  bool warned = false;
  stepper.add_monitor([&](const gearshift::Stepper&, const gearshift::StepReport& step) {
    ++run.steps;
    run.rejected += step.attempts - 1;
    warned = warned || step.energy_warning;
  });
  try {
    stepper.advance_to(system.end);
    if (warned) run.status = "energy";
  } catch (const GivenUp&) {
    run.status = "limit";
  } catch (const gearshift::Error& error) {
    run.status = "failed";
    run.note = error.what();
  }
  run.cpu = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return run;
}

}  // namespace bench
