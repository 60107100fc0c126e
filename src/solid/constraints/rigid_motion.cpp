#include "solid/constraints/rigid_motion.hpp"

#include <gearshift/petsc/views.hpp>

#include "petsc/lapack.hpp"
#include "solid/numerics/polar.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

namespace gearshift::solid {

namespace {

using Eigen::Matrix3d, Eigen::Vector3d;
using Matrix6d = Eigen::Matrix<double, 6, 6>;
using Vector6d = Eigen::Matrix<double, 6, 1>;

// The smallest significant eigenvalue of the supports' matrix, relative to the largest: a clamp as long as a thousandth
// of the body still holds the rotation.
constexpr double least_hold = 1e-6;
constexpr double no_hold = 1e-14;  // for the whole body: its nodes lie on one line
constexpr int max_iterations = 30;
constexpr double no_turn = 1e-14;  // [rad]

Matrix3d cross(const Vector3d& a) { return (Matrix3d() << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0).finished(); }

Vector3d vector(const PetscScalar* x) { return {x[0], x[1], x[2]}; }

/// Sums over points y that have a value z along one axis: of 1, y, y y', z and z y.
struct Moments {
  enum { count, value, first, with_value = first + 3, second = with_value + 3, size = second + 6 };
  double* sums;

  void add_point(const Vector3d& y) const {
    sums[count] += 1;
    for (Eigen::Index i = 0, k = second; i < 3; ++i) {
      sums[first + i] += y[i];
      for (Eigen::Index j = 0; j <= i; ++j) sums[k++] += y[i] * y[j];
    }
  }
  void add_value(const Vector3d& y, double z) const {
    sums[value] += z;
    for (Eigen::Index i = 0; i < 3; ++i) sums[with_value + i] += z * y[i];
  }
  void take_points(const Moments& of) const {
    sums[count] = of.sums[count];
    std::copy_n(of.sums + first, 3, sums + first);
    std::copy_n(of.sums + second, 6, sums + second);
  }
  Vector3d sum() const { return Eigen::Map<const Vector3d>(sums + first); }
  Vector3d sum_with_value() const { return Eigen::Map<const Vector3d>(sums + with_value); }
  Matrix3d squares() const {
    const double* s = sums + second;
    return (Matrix3d() << s[0], s[1], s[3], s[1], s[2], s[4], s[3], s[4], s[5]).finished();
  }
};

/// The moments of each axis.
using Axes = std::array<Moments, 3>;

struct Equations {
  Matrix6d matrix = Matrix6d::Zero();
  Vector6d right = Vector6d::Zero();
};

/// Returns the normal equations of least squares for a rotation vector (times `length`) and a shift that are added to
/// the rigid motion turn y + shift, so that it fits the values of each axis; with `rates`, for a spin and a velocity at
/// points turn y.
Equations equations(const Axes& axes, const Matrix3d& turn, const Vector3d& shift, bool rates, double length) {
  Equations e;
  for (Eigen::Index c = 0; c < 3; ++c) {
    const Moments& m = axes[static_cast<std::size_t>(c)];
    const Vector3d axis = Vector3d::Unit(c), row = rates ? Vector3d::Zero() : Vector3d(turn.row(c));
    const Matrix3d lever = -cross(axis) * turn / length;  // of (turn y) x axis
    e.matrix.topLeftCorner<3, 3>() += lever * m.squares() * lever.transpose();
    e.matrix.block<3, 1>(0, 3 + c) += lever * m.sum();
    e.matrix(3 + c, 3 + c) += m.sums[Moments::count];
    e.right.head<3>() += lever * (m.sum_with_value() - shift[c] * m.sum() - m.squares() * row);
    e.right[3 + c] += m.sums[Moments::value] - shift[c] * m.sums[Moments::count] - row.dot(m.sum());
  }
  e.matrix.bottomLeftCorner<3, 3>() = e.matrix.topRightCorner<3, 3>().transpose();
  return e;
}

/// Eigenvectors, one per column, of a symmetric matrix, by ascending eigenvalues; the first `open` eigenvalues are zero
/// relative to the largest.
struct Parts {
  Eigen::MatrixXd vectors;
  std::vector<double> values;
  Eigen::Index open = 0;

  Parts(Eigen::MatrixXd matrix, double least, bool with_vectors = true) : vectors(std::move(matrix)) {
    values = petsc::symmetric_eigen({vectors.data(), static_cast<std::size_t>(vectors.size())}, with_vectors);
    open = std::ranges::count_if(values, [&](double value) { return !(value > least * values.back()); });
  }
  /// Returns the least-squares solution x of matrix x = right with the smallest length.
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(right.size());
    for (Eigen::Index i = open; i < right.size(); ++i)
      x += vectors.col(i) * (vectors.col(i).dot(right) / values[static_cast<std::size_t>(i)]);
    return x;
  }
};

/// Returns the best solution for the supports and, among those, the best one for the whole body.
Vector6d solve(const Equations& supported, const Equations& whole) {
  const Parts parts(supported.matrix, least_hold);
  const Vector6d x = parts.solve(supported.right);
  if (parts.open == 0) return x;
  const Eigen::MatrixXd free = parts.vectors.leftCols(parts.open);
  const Parts rest(free.transpose() * whole.matrix * free, no_hold);
  return x + free * rest.solve(free.transpose() * (whole.right - whole.matrix * x));
}

/// Sums for the fit of positions or rates; they are added up over the ranks in one reduction.
struct Fit {
  Axes supported, whole;

  explicit Fit(double* sums) {
    for (Axes* axes : {&supported, &whole})
      for (Moments& m : *axes) {
        m.sums = sums;
        sums += Moments::size;
      }
  }
  static constexpr std::size_t size = 6 * Moments::size;

  Vector6d step(const Matrix3d& turn, const Vector3d& shift, bool rates, double length) const {
    Vector6d x = solve(equations(supported, turn, shift, rates, length), equations(whole, turn, shift, rates, length));
    x.head<3>() /= length;
    return x;
  }
};

/// Starts with the polar decomposition of sum z y', the best rotation of a free body, and continues with the
/// Gauss-Newton iteration.
void place_body(const Fit& fit, double length, Matrix3d& turn, Vector3d& shift) {
  for (std::size_t c = 0; c < 3; ++c) turn.row(static_cast<Eigen::Index>(c)) = fit.whole[c].sum_with_value();
  turn = Polar(turn).R;
  shift.setZero();
  for (int i = 0; i < max_iterations; ++i) {
    const Vector6d step = fit.step(turn, shift, false, length);
    const double angle = step.head<3>().norm();
    shift += step.tail<3>();
    if (angle > 0) turn = Eigen::AngleAxisd(angle, step.head<3>() / angle).toRotationMatrix() * turn;
    if (!(angle > no_turn)) break;
  }
}

void sum_up(const Space& space, std::span<double> sums) {
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_DOUBLE, MPI_SUM, space.comm());
}

}  // namespace

bool hold_rigidly(const Space& space, const Supports& supports) {
  const std::span<const Vec3> places = space.coordinates().first(static_cast<std::size_t>(space.owned_nodes()));
  std::array<double, 4> means{0, 0, 0, static_cast<double>(places.size())};
  for (const Vec3& x : places)
    for (std::size_t c = 0; c < 3; ++c) means[c] += x[c];
  sum_up(space, means);
  const Vector3d middle = vector(means.data()) / means[3];
  // The displacement of a rigid motion at a support is (y x n / length) . (length turn) + n . shift.
  Matrix6d seen = Matrix6d::Zero();
  std::array<double, 1> squares{};
  for (const Vec3& x : places) squares[0] += (vector(x.data()) - middle).squaredNorm();
  sum_up(space, squares);
  const double length = std::sqrt(squares[0] / means[3]);
  // Each support counts with the mean over its entries, whether it is a face or a point.
  std::vector<double> entries(static_cast<std::size_t>(supports.list().count()), 0);
  for (const PetscInt index : supports.constraints().entries())
    entries[supports.support_of(static_cast<std::size_t>(index))] += 1;
  sum_up(space, entries);
  for (const PetscInt index : supports.constraints().entries()) {
    const auto entry = static_cast<std::size_t>(index);
    Vector3d n = Vector3d::Unit(static_cast<Eigen::Index>(entry % 3));
    if (const DependentEntry* dependent = supports.constraints().find(entry))
      n = (n - vector(dependent->slopes.data())).normalized();
    Vector6d row;
    row << (vector(places[entry / 3].data()) - middle).cross(n) / length, n;
    seen += row * row.transpose() / entries[supports.support_of(entry)];
  }
  sum_up(space, {seen.data(), 36});
  return Parts(seen, least_hold, false).open == 0;
}

bool take_out_rigid_motion(const Space& space, const Supports& supports, Vec q, Vec v) {
  if (supports.fix_body()) return false;
  const petsc::WriteView u(q), w(v);
  const std::size_t nodes = u.size() / 3;
  std::array<double, 10> means{};
  for (std::size_t node = 0; node < nodes; ++node)
    for (std::size_t c = 0; c < 3; ++c) {
      means[c] += space.coordinates()[node][c];
      means[3 + c] += u[3 * node + c];
      means[6 + c] += w[3 * node + c];
    }
  means[9] = static_cast<double>(nodes);
  sum_up(space, means);
  for (std::size_t i = 0; i < 9; ++i) means[i] /= means[9];
  const Vector3d middle = vector(&means[0]), moved = vector(&means[3]), drift = vector(&means[6]);
  // Positions and velocities relative to their means.
  const auto begun = [&](std::size_t node) -> Vector3d { return vector(space.coordinates()[node].data()) - middle; };
  const auto now = [&](std::size_t node) -> Vector3d { return begun(node) + vector(&u[3 * node]) - moved; };
  const auto rate = [&](std::size_t node) -> Vector3d { return vector(&w[3 * node]) - drift; };

  std::array<double, 2 * Fit::size> sums{};
  const Fit place(sums.data()), speed(sums.data() + Fit::size);
  for (const PetscInt index : supports.constraints().entries()) {
    // Rollers are left out: they may have any direction, but the fit is along the axes.
    if (supports.on_rollers(static_cast<std::size_t>(index))) continue;
    const std::size_t node = static_cast<std::size_t>(index) / 3, c = static_cast<std::size_t>(index) % 3;
    place.supported[c].add_point(begun(node));
    place.supported[c].add_value(begun(node), now(node)[static_cast<Eigen::Index>(c)]);
    speed.supported[c].add_point(now(node));
    speed.supported[c].add_value(now(node), rate(node)[static_cast<Eigen::Index>(c)]);
  }
  for (std::size_t node = 0; node < nodes; ++node) {
    const Vector3d y = begun(node), x = now(node), rates = rate(node);
    place.whole[0].add_point(y);
    speed.whole[0].add_point(x);
    for (std::size_t c = 0; c < 3; ++c) {
      place.whole[c].add_value(y, x[static_cast<Eigen::Index>(c)]);
      speed.whole[c].add_value(x, rates[static_cast<Eigen::Index>(c)]);
    }
  }
  sum_up(space, sums);
  for (const Fit& fit : {place, speed})
    for (const std::size_t c : {1U, 2U}) fit.whole[c].take_points(fit.whole[0]);
  const double length = std::sqrt(place.whole[0].squares().trace() / means[9]);
  if (!std::isfinite(length + sums[Fit::size + Moments::value]) || !(length > 0)) return false;

  Matrix3d turn;
  Vector3d shift;
  place_body(place, length, turn, shift);
  const Vector6d spin = speed.step(Matrix3d::Identity(), Vector3d::Zero(), true, length);
  for (std::size_t node = 0; node < nodes; ++node) {
    const Vector3d y = begun(node), x = now(node), left = turn.transpose() * (x - shift) - y,
                   change = turn.transpose() * (rate(node) - spin.tail<3>() - Vector3d(spin.head<3>()).cross(x));
    for (std::size_t c = 0; c < 3; ++c) {
      u[3 * node + c] = left[static_cast<Eigen::Index>(c)];
      w[3 * node + c] = change[static_cast<Eigen::Index>(c)];
    }
  }
  return true;
}

}  // namespace gearshift::solid
