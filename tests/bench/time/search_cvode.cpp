/// CVODE with its own Krylov solver and an exact preconditioner for the step's present coefficient: one iteration per
/// solve, with CVODE's usual rules.

#include "search.hpp"

#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_version.h>
#include <sunlinsol/sunlinsol_spgmr.h>

#include <ctime>
#include <memory>
#include <stdexcept>

namespace bench {
namespace {

void require(int code, const char* what) {
  if (code < 0) throw std::runtime_error(std::string(what) + " failed with code " + std::to_string(code));
}

Eigen::Map<Eigen::VectorXd> map(N_Vector y) { return {N_VGetArrayPointer(y), N_VGetLength(y)}; }

/// y = [q; v], y' = [v; f(t) - C v - K q].
struct Form {
  const SearchSystem& system;
  SearchRun& run;
  double gamma = 0;
  Eigen::LLT<Eigen::MatrixXd> factor = {};

  void rate(double t, N_Vector y, N_Vector dy) {
    ++run.forces;
    const int n = system.size();
    map(dy).head(n) = map(y).tail(n);
    map(dy).tail(n) = system.load(t) - system.damping * map(y).tail(n) - system.stiffness * map(y).head(n);
  }
  void product(N_Vector x, N_Vector y) {
    ++run.products;
    const int n = system.size();
    map(y).head(n) = map(x).tail(n);
    map(y).tail(n) = -(system.damping * map(x).tail(n)) - system.stiffness * map(x).head(n);
  }
  /// Solves x - g J x = r by elimination of q.
  void solve(double g, N_Vector r, N_Vector x) {
    const int n = system.size();
    if (g != gamma) {
      gamma = g;
      factor.compute(Eigen::MatrixXd::Identity(n, n) + g * system.damping + g * g * system.stiffness);
    }
    map(x).tail(n) = factor.solve(map(r).tail(n) - g * (system.stiffness * map(r).head(n)));
    map(x).head(n) = map(r).head(n) + g * map(x).tail(n);
  }
};

Form& form_of(void* user) { return *static_cast<Form*>(user); }

int rate(sunrealtype t, N_Vector y, N_Vector dy, void* user) {
  form_of(user).rate(t, y, dy);
  return 0;
}
int product(N_Vector x, N_Vector y, sunrealtype, N_Vector, N_Vector, void* user, N_Vector) {
  form_of(user).product(x, y);
  return 0;
}
int set_up(sunrealtype, N_Vector, N_Vector, sunbooleantype, sunbooleantype* renewed, sunrealtype, void*) {
  *renewed = SUNTRUE;
  return 0;
}
int precondition(sunrealtype, N_Vector, N_Vector, N_Vector r, N_Vector x, sunrealtype gamma, sunrealtype, int,
                 void* user) {
  form_of(user).solve(gamma, r, x);
  return 0;
}

using Vector = std::unique_ptr<std::remove_pointer_t<N_Vector>, decltype([](N_Vector y) { N_VDestroy(y); })>;
using Solver =
    std::unique_ptr<std::remove_pointer_t<SUNLinearSolver>, decltype([](SUNLinearSolver s) { SUNLinSolFree(s); })>;

struct Context {
  Context() {
#if SUNDIALS_VERSION_MAJOR >= 7
    require(SUNContext_Create(SUN_COMM_NULL, &context), "SUNContext_Create");
#else
    require(SUNContext_Create(nullptr, &context), "SUNContext_Create");
#endif
  }
  ~Context() { SUNContext_Free(&context); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  SUNContext context = nullptr;
};

void say_nothing(int, const char*, const char*, char*, void*) {}

}  // namespace

SearchRun search_cvode(const SearchSystem& system, const SearchSettings& settings) {
  SearchRun run;
  const std::clock_t start = std::clock();
  Form form{system, run};
  const Context context;
  const int n = system.size();
  const Vector y(N_VNew_Serial(2 * n, context.context)), absolute(N_VNew_Serial(2 * n, context.context));
  Eigen::VectorXd q, v;
  system.exact(0, q, v);
  map(y.get()) << q, v;
  map(absolute.get()).head(n).setConstant(settings.tolerance * settings.scale_q);
  map(absolute.get()).tail(n).setConstant(settings.tolerance * settings.scale_v);
  const Solver krylov(SUNLinSol_SPGMR(y.get(), SUN_PREC_LEFT, 5, context.context));
  void* ode = CVodeCreate(CV_BDF, context.context);
  require(CVodeInit(ode, rate, 0, y.get()), "CVodeInit");
  require(CVodeSetErrHandlerFn(ode, say_nothing, nullptr), "CVodeSetErrHandlerFn");
  require(CVodeSVtolerances(ode, settings.tolerance, absolute.get()), "CVodeSVtolerances");
  require(CVodeSetUserData(ode, &form), "CVodeSetUserData");
  require(CVodeSetLinearSolver(ode, krylov.get(), nullptr), "CVodeSetLinearSolver");
  require(CVodeSetMaxOrd(ode, std::stoi(settings.options)), "CVodeSetMaxOrd");
  require(CVodeSetMaxNumSteps(ode, settings.limit), "CVodeSetMaxNumSteps");
  require(CVodeSetJacTimes(ode, nullptr, product), "CVodeSetJacTimes");
  require(CVodeSetPreconditioner(ode, set_up, precondition), "CVodeSetPreconditioner");
  for (const double t : settings.times) {
    sunrealtype reached = 0;
    const int code = CVode(ode, t, y.get(), &reached, CV_NORMAL);
    CVodeGetNumNonlinSolvIters(ode, &run.solves);
    if (run.solves > settings.limit || code == CV_TOO_MUCH_WORK) {
      run.status = "limit";
      break;
    }
    if (code < 0) {
      run.status = "failed";
      run.note = "return code " + std::to_string(code);
      break;
    }
    run.q.emplace_back(map(y.get()).head(n));
    run.v.emplace_back(map(y.get()).tail(n));
  }
  long errors = 0, failures = 0;
  CVodeGetNumSteps(ode, &run.steps);
  CVodeGetNumErrTestFails(ode, &errors);
  CVodeGetNumNonlinSolvConvFails(ode, &failures);
  run.rejected = errors + failures;
  CVodeFree(&ode);
  run.cpu = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return run;
}

}  // namespace bench
