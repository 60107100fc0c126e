#include "problem.hpp"

#include <utility>

namespace bench {

Handle<Vec> Problem::vector() const {
  Handle<Vec> x;
  check(DMCreateGlobalVector(dm(), x.out()));
  return x;
}

PetscInt Problem::size() const {
  PetscInt n = 0;
  check(VecGetSize(mass(), &n));
  return n;
}

Handle<Mat> Problem::matrix() const {
  Handle<Mat> P;
  check(DMCreateMatrix(dm(), P.out()));
  return P;
}

void Problem::use(Handle<DM> dm) {
  dm_ = std::move(dm);
  check(DMSetMatType(dm_.get(), MATAIJ));
  mass_ = vector();
  for (auto& vec : local_) check(DMCreateLocalVector(dm_.get(), vec.out()));
}

Vec Problem::with_ghosts(int slot, Vec x) {
  check(DMGlobalToLocal(dm(), x, INSERT_VALUES, local_[slot].get()));
  return local_[slot].get();
}

void Problem::sweep(const std::function<void()>& body) {
  PetscLogDouble before = 0, after = 0;
  check(PetscGetFlops(&before));
  body();
  check(PetscGetFlops(&after));
  counts.flops += after - before;
}

void Problem::force(double t, Vec q, Vec v, Vec f) {
  ++counts.forces;
  sweep([&] { compute_force(t, q, v, f); });
}

void Problem::product(Vec q, Vec v, double fq, Vec x, double fv, Vec z, Vec y) {
  ++counts.products;
  sweep([&] { compute_product(q, v, fq, x, fv, z, y); });
}

void Problem::elimination(Vec q, Vec v, double fq, Vec x, Vec y) {
  ++counts.eliminations;
  sweep([&] { compute_product(q, v, fq, x, 0, x, y); });
}

void Problem::assemble(Vec q, Vec v, double fm, double fq, double fv, Mat P) {
  check(MatZeroEntries(P));
  sweep([&] { fill(q, v, fm, fq, fv, P); });
  check(MatAssemblyBegin(P, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(P, MAT_FINAL_ASSEMBLY));
}

}  // namespace bench
