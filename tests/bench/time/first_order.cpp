#include "first_order.hpp"

#include <algorithm>

namespace bench {

/// The two halves of a Vec of length 2N as Vecs of length N, valid during the lifetime of the view; nothing is copied.
class FirstOrderForm::Halves {
 public:
  enum class Access { read, write };

  Halves(FirstOrderForm& form, Vec y, Access access) : y_(y), access_(access) {
    slot_ = &*std::find_if(form.slots_.begin(), form.slots_.end(), [](const Slot& slot) { return slot.free; });
    slot_->free = false;
    if (access_ == Access::write)
      check(VecGetArray(y_, &array_));
    else
      check(VecGetArrayRead(y_, &read_));
    const PetscScalar* begin = access_ == Access::write ? array_ : read_;
    PetscInt n = 0;
    check(VecGetLocalSize(slot_->q.get(), &n));
    check(VecPlaceArray(q(), begin));
    check(VecPlaceArray(v(), begin + n));
  }
  ~Halves() {
    (void)!VecResetArray(q());
    (void)!VecResetArray(v());
    (void)!(access_ == Access::write ? VecRestoreArray(y_, &array_) : VecRestoreArrayRead(y_, &read_));
    slot_->free = true;
  }
  Halves(const Halves&) = delete;
  Halves& operator=(const Halves&) = delete;

  Vec q() const { return slot_->q.get(); }
  Vec v() const { return slot_->v.get(); }

 private:
  Vec y_;
  Access access_;
  Slot* slot_ = nullptr;
  PetscScalar* array_ = nullptr;
  const PetscScalar* read_ = nullptr;
};

FirstOrderForm::FirstOrderForm(Problem& problem, Preconditioner& preconditioner)
    : problem_(problem),
      preconditioner_(preconditioner),
      point_q_(problem.vector()),
      point_v_(problem.vector()),
      work_(problem.vector()),
      sum_(problem.vector()) {
  for (Slot& slot : slots_) {
    slot.q = problem.vector();
    slot.v = problem.vector();
  }
}

Handle<Vec> FirstOrderForm::vector() const {
  PetscInt n = 0;
  check(VecGetLocalSize(work_.get(), &n));
  Handle<Vec> y;
  check(VecCreateMPI(PETSC_COMM_WORLD, 2 * n, PETSC_DECIDE, y.out()));
  return y;
}

Handle<Vec> FirstOrderForm::initial() {
  Handle<Vec> y = vector();
  const Halves at(*this, y.get(), Halves::Access::write);
  problem_.initial(at.q(), at.v());
  return y;
}

Handle<Vec> FirstOrderForm::constant(double q, double v) {
  Handle<Vec> y = vector();
  const Halves at(*this, y.get(), Halves::Access::write);
  check(VecSet(at.q(), q));
  check(VecSet(at.v(), v));
  return y;
}

void FirstOrderForm::split(Vec y, Vec q, Vec v) {
  const Halves at(*this, y, Halves::Access::read);
  check(VecCopy(at.q(), q));
  check(VecCopy(at.v(), v));
}

void FirstOrderForm::linearize(Vec y) { split(y, point_q_.get(), point_v_.get()); }

void FirstOrderForm::build(double gamma) {
  preconditioner_.build(point_q_.get(), point_v_.get(), gamma * gamma, gamma);
}

void FirstOrderForm::rate(double t, Vec y, Vec dy) {
  const Halves at(*this, y, Halves::Access::read), out(*this, dy, Halves::Access::write);
  problem_.force(t, at.q(), at.v(), out.v());
  check(VecPointwiseDivide(out.v(), out.v(), problem_.mass()));
  check(VecCopy(at.v(), out.q()));
}

void FirstOrderForm::rate_product(Vec x, Vec y) {
  const Halves in(*this, x, Halves::Access::read), out(*this, y, Halves::Access::write);
  problem_.product(point_q_.get(), point_v_.get(), 1, in.q(), 1, in.v(), out.v());
  check(VecPointwiseDivide(out.v(), out.v(), problem_.mass()));
  check(VecCopy(in.v(), out.q()));
}

/// Substitutes x_q = r_q + gamma x_v, which leaves (M - gamma F_v - gamma^2 F_q) x_v = M r_v + gamma F_q r_q.
void FirstOrderForm::rate_solve(double gamma, Vec r, Vec x) {
  const Halves in(*this, r, Halves::Access::read), out(*this, x, Halves::Access::write);
  problem_.elimination(point_q_.get(), point_v_.get(), gamma, in.q(), work_.get());
  check(VecPointwiseMult(sum_.get(), problem_.mass(), in.v()));
  check(VecAXPY(sum_.get(), 1, work_.get()));
  preconditioner_.apply(sum_.get(), out.v());
  check(VecWAXPY(out.q(), gamma, out.v(), in.q()));
}

void FirstOrderForm::residual(double t, Vec y, Vec dy, Vec r) {
  const Halves at(*this, y, Halves::Access::read), rate(*this, dy, Halves::Access::read),
      out(*this, r, Halves::Access::write);
  problem_.force(t, at.q(), at.v(), work_.get());
  check(VecWAXPY(out.q(), -1, at.v(), rate.q()));
  check(VecPointwiseMult(out.v(), problem_.mass(), rate.v()));
  check(VecAXPY(out.v(), -1, work_.get()));
}

void FirstOrderForm::residual_product(double a, Vec x, Vec y) {
  const Halves in(*this, x, Halves::Access::read), out(*this, y, Halves::Access::write);
  problem_.product(point_q_.get(), point_v_.get(), 1, in.q(), 1, in.v(), work_.get());
  check(VecCopy(in.q(), out.q()));
  check(VecAXPBY(out.q(), -1, a, in.v()));
  check(VecPointwiseMult(out.v(), problem_.mass(), in.v()));
  check(VecAXPBY(out.v(), -1, a, work_.get()));
}

/// Substitutes x_q = (r_q + x_v) / a, which leaves (M - F_v / a - F_q / a^2) x_v = r_v / a + F_q r_q / a^2.
void FirstOrderForm::residual_solve(double a, Vec r, Vec x) {
  const Halves in(*this, r, Halves::Access::read), out(*this, x, Halves::Access::write);
  problem_.elimination(point_q_.get(), point_v_.get(), 1 / (a * a), in.q(), work_.get());
  check(VecAXPY(work_.get(), 1 / a, in.v()));
  preconditioner_.apply(work_.get(), out.v());
  check(VecWAXPY(out.q(), 1, in.q(), out.v()));
  check(VecScale(out.q(), 1 / a));
}

}  // namespace bench
