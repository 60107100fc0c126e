#include "classics.hpp"

#include "matrix_body.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace bench {
namespace {

using std::numbers::pi;
using Matrix = MatrixBodyShape::Matrix;

/// Adds factor A to sum.
void add(Matrix& sum, double factor, const Matrix& A) {
  for (const auto& [row, column, value] : A) sum.push_back({row, column, factor * value});
}

Matrix identity(PetscInt n) {
  Matrix one;
  for (PetscInt i = 0; i < n; ++i) one.push_back({i, i, 1});
  return one;
}

/// Returns a M + b K with M = 1 and the damping ratio zeta at both frequencies.
Matrix rayleigh(double zeta, double low, double high, PetscInt n, const Matrix& stiffness) {
  Matrix damping;
  add(damping, 2 * zeta * low * high / (low + high), identity(n));
  add(damping, 2 * zeta / (low + high), stiffness);
  return damping;
}

/// Springs of stiffness k from node to node and from the first one to the ground; if `held`, also from the last one.
Matrix chain(PetscInt nodes, double k, bool held) {
  Matrix K;
  for (PetscInt i = 0; i < nodes; ++i) {
    K.push_back({i, i, held || i + 1 < nodes ? 2 * k : k});
    if (i > 0) K.push_back({i, i - 1, -k});
    if (i + 1 < nodes) K.push_back({i, i + 1, -k});
  }
  return K;
}

}  // namespace

std::unique_ptr<Problem> make_hertzian_wall() {
  MatrixBodyShape body;
  body.load = [](PetscInt, double) { return -1.0; };
  body.local = [](double q, double) {
    const double x = std::max(-q, 0.0), k = 1e4;
    return MatrixBodyShape::Local{k * x * std::sqrt(x), -1.5 * k * std::sqrt(x), 0};
  };
  body.initial_q = [](PetscInt) { return 1.0; };
  body.end = 11;
  body.scale_v = std::numbers::sqrt2;
  return make_matrix_body(std::move(body));
}

std::unique_ptr<Problem> make_van_der_pol() {
  MatrixBodyShape body;
  body.local = [](double q, double v) {
    const double mu = 100;
    return MatrixBodyShape::Local{mu * (1 - q * q) * v - q, -2 * mu * q * v - 1, mu * (1 - q * q)};
  };
  body.initial_q = [](PetscInt) { return 2.0; };
  body.end = 120;
  return make_matrix_body(std::move(body));
}

std::unique_ptr<Problem> make_stick_slip() {
  MatrixBodyShape body;
  body.symmetric = true;
  body.local = [](double q, double v) {
    const double slip = 0.3 - v, size = std::abs(slip), sharp = 100;
    const double limit = 0.4 + 0.6 * std::exp(-3 * size), slope = -1.8 * std::exp(-3 * size) * (slip < 0 ? -1 : 1);
    const double direction = std::tanh(sharp * slip), turn = sharp * (1 - direction * direction);
    return MatrixBodyShape::Local{limit * direction - q, -1, -(slope * direction + limit * turn)};
  };
  body.end = 40;
  return make_matrix_body(std::move(body));
}

std::unique_ptr<Problem> make_duffing_chain(const DuffingShape& shape) {
  MatrixBodyShape body;
  body.nodes = shape.masses;
  body.stiffness = chain(shape.masses, 1, true);
  body.local = [](double q, double) { return MatrixBodyShape::Local{-q - 5 * q * q * q, -1 - 15 * q * q, 0}; };
  body.load = [](PetscInt, double t) { return 0.3 * std::cos(1.4 * t); };
  body.end = 100;
  body.scale_q = body.scale_v = 0.5;
  return make_matrix_body(std::move(body));
}

std::unique_ptr<Problem> make_rotor(const RotorShape& shape) {
  const PetscInt n = shape.stations;
  const double spin = 1.5, gyroscopic = 0.2, internal = 0.01, external = 0.02;
  const double angle = pi / static_cast<double>(n + 1);
  const double k = 1 / (2 - 2 * std::cos(angle));  // first frequency 1
  MatrixBodyShape body;
  body.nodes = n;
  body.per_node = 2;
  body.symmetric = false;
  for (const auto& [row, column, value] : chain(n, k, true)) {
    for (PetscInt axis = 0; axis < 2; ++axis) {
      body.stiffness.push_back({2 * row + axis, 2 * column + axis, value});
      body.damping.push_back({2 * row + axis, 2 * column + axis, internal * value});
    }
    body.stiffness.push_back({2 * row, 2 * column + 1, internal * spin * value});
    body.stiffness.push_back({2 * row + 1, 2 * column, -internal * spin * value});
  }
  add(body.damping, external, identity(2 * n));
  for (PetscInt i = 0; i < n; ++i) {
    body.damping.push_back({2 * i, 2 * i + 1, gyroscopic * spin});
    body.damping.push_back({2 * i + 1, 2 * i, -gyroscopic * spin});
  }
  body.load = [=](PetscInt i, double t) {
    const double eccentricity = 0.2 * static_cast<double>(i / 2 + 1) / static_cast<double>(n);
    return eccentricity * spin * spin * (i % 2 == 0 ? std::cos(spin * t) : std::sin(spin * t));
  };
  body.initial_q = [=](PetscInt i) { return i % 2 == 0 ? std::sin(angle * static_cast<double>(i / 2 + 1)) : 0.0; };
  body.end = 20 * 2 * pi / spin;
  return make_matrix_body(std::move(body));
}

std::unique_ptr<Problem> make_shaken_frame(const FrameShape& shape) {
  const PetscInt n = shape.storeys;
  const double first = 2 * pi, half_angle = pi / static_cast<double>(4 * n + 2);
  const double k = std::pow(first / (2 * std::sin(half_angle)), 2);
  MatrixBodyShape body;
  body.nodes = n;
  body.stiffness = chain(n, k, false);
  body.damping = rayleigh(0.02, first, 8 * first, n, body.stiffness);
  body.load = [=](PetscInt, double t) {
    constexpr std::array parts{0.6, 1.0, 1.7, 2.9, 4.3, 7.0};
    constexpr std::array phases{0.3, 2.1, 4.4, 1.2, 5.5, 3.3};
    double base = 0;
    for (std::size_t j = 0; j < parts.size(); ++j) base += std::sin(parts[j] * first * t + phases[j]);
    return -2 * t * std::exp(-0.4 * t) * first * base;
  };
  if (shape.blast) body.load = [](PetscInt, double t) { return t < 0.1 ? 40 * std::sin(10 * pi * t) : 0.0; };
  body.end = shape.blast ? 5 : 20;
  body.scale_q = 1;
  body.scale_v = first;
  return make_matrix_body(std::move(body));
}

std::unique_ptr<Problem> make_beam(const BeamShape& shape) {
  const PetscInt n = shape.nodes;
  // The curvature at the clamp and at all nodes except the last, from the deflections w_-1 = w_1 and w_0 = 0.
  const double first = 2 * pi, length = static_cast<double>(n);
  const double root1 = 1.8751041, root4 = 10.9955407;  // of cos x cosh x = -1: frequencies scale with their squares
  const double bending = std::pow(first * length * length / (root1 * root1), 2);
  MatrixBodyShape body;
  body.nodes = n;
  body.reach = 2;
  const auto curvature = [&](const Matrix& row, double weight) {
    for (const auto& a : row)
      for (const auto& b : row)
        if (a.column >= 0 && b.column >= 0)
          body.stiffness.push_back({a.column, b.column, weight * bending * a.value * b.value});
  };
  curvature({{0, 0, 2}}, 0.5);
  for (PetscInt i = 0; i + 1 < n; ++i) curvature({{0, i - 1, 1}, {0, i, -2}, {0, i + 1, 1}}, 1);
  body.damping = rayleigh(shape.damping, first, first * std::pow(root4 / root1, 2), n, body.stiffness);
  // The static tip deflection of the load is 0.5.
  const double load = 0.5 * 3 * bending / std::pow(length, 3);
  body.load = [=, lifts = shape.foundation > 0](PetscInt i, double t) {
    return i + 1 == n ? load * (lifts ? std::sin(0.7 * first * t) : 1) : 0.0;
  };
  if (shape.foundation > 0)
    body.local = [k = shape.foundation](double q, double) {
      return MatrixBodyShape::Local{q < 0 ? k * q * q : 0, q < 0 ? 2 * k * q : 0, 0};
    };
  body.end = 10;
  body.scale_v = first / 2;
  return make_matrix_body(std::move(body));
}

}  // namespace bench
