// An external program: it uses only the installed headers of gearshift.
#include <gearshift/gearshift.hpp>

#include <cmath>
#include <cstdio>

using namespace gearshift;
using petsc::check, petsc::ReadView, petsc::WriteView;

/// q'' + q = 0
class Oscillator : public System {
 public:
  void residual(const State& x, Vec r) override {
    const ReadView q(x.q), a(x.a);
    const WriteView out(r);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = a[i] + q[i];
  }
};

int main(int argc, char** argv) {
  Session session(argc, argv);
  return session.run([](MPI_Comm comm) {
    petsc::Handle<Vec> q, v;
    check(VecCreateMPI(comm, PETSC_DECIDE, 6, q.out()));
    check(VecDuplicate(q.get(), v.out()));
    check(VecSet(q.get(), 1));
    Oscillator system;
    Stepper stepper(system, q.get(), {.order = 4, .dt = 0.01, .t_end = 1});
    stepper.set_from_options();
    stepper.set_initial_state(0, q.get(), v.get());
    stepper.run();
    PetscReal norm = 0;
    check(VecNorm(stepper.state().q, NORM_INFINITY, &norm));
    if (std::abs(norm - std::cos(1.0)) > 1e-6) throw Error("the oscillator's displacement is wrong");
    check(PetscPrintf(comm, "consumer: right\n"));
  });
}
