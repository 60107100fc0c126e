#include "dynamics/equations/linear_terms.hpp"

#include "dynamics/equations/tangent_matrices.hpp"
#include "petsc/queries.hpp"
#include "petsc/ranks/deferred.hpp"

#include <string_view>

namespace gearshift {

using petsc::check;
using petsc::Handle;

namespace {

std::array<PetscInt, 4> sizes_of(Mat matrix) {
  std::array<PetscInt, 4> sizes{};
  check(MatGetLocalSize(matrix, &sizes[0], &sizes[1]));
  check(MatGetSize(matrix, &sizes[2], &sizes[3]));
  return sizes;
}

PetscReal nonzeros(Mat matrix) {
  MatInfo info{};
  check(MatGetInfo(matrix, MAT_GLOBAL_SUM, &info));
  return info.nz_used;
}

bool same_type(Mat a, Mat b) {
  MatType first = nullptr, second = nullptr;
  check(MatGetType(a, &first));
  check(MatGetType(b, &second));
  return std::string_view(first) == second;
}

}  // namespace

LinearTerms::LinearTerms(Mat M, Mat C, Mat K) {
  Mat first = nullptr;
  const std::array given{K, C, M};
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!given[i]) continue;
    terms_[i].matrix = Handle<Mat>::share(given[i]);
    if (!first) first = given[i];
    const std::array<PetscInt, 4> sizes = sizes_of(given[i]);
    const bool fits = petsc::all(petsc::comm_of(first), sizes == sizes_of(first) && sizes[0] == sizes[1]);
    if (!fits) throw OptionError("AssembledSystem: M, C and K must be square, equal in size and equally distributed");
  }
  if (!first) throw OptionError("AssembledSystem: M, C and K are all null; give one of them");
  check(MatCreateVecs(first, nullptr, work_.out()));
}

petsc::Handle<Mat> LinearTerms::union_pattern() {
  Mat sum = nullptr;
  MatNullSpace near = nullptr;
  for (const Term& term : terms_) {
    if (!term.matrix) continue;
    if (!near) check(MatGetNearNullSpace(term.matrix.get(), &near));
    if (!sum)
      check(MatDuplicate(term.matrix.get(), MAT_DO_NOT_COPY_VALUES, &sum));
    else
      check(MatAXPY(sum, 1, term.matrix.get(), DIFFERENT_NONZERO_PATTERN));
  }
  if (near) check(MatSetNearNullSpace(sum, near));
  const PetscReal all = nonzeros(sum);
  for (Term& term : terms_)
    if (term.matrix && same_type(term.matrix.get(), sum) && nonzeros(term.matrix.get()) == all)
      term.structure = SAME_NONZERO_PATTERN;
  return Handle<Mat>::adopt(sum);
}

void LinearTerms::residual(const State& x, const Load& load, Vec r) {
  petsc::Deferred all;
  check(VecSet(r, 0));
  if (load) all.run([&] { load(x.t, r); });
  check(VecScale(r, -1));
  const std::array of{x.q, x.v, x.a};
  for (std::size_t i = 0; i < of.size(); ++i)
    if (terms_[i].matrix) check(MatMultAdd(terms_[i].matrix.get(), of[i], r, r));
  all.rethrow();
}

void LinearTerms::add(Shifts s, Mat P) const {
  const std::array shifts{s.q, s.v, s.a};
  for (std::size_t i = 0; i < shifts.size(); ++i)
    if (terms_[i].matrix && shifts[i] != 0) check(MatAXPY(P, shifts[i], terms_[i].matrix.get(), terms_[i].structure));
}

bool LinearTerms::apply_single(Shifts s, Vec in, Vec out) const {
  const std::array shifts{s.q, s.v, s.a};
  int wanted = 0, only = 0;
  for (int i = 0; i < 3; ++i) {
    if (shifts[i] == 0 || !terms_[i].matrix) continue;
    ++wanted;
    only = i;
  }
  if (wanted > 1) return false;
  if (wanted == 0) {
    check(VecSet(out, 0));
    return true;
  }
  check(MatMult(terms_[only].matrix.get(), in, out));
  if (shifts[only] != 1) check(VecScale(out, shifts[only]));
  return true;
}

Energy LinearTerms::energy(const State& x, const Load& load) {
  std::array<PetscScalar, 4> forms{};  // q'Kq, v'Cv, v'Mv, f'v in one reduction
  const std::array of{x.q, x.v, x.v};
  petsc::Deferred all;
  Vec w = work_.get();
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (!terms_[i].matrix) continue;
    check(MatMult(terms_[i].matrix.get(), of[i], w));
    check(VecDotBegin(of[i], w, &forms[i]));
  }
  check(VecSet(w, 0));
  if (load) all.run([&] { load(x.t, w); });
  check(VecDotBegin(x.v, w, &forms[3]));
  for (std::size_t i = 0; i < of.size(); ++i)
    if (terms_[i].matrix) check(VecDotEnd(of[i], w, &forms[i]));
  check(VecDotEnd(x.v, w, &forms[3]));
  all.rethrow();
  return {forms[2] / 2, forms[0] / 2, forms[3], forms[1]};
}

}  // namespace gearshift
