#pragma once

#include <gearshift/gearshift.hpp>

#include <functional>
#include <vector>

/// Systems of a few unknowns given by plain functions; every rank computes all entries and writes its own.
namespace small {

using Values = std::vector<double>;
using gearshift::Shifts;
using gearshift::State;
using gearshift::petsc::check;
using gearshift::petsc::Handle;

struct Point {
  double t;
  Values q, v, a;
};

inline Handle<Vec> vector(const Values& values) {
  Handle<Vec> x;
  check(VecCreateMPI(PETSC_COMM_WORLD, PETSC_DECIDE, static_cast<PetscInt>(values.size()), x.out()));
  PetscInt first = 0;
  check(VecGetOwnershipRange(x.get(), &first, nullptr));
  const gearshift::petsc::WriteView view(x.get());
  for (std::size_t i = 0; i < view.size(); ++i) view[i] = values[first + i];
  return x;
}

inline Values gather(Vec x) {
  PetscInt first = 0, size = 0;
  check(VecGetOwnershipRange(x, &first, nullptr));
  check(VecGetSize(x, &size));
  Values all(size, 0.0);
  {
    const gearshift::petsc::ReadView view(x);
    for (std::size_t i = 0; i < view.size(); ++i) all[first + i] = view[i];
  }
  MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(size), MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  return all;
}

inline void scatter(const Values& all, Vec x) {
  PetscInt first = 0;
  check(VecGetOwnershipRange(x, &first, nullptr));
  const gearshift::petsc::WriteView view(x);
  for (std::size_t i = 0; i < view.size(); ++i) view[i] = all[first + i];
}

class SmallSystem : public gearshift::System {
 public:
  using Residual = std::function<Values(const Point&)>;
  using Tangent = std::function<Values(const Point&, Shifts, const Values&)>;
  explicit SmallSystem(Residual residual, Tangent tangent = {}, bool is_symmetric = false)
      : residual_(std::move(residual)), tangent_(std::move(tangent)), symmetric_(is_symmetric) {}
  void residual(const State& x, Vec r) override {
    ++residuals;
    scatter(residual_(point(x)), r);
  }
  void tangent(const State& x, Shifts s, Vec in, Vec out) override {
    if (!tangent_) return System::tangent(x, s, in, out);
    scatter(tangent_(point(x), s, gather(in)), out);
  }
  bool symmetric() const override { return symmetric_; }
  static Point point(const State& x) { return {x.t, gather(x.q), gather(x.v), gather(x.a)}; }
  int residuals = 0;

 private:
  Residual residual_;
  Tangent tangent_;
  bool symmetric_;
};

}  // namespace small
