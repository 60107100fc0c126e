/// CVODE, IDA and ARKODE on the first-order form, with the common products and preconditioner. Options:
/// -maxord, -stald, -dirk_order, -krylov_vectors, -eps_lin, -nonlin_coef, -rebuild_change (IDA),
/// -predictor and -deduce (ARKODE).

#include "first_order.hpp"
#include "run.hpp"

#include <arkode/arkode_arkstep.h>
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <ida/ida.h>
#include <nvector/nvector_petsc.h>
#include <petscsys.h>
#include <sundials/sundials_version.h>
#include <sunlinsol/sunlinsol_spgmr.h>

#include <memory>

namespace bench {
namespace {

constexpr long max_steps = 100'000'000;
constexpr int fatal = -1;

void require(int code, const char* what) {
  if (code < 0) throw gearshift::Error(std::string(what) + " failed with code " + std::to_string(code));
}

struct Options {
  Options() {
    check(PetscOptionsGetInt(nullptr, nullptr, "-maxord", &max_order, nullptr));
    check(PetscOptionsGetInt(nullptr, nullptr, "-dirk_order", &dirk_order, nullptr));
    check(PetscOptionsGetInt(nullptr, nullptr, "-krylov_vectors", &krylov_vectors, nullptr));
    check(PetscOptionsGetInt(nullptr, nullptr, "-predictor", &predictor, nullptr));
    check(PetscOptionsGetBool(nullptr, nullptr, "-stald", &stald, nullptr));
    check(PetscOptionsGetBool(nullptr, nullptr, "-deduce", &deduce, nullptr));
    check(PetscOptionsGetReal(nullptr, nullptr, "-eps_lin", &eps_lin, nullptr));
    check(PetscOptionsGetReal(nullptr, nullptr, "-nonlin_coef", &nonlin_coef, nullptr));
    check(PetscOptionsGetReal(nullptr, nullptr, "-rebuild_change", &rebuild_change, nullptr));
  }
  PetscInt max_order = 5, dirk_order = 4, krylov_vectors = 30, predictor = 0;
  PetscBool stald = PETSC_FALSE, deduce = PETSC_FALSE;
  PetscReal eps_lin = 0, nonlin_coef = 0, rebuild_change = 0;  // 0: SUNDIALS' default
};

Vec vec(N_Vector y) { return N_VGetVector_Petsc(y); }

struct DestroyVector {
  void operator()(N_Vector y) const { N_VDestroy(y); }
};
using Vector = std::unique_ptr<std::remove_pointer_t<N_Vector>, DestroyVector>;

struct DestroySolver {
  void operator()(SUNLinearSolver s) const { SUNLinSolFree(s); }
};
using LinearSolver = std::unique_ptr<std::remove_pointer_t<SUNLinearSolver>, DestroySolver>;

class Context {
 public:
  Context() {
#if SUNDIALS_VERSION_MAJOR >= 7
    require(SUNContext_Create(SUN_COMM_NULL, &context_), "SUNContext_Create");
#else
    require(SUNContext_Create(nullptr, &context_), "SUNContext_Create");
#endif
  }
  ~Context() { SUNContext_Free(&context_); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  Vector wrap(Vec y) const { return Vector(N_VMake_Petsc(y, context_)); }
  SUNContext get() const { return context_; }

 private:
  SUNContext context_ = nullptr;
};

/// The data shared by all four: the form, the state, the tolerances, the Krylov solver.
struct Setup {
  Setup(Problem& problem, const Settings& settings, bool implicit = true)
      : preconditioner(problem),
        form(problem, preconditioner),
        tolerance(settings.tolerance),
        state(form.initial()),
        absolute(form.constant(tolerance * problem.scale_q, tolerance * problem.scale_v)),
        y(context.wrap(state.get())),
        weights(context.wrap(absolute.get())) {
    if (!implicit) return;
    krylov.reset(SUNLinSol_SPGMR(y.get(), SUN_PREC_LEFT, static_cast<int>(options.krylov_vectors), context.get()));
    require(SUNLinSol_SPGMRSetGSType(krylov.get(), SUN_CLASSICAL_GS), "SUNLinSol_SPGMRSetGSType");
  }

  Run finish(const Meter& meter, int code, long steps, long newton, long iterations, int order, long rejected) {
    Run run;
    meter.stop(run);
    Problem& problem = form.problem();
    run.q = problem.vector();
    run.v = problem.vector();
    form.split(state.get(), run.q.get(), run.v.get());
    run.length = 2 * problem.size();
    run.factor_nonzeros = preconditioner.factor_nonzeros();
    run.steps = steps;
    run.newton = newton;
    run.krylov = iterations;
    run.order = order;
    run.rejected = rejected;
    if (code < 0) run.failure = "return code " + std::to_string(code);
    return run;
  }

  Options options;
  Context context;
  Preconditioner preconditioner;
  FirstOrderForm form;
  double tolerance;
  Handle<Vec> state, absolute;
  Vector y, weights;
  LinearSolver krylov;
};

FirstOrderForm& form_of(void* user) { return static_cast<Setup*>(user)->form; }

// ---- y' = f(t, y), for CVODE and ARKODE

int rate(sunrealtype t, N_Vector y, N_Vector dy, void* user) {
  return guarded(fatal, [&] { form_of(user).rate(t, vec(y), vec(dy)); });
}

int set_up_product(sunrealtype, N_Vector y, N_Vector, void* user) {
  return guarded(fatal, [&] { form_of(user).linearize(vec(y)); });
}

int product(N_Vector x, N_Vector out, sunrealtype, N_Vector, N_Vector, void* user, N_Vector) {
  return guarded(fatal, [&] { form_of(user).rate_product(vec(x), vec(out)); });
}

/// With `keep` the integrator reuses the tangent of the last set-up with the present gamma.
int set_up_preconditioner(sunrealtype, N_Vector y, N_Vector, sunbooleantype keep, sunbooleantype* renewed,
                          sunrealtype gamma, void* user) {
  return guarded(fatal, [&] {
    if (!keep) form_of(user).linearize(vec(y));
    form_of(user).build(gamma);
    *renewed = keep ? SUNFALSE : SUNTRUE;
  });
}

int precondition(sunrealtype, N_Vector, N_Vector, N_Vector r, N_Vector x, sunrealtype gamma, sunrealtype, int,
                 void* user) {
  return guarded(fatal, [&] { form_of(user).rate_solve(gamma, vec(r), vec(x)); });
}

// ---- F(t, y, y') = 0, for IDA

int residual(sunrealtype t, N_Vector y, N_Vector dy, N_Vector r, void* user) {
  return guarded(fatal, [&] { form_of(user).residual(t, vec(y), vec(dy), vec(r)); });
}

int ida_set_up_product(sunrealtype, N_Vector y, N_Vector, N_Vector, sunrealtype, void* user) {
  return guarded(fatal, [&] { form_of(user).linearize(vec(y)); });
}

int ida_product(sunrealtype, N_Vector, N_Vector, N_Vector, N_Vector x, N_Vector out, sunrealtype a, void* user,
                N_Vector, N_Vector) {
  return guarded(fatal, [&] { form_of(user).residual_product(a, vec(x), vec(out)); });
}

int ida_set_up_preconditioner(sunrealtype, N_Vector y, N_Vector, N_Vector, sunrealtype a, void* user) {
  return guarded(fatal, [&] {
    form_of(user).linearize(vec(y));
    form_of(user).build(1 / a);
  });
}

int ida_precondition(sunrealtype, N_Vector, N_Vector, N_Vector, N_Vector r, N_Vector x, sunrealtype a, sunrealtype,
                     void* user) {
  return guarded(fatal, [&] { form_of(user).residual_solve(a, vec(r), vec(x)); });
}

// ---- the integrators

Run run_cvode(Problem& problem, const Settings& settings) {
  const Meter meter;
  Setup s(problem, settings);
  void* ode = CVodeCreate(CV_BDF, s.context.get());
  require(CVodeInit(ode, rate, 0, s.y.get()), "CVodeInit");
  require(CVodeSVtolerances(ode, s.tolerance, s.weights.get()), "CVodeSVtolerances");
  require(CVodeSetUserData(ode, &s), "CVodeSetUserData");
  require(CVodeSetLinearSolver(ode, s.krylov.get(), nullptr), "CVodeSetLinearSolver");
  require(CVodeSetMaxOrd(ode, static_cast<int>(s.options.max_order)), "CVodeSetMaxOrd");
  require(CVodeSetStabLimDet(ode, s.options.stald ? SUNTRUE : SUNFALSE), "CVodeSetStabLimDet");
  require(CVodeSetMaxNumSteps(ode, max_steps), "CVodeSetMaxNumSteps");
  require(CVodeSetStopTime(ode, problem.end), "CVodeSetStopTime");
  require(CVodeSetJacTimes(ode, set_up_product, product), "CVodeSetJacTimes");
  require(CVodeSetPreconditioner(ode, set_up_preconditioner, precondition), "CVodeSetPreconditioner");
  if (s.options.eps_lin > 0) require(CVodeSetEpsLin(ode, s.options.eps_lin), "CVodeSetEpsLin");
  if (s.options.nonlin_coef > 0) require(CVodeSetNonlinConvCoef(ode, s.options.nonlin_coef), "CVodeSetNonlinConvCoef");
  sunrealtype t = 0;
  const int code = CVode(ode, problem.end, s.y.get(), &t, CV_NORMAL);
  long steps = 0, newton = 0, iterations = 0, errors = 0, failures = 0;
  int order = 0;
  CVodeGetNumSteps(ode, &steps);
  CVodeGetNumNonlinSolvIters(ode, &newton);
  CVodeGetNumLinIters(ode, &iterations);
  CVodeGetNumErrTestFails(ode, &errors);
  CVodeGetNumNonlinSolvConvFails(ode, &failures);
  CVodeGetLastOrder(ode, &order);
  Run run = s.finish(meter, code, steps, newton, iterations, order, errors + failures);
  CVodeFree(&ode);
  return run;
}

Run run_ida(Problem& problem, const Settings& settings) {
  const Meter meter;
  Setup s(problem, settings);
  const Handle<Vec> slope = s.form.vector();
  s.form.rate(0, s.state.get(), slope.get());
  const Vector dy = s.context.wrap(slope.get());
  void* dae = IDACreate(s.context.get());
  require(IDAInit(dae, residual, 0, s.y.get(), dy.get()), "IDAInit");
  require(IDASVtolerances(dae, s.tolerance, s.weights.get()), "IDASVtolerances");
  require(IDASetUserData(dae, &s), "IDASetUserData");
  require(IDASetLinearSolver(dae, s.krylov.get(), nullptr), "IDASetLinearSolver");
  require(IDASetMaxOrd(dae, static_cast<int>(s.options.max_order)), "IDASetMaxOrd");
  require(IDASetMaxNumSteps(dae, max_steps), "IDASetMaxNumSteps");
  require(IDASetStopTime(dae, problem.end), "IDASetStopTime");
  require(IDASetJacTimes(dae, ida_set_up_product, ida_product), "IDASetJacTimes");
  require(IDASetPreconditioner(dae, ida_set_up_preconditioner, ida_precondition), "IDASetPreconditioner");
  if (s.options.eps_lin > 0) require(IDASetEpsLin(dae, s.options.eps_lin), "IDASetEpsLin");
  if (s.options.nonlin_coef > 0) require(IDASetNonlinConvCoef(dae, s.options.nonlin_coef), "IDASetNonlinConvCoef");
  if (s.options.rebuild_change > 0) require(IDASetDeltaCjLSetup(dae, s.options.rebuild_change), "IDASetDeltaCjLSetup");
  sunrealtype t = 0;
  const int code = IDASolve(dae, problem.end, &t, s.y.get(), dy.get(), IDA_NORMAL);
  long steps = 0, newton = 0, iterations = 0, errors = 0, failures = 0;
  int order = 0;
  IDAGetNumSteps(dae, &steps);
  IDAGetNumNonlinSolvIters(dae, &newton);
  IDAGetNumLinIters(dae, &iterations);
  IDAGetNumErrTestFails(dae, &errors);
  IDAGetNumNonlinSolvConvFails(dae, &failures);
  IDAGetLastOrder(dae, &order);
  Run run = s.finish(meter, code, steps, newton, iterations, order, errors + failures);
  IDAFree(&dae);
  return run;
}

Run run_dirk(Problem& problem, const Settings& settings) {
  const Meter meter;
  Setup s(problem, settings);
  void* ode = ARKStepCreate(nullptr, rate, 0, s.y.get(), s.context.get());
  require(ARKStepSVtolerances(ode, s.tolerance, s.weights.get()), "ARKStepSVtolerances");
  require(ARKStepSetUserData(ode, &s), "ARKStepSetUserData");
  require(ARKStepSetLinearSolver(ode, s.krylov.get(), nullptr), "ARKStepSetLinearSolver");
  require(ARKStepSetOrder(ode, static_cast<int>(s.options.dirk_order)), "ARKStepSetOrder");
  require(ARKStepSetMaxNumSteps(ode, max_steps), "ARKStepSetMaxNumSteps");
  require(ARKStepSetStopTime(ode, problem.end), "ARKStepSetStopTime");
  require(ARKStepSetJacTimes(ode, set_up_product, product), "ARKStepSetJacTimes");
  require(ARKStepSetPreconditioner(ode, set_up_preconditioner, precondition), "ARKStepSetPreconditioner");
  if (s.options.predictor > 0)
    require(ARKStepSetPredictorMethod(ode, static_cast<int>(s.options.predictor)), "ARKStepSetPredictorMethod");
  if (s.options.deduce) require(ARKStepSetDeduceImplicitRhs(ode, SUNTRUE), "ARKStepSetDeduceImplicitRhs");
  if (s.options.eps_lin > 0) require(ARKStepSetEpsLin(ode, s.options.eps_lin), "ARKStepSetEpsLin");
  if (s.options.nonlin_coef > 0)
    require(ARKStepSetNonlinConvCoef(ode, s.options.nonlin_coef), "ARKStepSetNonlinConvCoef");
  sunrealtype t = 0;
  const int code = ARKStepEvolve(ode, problem.end, s.y.get(), &t, ARK_NORMAL);
  long steps = 0, newton = 0, iterations = 0, errors = 0, failures = 0;
  ARKStepGetNumSteps(ode, &steps);
  ARKStepGetNumNonlinSolvIters(ode, &newton);
  ARKStepGetNumLinIters(ode, &iterations);
  ARKStepGetNumErrTestFails(ode, &errors);
  ARKStepGetNumNonlinSolvConvFails(ode, &failures);
  Run run = s.finish(meter, code, steps, newton, iterations, static_cast<int>(s.options.dirk_order), errors + failures);
  ARKStepFree(&ode);
  return run;
}

/// An explicit method of order 8, for reference solutions of problems that are not stiff at its tolerances.
Run run_erk(Problem& problem, const Settings& settings) {
  const Meter meter;
  Setup s(problem, settings, false);
  void* ode = ERKStepCreate(rate, 0, s.y.get(), s.context.get());
  require(ERKStepSVtolerances(ode, s.tolerance, s.weights.get()), "ERKStepSVtolerances");
  require(ERKStepSetUserData(ode, &s), "ERKStepSetUserData");
  require(ERKStepSetTableNum(ode, ARKODE_FEHLBERG_13_7_8), "ERKStepSetTableNum");
  require(ERKStepSetMaxNumSteps(ode, max_steps), "ERKStepSetMaxNumSteps");
  require(ERKStepSetStopTime(ode, problem.end), "ERKStepSetStopTime");
  sunrealtype t = 0;
  const int code = ERKStepEvolve(ode, problem.end, s.y.get(), &t, ARK_NORMAL);
  long steps = 0, errors = 0;
  ERKStepGetNumSteps(ode, &steps);
  ERKStepGetNumErrTestFails(ode, &errors);
  Run run = s.finish(meter, code, steps, 0, 0, 8, errors);
  ERKStepFree(&ode);
  return run;
}

}  // namespace

Run run_sundials(Problem& problem, const Settings& settings) {
  if (settings.kind == "cvode") return run_cvode(problem, settings);
  if (settings.kind == "ida") return run_ida(problem, settings);
  if (settings.kind == "dirk") return run_dirk(problem, settings);
  return run_erk(problem, settings);
}

}  // namespace bench
