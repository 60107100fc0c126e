// n damped Duffing oscillators of increasing stiffness, all driven by the same force and distributed over the ranks:
//
//     q'' + c q' + k_i q + b q^3 = f cos(2 t),    k_i = 1 + 8 i / n,    q(0) = 1,  q'(0) = 0

#include <gearshift/gearshift.hpp>

#include <cmath>

using namespace gearshift;
using petsc::check, petsc::ReadView, petsc::WriteView;

class Duffing : public System {
 public:
  explicit Duffing(Vec layout) {
    check(VecGetOwnershipRange(layout, &first_, nullptr));
    check(VecGetSize(layout, &count_));
  }

  void residual(const State& x, Vec r) override {
    const ReadView q(x.q), v(x.v), a(x.a);
    const WriteView out(r);
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = a[i] + c * v[i] + (k(i) + b * q[i] * q[i]) * q[i] - f * std::cos(2 * x.t);
  }

  void tangent(const State& x, Shifts s, Vec in, Vec out) override {
    const ReadView q(x.q), w(in);
    const WriteView y(out);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = (s.a + s.v * c + s.q * (k(i) + 3 * b * q[i] * q[i])) * w[i];
  }

  bool symmetric() const override { return true; }

 private:
  static constexpr double c = 0.3, b = 1, f = 2;
  double k(std::size_t i) const {
    return 1 + 8 * (static_cast<double>(first_) + static_cast<double>(i)) / static_cast<double>(count_);
  }
  PetscInt first_ = 0, count_ = 0;
};

int main(int argc, char** argv) {
  Session session(argc, argv, "n damped, driven Duffing oscillators, integrated by gearshift.\n");
  return session.run([](MPI_Comm comm) {
    PetscInt n = 100;
    petsc::read_options(comm, "", "Oscillators", [&](petsc::Options& o) { o.integer("-n", "oscillators", n); });
    petsc::Handle<Vec> q, v;
    check(VecCreateMPI(comm, PETSC_DECIDE, n, q.out()));
    check(VecDuplicate(q.get(), v.out()));
    check(VecSet(q.get(), 1));
    Duffing system(q.get());
    Stepper stepper(system, q.get(), {.order = 4, .dt = 0.01, .t_end = 10});
    stepper.set_from_options();
    stepper.set_initial_state(0, q.get(), v.get());
    const Report run = stepper.run();
    PetscReal size = 0;
    check(VecNorm(stepper.state().q, NORM_2, &size));
    check(PetscPrintf(comm, "t %g  steps %d  Newton %d  |q| %.12f\n", run.t, static_cast<int>(run.steps),
                      static_cast<int>(run.newton_iterations), size));
  });
}
