#include "dynamics/equations/guarded_linearization.hpp"

#include "petsc/poison.hpp"

#include <utility>

namespace gearshift {

using petsc::poison_where;

GuardedLinearization::GuardedLinearization(std::unique_ptr<Linearization> base, petsc::CallbackGuard& guard)
    : base_(std::move(base)), guard_(guard) {}

template <class Body>
bool GuardedLinearization::product(Vec out, Body&& body) {
  bool provided = true;
  const bool good = guard_.run([&] { provided = body(); });
  if (!good) provided = true;  // as on the ranks on which it did not throw
  if (provided) poison_where(!good || spoiled_, out);
  return provided;
}

void GuardedLinearization::update(const State& x) {
  spoiled_ = !guard_.run([&] { base_->update(x); });
}

void GuardedLinearization::follow(const State& x) {
  spoiled_ = !guard_.run([&] { base_->follow(x); });
}

void GuardedLinearization::apply(Shifts s, Vec in, Vec out) {
  product(out, [&] {
    base_->apply(s, in, out);
    return true;
  });
}

bool GuardedLinearization::apply_free(Shifts s, Vec in, Vec out) {
  return product(out, [&] { return base_->apply_free(s, in, out); });
}

bool GuardedLinearization::diagonal(Shifts s, Vec d) {
  return product(d, [&] { return base_->diagonal(s, d); });
}

bool GuardedLinearization::assemble(Shifts s, Mat P) {
  bool provided = true;
  if (guard_.run([&] { provided = base_->assemble(s, P); })) return provided;
  spoiled_ = true;
  return true;
}

bool GuardedLinearization::apply_stiffness_derivative(Vec direction, Vec in, Vec out) {
  return product(out, [&] { return base_->apply_stiffness_derivative(direction, in, out); });
}

}  // namespace gearshift
