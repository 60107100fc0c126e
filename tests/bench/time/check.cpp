#include "check.hpp"

#include <algorithm>

namespace bench {
namespace {

/// Returns x - y relative to y.
double difference(Vec x, Vec y) {
  PetscReal size = 0, error = 0;
  check(VecNorm(y, NORM_2, &size));
  check(VecAXPY(x, -1, y));
  check(VecNorm(x, NORM_2, &error));
  return size > 0 ? error / size : error;
}

}  // namespace

void check_tangents(Problem& problem) {
  const Handle<Vec> q = problem.vector(), v = problem.vector(), x = problem.vector(), product = problem.vector(),
                    ahead = problem.vector(), behind = problem.vector();
  problem.initial(q.get(), v.get());
  problem.force(0, q.get(), v.get(), behind.get());
  // Random directions that keep fixed nodes (those without a force) in place.
  PetscRandom random = nullptr;
  check(PetscRandomCreate(PETSC_COMM_WORLD, &random));
  check(PetscRandomSetInterval(random, -1, 1));
  const Handle<Vec> moves = problem.vector();
  check(VecSetRandom(moves.get(), random));
  check(VecAXPY(q.get(), 1e-3, moves.get()));
  problem.force(0, q.get(), v.get(), ahead.get());
  const auto free_part = [&](Vec of) {
    const ReadView force(ahead.get());
    const WriteView entries(of);
    for (std::size_t i = 0; i < entries.size(); ++i)
      if (force[i] == 0) entries[i] = 0;
  };
  problem.initial(q.get(), v.get());
  free_part(moves.get());
  check(VecAXPY(q.get(), 1e-3, moves.get()));
  check(VecSetRandom(v.get(), random));
  free_part(v.get());
  check(VecSetRandom(x.get(), random));
  free_part(x.get());
  check(PetscRandomDestroy(&random));

  const double step = 1e-6;
  double worst = 0;
  for (const Vec moved : {q.get(), v.get()}) {
    const bool velocity = moved == v.get();
    check(VecAXPY(moved, step, x.get()));
    problem.force(0, q.get(), v.get(), ahead.get());
    check(VecAXPY(moved, -2 * step, x.get()));
    problem.force(0, q.get(), v.get(), behind.get());
    check(VecAXPY(moved, step, x.get()));
    check(VecAXPY(ahead.get(), -1, behind.get()));
    check(VecScale(ahead.get(), 0.5 / step));
    problem.product(q.get(), v.get(), velocity ? 0 : 1, x.get(), velocity ? 1 : 0, x.get(), product.get());
    const double error = difference(ahead.get(), product.get());
    worst = std::max(worst, error);
    check(PetscPrintf(PETSC_COMM_WORLD, "%s: product with F_%s against differences %.2e\n", problem.name.c_str(),
                      velocity ? "v" : "q", error));
  }
  const double fm = 1.1, fq = 0.3, fv = 0.7;
  const Handle<Mat> P = problem.matrix();
  problem.assemble(q.get(), v.get(), fm, fq, fv, P.get());
  check(MatMult(P.get(), x.get(), ahead.get()));
  problem.product(q.get(), v.get(), -fq, x.get(), -fv, x.get(), product.get());
  check(VecPointwiseMult(behind.get(), problem.mass(), x.get()));
  check(VecAXPY(product.get(), fm, behind.get()));
  const double assembled = difference(ahead.get(), product.get());
  check(PetscPrintf(PETSC_COMM_WORLD, "%s: assembled matrix against products %.2e\n", problem.name.c_str(), assembled));
  if (worst > 1e-5 || assembled > 1e-12) throw gearshift::Error(problem.name + ": the tangent is wrong");
}

}  // namespace bench
