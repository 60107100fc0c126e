#include "matrix_body.hpp"

#include <utility>

namespace bench {
namespace {

class MatrixBody : public Problem {
 public:
  explicit MatrixBody(MatrixBodyShape shape) : shape_(std::move(shape)) {
    Handle<DM> line;
    check(DMDACreate1d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, shape_.nodes, shape_.per_node, shape_.reach, nullptr,
                       line.out()));
    check(DMSetUp(line.get()));
    use(std::move(line));
    check(VecSet(mass(), shape_.mass));
    check(VecGetOwnershipRange(mass(), &first_, &last_));
    stiffness_ = filled(shape_.stiffness);
    damping_ = filled(shape_.damping);
    work_ = vector();
    end = shape_.end;
    scale_q = shape_.scale_q;
    scale_v = shape_.scale_v;
  }

  bool symmetric() const override { return shape_.symmetric; }

  void initial(Vec q, Vec v) const override {
    const auto set = [&](Vec x, const std::function<double(PetscInt)>& value) {
      const WriteView out(x);
      for (PetscInt i = first_; i < last_; ++i) out[i - first_] = value ? value(i) : 0;
    };
    set(q, shape_.initial_q);
    set(v, shape_.initial_v);
  }

 private:
  Handle<Mat> filled(const MatrixBodyShape::Matrix& entries) const {
    Handle<Mat> A = matrix();
    for (const auto& [row, column, value] : entries)
      if (row >= first_ && row < last_) check(MatSetValue(A.get(), row, column, value, ADD_VALUES));
    check(MatAssemblyBegin(A.get(), MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(A.get(), MAT_FINAL_ASSEMBLY));
    return A;
  }

  void compute_force(double t, Vec q, Vec v, Vec f) override {
    check(MatMult(stiffness_.get(), q, work_.get()));
    check(MatMultAdd(damping_.get(), v, work_.get(), f));
    check(VecScale(f, -1));
    const ReadView at(q), rate(v);
    const WriteView out(f);
    for (PetscInt i = 0; i < last_ - first_; ++i) {
      if (shape_.load) out[i] += shape_.load(first_ + i, t);
      if (shape_.local) out[i] += shape_.local(at[i], rate[i]).force;
    }
  }

  void compute_product(Vec q, Vec v, double fq, Vec x, double fv, Vec z, Vec y) override {
    check(MatMult(stiffness_.get(), x, work_.get()));
    check(MatMult(damping_.get(), z, y));
    check(VecAXPBY(y, -fq, -fv, work_.get()));
    if (!shape_.local) return;
    const ReadView at(q), rate(v), dx(x), dz(z);
    const WriteView out(y);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto local = shape_.local(at[i], rate[i]);
      out[i] += fq * local.fq * dx[i] + fv * local.fv * dz[i];
    }
  }

  void fill(Vec q, Vec v, double fm, double fq, double fv, Mat P) override {
    check(MatAXPY(P, fq, stiffness_.get(), SAME_NONZERO_PATTERN));
    check(MatAXPY(P, fv, damping_.get(), SAME_NONZERO_PATTERN));
    check(VecSet(work_.get(), fm * shape_.mass));
    if (shape_.local) {
      const ReadView at(q), rate(v);
      const WriteView diagonal(work_.get());
      for (std::size_t i = 0; i < diagonal.size(); ++i) {
        const auto local = shape_.local(at[i], rate[i]);
        diagonal[i] -= fq * local.fq + fv * local.fv;
      }
    }
    check(MatDiagonalSet(P, work_.get(), ADD_VALUES));
  }

  MatrixBodyShape shape_;
  PetscInt first_ = 0, last_ = 0;
  Handle<Mat> stiffness_, damping_;
  Handle<Vec> work_;
};

}  // namespace

std::unique_ptr<Problem> make_matrix_body(MatrixBodyShape shape) {
  return std::make_unique<MatrixBody>(std::move(shape));
}

}  // namespace bench
