#include <gearshift/dynamics/assembled_system.hpp>

#include "dynamics/equations/linear_terms.hpp"
#include "dynamics/equations/state_copy.hpp"
#include "dynamics/equations/tangent_matrices.hpp"
#include "petsc/queries.hpp"
#include "petsc/read_lock.hpp"

#include <utility>

namespace gearshift {

using petsc::check;
using petsc::Handle;

struct AssembledSystem::Impl {
  Handle<Mat> pattern;
  std::optional<LinearTerms> linear;
  std::unique_ptr<TangentMatrices> constant;  ///< matrices of the linear system, valid at any point
  Load load;
  Residual residual;
  Fill fill;
  bool symmetric = false;
  Handle<IS> constrained;
  Motion motion;
  PetscInt fills = 0;
};

namespace {

bool known_symmetric(Mat matrix) {
  PetscBool set = PETSC_FALSE, symmetric = PETSC_FALSE;
  check(MatIsSymmetricKnown(matrix, &set, &symmetric));
  if (set) return symmetric;
  check(MatIsSPDKnown(matrix, &set, &symmetric));
  return set && symmetric;
}

/// Operations that follow from the matrix of any shifts.
class MatrixTangent : public Linearization {
 public:
  /// @param matrices referenced, not used before the first call
  explicit MatrixTangent(TangentMatrices& matrices) : tangents_(matrices) {}

  void apply(Shifts s, Vec in, Vec out) override {
    tangents_.with(s, [&](Mat A) { check(MatMult(A, in, out)); });
  }
  bool diagonal(Shifts s, Vec d) override {
    tangents_.with(s, [&](Mat A) { check(MatGetDiagonal(A, d)); });
    return true;
  }
  bool assemble(Shifts s, Mat P) override {
    tangents_.with(s, [&](Mat A) { check(MatCopy(A, P, SAME_NONZERO_PATTERN)); });
    return true;
  }

 private:
  TangentMatrices& tangents_;
};

/// Products with matrices that are filled at the point of the last update().
class AssembledTangent : public MatrixTangent {
 public:
  AssembledTangent(AssembledSystem& system, Mat pattern, PetscInt& fills)
      : MatrixTangent(matrices_), matrices_(pattern, [this, &system, &fills](Shifts s, Mat P) {
          const State x = at_.state();
          const petsc::ReadLock q(x.q), v(x.v), a(x.a);
          ++fills;
          system.fill(x, s, P);
        }) {}

  void update(const State& x) override {
    at_.take(x);
    matrices_.forget();
  }

 private:
  TangentMatrices matrices_;
  StateCopy at_;
};

/// Products with the matrices M, C and K. They do not depend on the point.
class LinearTangent : public MatrixTangent {
 public:
  LinearTangent(LinearTerms& terms, TangentMatrices& matrices) : MatrixTangent(matrices), terms_(terms) {}

  void update(const State&) override {}
  void apply(Shifts s, Vec in, Vec out) override {
    if (!terms_.apply_single(s, in, out)) MatrixTangent::apply(s, in, out);
  }
  bool apply_stiffness_derivative(Vec, Vec, Vec out) override {
    check(VecSet(out, 0));
    return true;
  }

 private:
  LinearTerms& terms_;
};

}  // namespace

AssembledSystem::AssembledSystem(Mat M, Mat C, Mat K, Load load) : impl_(std::make_unique<Impl>()) {
  Impl& impl = *impl_;
  impl.linear.emplace(M, C, K);
  impl.load = std::move(load);
  impl.pattern = impl.linear->union_pattern();
  impl.symmetric = true;
  for (Mat matrix : {M, C, K}) impl.symmetric = impl.symmetric && (!matrix || known_symmetric(matrix));
  impl.constant = std::make_unique<TangentMatrices>(impl.pattern.get(), [&impl](Shifts s, Mat P) {
    ++impl.fills;
    impl.linear->add(s, P);
  });
}

AssembledSystem::AssembledSystem(Mat pattern) : impl_(std::make_unique<Impl>()) {
  PetscBool assembled = PETSC_FALSE;
  if (!pattern) throw OptionError("AssembledSystem: the matrix that gives the tangent's pattern is null");
  check(MatAssembled(pattern, &assembled));
  if (!assembled)
    throw OptionError(
        "AssembledSystem: the matrix that gives the tangent's pattern is not assembled; fill it once (zeros count) and "
        "call MatAssemblyBegin and MatAssemblyEnd");
  impl_->pattern = Handle<Mat>::share(pattern);
  impl_->symmetric = known_symmetric(pattern);
}

AssembledSystem::AssembledSystem(Mat pattern, Residual residual, Fill fill) : AssembledSystem(pattern) {
  if (!residual || !fill) throw OptionError("AssembledSystem: both functions, residual and fill, must be given");
  impl_->residual = std::move(residual);
  impl_->fill = std::move(fill);
}

AssembledSystem::~AssembledSystem() = default;

void AssembledSystem::set_symmetric(bool symmetric) { impl_->symmetric = symmetric; }

void AssembledSystem::set_constrained(IS entries, Motion motion) {
  impl_->constrained = Handle<IS>::share(entries);
  impl_->motion = std::move(motion);
}

void AssembledSystem::matrices_changed() {
  if (impl_->constant) impl_->constant->forget();
}

PetscInt AssembledSystem::fills() const { return impl_->fills; }

void AssembledSystem::fill(const State& x, Shifts s, Mat P) {
  if (impl_->linear)
    impl_->linear->add(s, P);
  else if (impl_->fill)
    impl_->fill(x, s, P);
  else
    throw Error("a class derived from AssembledSystem must override fill()");
}

void AssembledSystem::residual(const State& x, Vec r) {
  if (impl_->linear)
    impl_->linear->residual(x, impl_->load, r);
  else if (impl_->residual)
    impl_->residual(x, r);
  else
    throw Error("a class derived from AssembledSystem must override residual()");
}

std::unique_ptr<Linearization> AssembledSystem::make_linearization() {
  if (impl_->linear) return std::make_unique<LinearTangent>(*impl_->linear, *impl_->constant);
  return std::make_unique<AssembledTangent>(*this, impl_->pattern.get(), impl_->fills);
}

Mat AssembledSystem::create_preconditioner_matrix() {
  Handle<Mat> P = duplicate_pattern(impl_->pattern.get());
  if (impl_->symmetric)
    for (const MatOption known : {MAT_SYMMETRIC, MAT_SYMMETRY_ETERNAL}) check(MatSetOption(P.get(), known, PETSC_TRUE));
  return P.release();
}

bool AssembledSystem::symmetric() const { return impl_->symmetric; }

IS AssembledSystem::constrained() const { return impl_->constrained.get(); }

void AssembledSystem::prescribe(PetscReal t, Vec q, Vec v, Vec a) {
  if (impl_->motion) return impl_->motion(t, q, v, a);
  if (!impl_->constrained) return;
  for (Vec x : {q, v, a}) check(VecISSet(x, impl_->constrained.get(), 0));
}

std::optional<Energy> AssembledSystem::energy(const State& x) {
  if (!impl_->linear || !impl_->symmetric) return std::nullopt;
  return impl_->linear->energy(x, impl_->load);
}

}  // namespace gearshift
