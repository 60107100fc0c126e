#include "app/analyses/coupled.hpp"

namespace gearshift::app {

Report Coupled::advance() {
  Stepper& stepper = run_.stepper;
  Results& results = run_.results;
  Progress& progress = run_.progress;
  const PetscReal t_end = stepper.options().t_end;
  PetscInt window = coupling_.windows();
  bool beyond = false;
  Coupling::Observer observer;
  observer.begin = [&] { results.keep(); };
  observer.step = [&](const Stepper& s) { results.look(s); };
  observer.again = [&] { results.go_back(); };
  observer.done = [&](std::span<const StepReport> steps, bool last) {
    for (const StepReport& report : steps) {
      results.write_report(report);
      progress.step(report);
    }
    if (!steps.empty()) ++window;
    results.write(window, stepper, last);
    if (beyond || stepper.state().t <= t_end * (1 + 1e-9)) return;
    beyond = true;
    petsc::check(PetscFPrintf(
        stepper.comm(), PETSC_STDERR,
        "note: the coupled run continues beyond -gear_t_end %.6g: preCICE's configuration sets its end\n", t_end));
  };
  return coupling_.run(stepper, observer);
}

Outcome Coupled::outcome(const Report& report) const {
  StepperOptions options = run_.stepper.options();
  if (report.reason == StopReason::reached_end) options.t_end = report.t;  // the end of the coupling
  return outcome_of(report, options, run_.stepper.comm());
}

}  // namespace gearshift::app
