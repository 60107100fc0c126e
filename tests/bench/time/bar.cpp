#include "bar.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace bench {
namespace {

class Bar : public Problem {
 public:
  explicit Bar(const BarShape& shape) : shape_(shape), h_(1.0 / static_cast<double>(shape.nodes + 1)) {
    Handle<DM> line;
    check(DMDACreate1d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, shape.nodes, 1, 1, nullptr, line.out()));
    check(DMSetUp(line.get()));
    use(std::move(line));
    check(VecSet(mass(), h_));
    check(DMDAGetCorners(dm(), &first_, nullptr, nullptr, &owned_, nullptr, nullptr));
    check(DMDAGetGhostCorners(dm(), &first_ghost_, nullptr, nullptr, nullptr, nullptr, nullptr));
    end = 2;
    scale_q = shape.amplitude;
    scale_v = 4 * shape.amplitude;
  }

  bool symmetric() const override { return true; }

  void initial(Vec q, Vec v) const override {
    const WriteView at(q);
    for (PetscInt i = 0; i < owned_; ++i) {
      const double angle = std::numbers::pi * static_cast<double>(first_ + i + 1) * h_;
      at[i] = shape_.amplitude * (std::sin(angle) + 0.3 * std::sin(5 * angle));
    }
    check(VecSet(v, 0));
  }

 private:
  /// Returns (x_e - x_{e-1}) / h across element e = 0 .. nodes, which lies before node e.
  double slope(const ReadView& ghosted, PetscInt e) const {
    const double left = e == 0 ? 0 : ghosted[e - 1 - first_ghost_];
    const double right = e == shape_.nodes ? 0 : ghosted[e - first_ghost_];
    return (right - left) / h_;
  }

  /// Computes y_i = flux(i + 1) - flux(i), where the flux is a function of the element.
  template <class Flux>
  void diverge(const Flux& flux, Vec y) const {
    const WriteView out(y);
    double left = flux(first_);
    for (PetscInt i = 0; i < owned_; ++i) {
      const double right = flux(first_ + i + 1);
      out[i] = right - left;
      left = right;
    }
  }

  double stiffness(double strain) const { return 1 + 3 * shape_.cubic * strain * strain; }

  void compute_force(double, Vec q, Vec v, Vec f) override {
    const ReadView at(with_ghosts(0, q)), rate(with_ghosts(1, v));
    diverge(
        [&](PetscInt e) {
          const double strain = slope(at, e);
          return strain + shape_.cubic * strain * strain * strain + shape_.stiffness_damping * slope(rate, e);
        },
        f);
    check(VecAXPY(f, -shape_.mass_damping * h_, v));
    check(PetscLogFlops(12.0 * static_cast<double>(owned_)));
  }

  void compute_product(Vec q, Vec, double fq, Vec x, double fv, Vec z, Vec y) override {
    const Vec first = with_ghosts(2, x), second = z == x ? first : with_ghosts(3, z);
    const ReadView at(with_ghosts(0, q)), dx(first), dz(second);
    diverge(
        [&](PetscInt e) {
          return fq * stiffness(slope(at, e)) * slope(dx, e) + fv * shape_.stiffness_damping * slope(dz, e);
        },
        y);
    check(VecAXPY(y, -shape_.mass_damping * h_ * fv, z));
    check(PetscLogFlops(16.0 * static_cast<double>(owned_)));
  }

  void fill(Vec q, Vec, double fm, double fq, double fv, Mat P) override {
    const ReadView at(with_ghosts(0, q));
    const auto spring = [&](PetscInt e) { return (fq * stiffness(slope(at, e)) + fv * shape_.stiffness_damping) / h_; };
    for (PetscInt i = first_; i < first_ + owned_; ++i) {
      const double left = spring(i), right = spring(i + 1);
      const std::array<PetscInt, 3> columns{i - 1, i, i < shape_.nodes - 1 ? i + 1 : -1};  // negative: left out
      const std::array<double, 3> row{-left, h_ * (fm + fv * shape_.mass_damping) + left + right, -right};
      check(MatSetValues(P, 1, &i, 3, columns.data(), row.data(), INSERT_VALUES));
    }
  }

  BarShape shape_;
  double h_;
  PetscInt first_ = 0, owned_ = 0, first_ghost_ = 0;
};

}  // namespace

std::unique_ptr<Problem> make_bar(const BarShape& shape) { return std::make_unique<Bar>(shape); }

}  // namespace bench
