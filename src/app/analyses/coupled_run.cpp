#include "app/analyses/coupled_run.hpp"

namespace gearshift::app {

Report run_coupled(Coupling& coupling, Stepper& stepper, Progress& progress, Results& results) {
  const PetscReal t_end = stepper.options().t_end;
  PetscInt window = coupling.windows();
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
    petsc::check(PetscFPrintf(stepper.comm(), PETSC_STDERR,
                              "note: the coupled run goes on beyond -gear_t_end %g: its end is in preCICE's "
                              "configuration\n",
                              t_end));
  };
  return coupling.run(stepper, observer);
}

}  // namespace gearshift::app
