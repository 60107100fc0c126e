#include "solid/operator.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

namespace gearshift::solid {
namespace {

std::array<double, 4> law_parameters(const Material& m) {
  if (m.law == Law::mooney_rivlin) return {m.mu1, m.bulk - 2 * (m.mu1 + m.mu2) / 3 - 2 * m.mu2, m.mu2, m.rho};
  return {m.E / (2 * (1 + m.nu)), m.E * m.nu / ((1 + m.nu) * (1 - 2 * m.nu)), 0, m.rho};
}

}  // namespace

Operator::Operator(const Space& space, const std::vector<Material>& material) : space_(space), kernels_(kernels()) {
  const auto lanes = static_cast<std::size_t>(kernels_.lanes);
  const Basis& basis = space.basis();
  const auto n = static_cast<std::size_t>(basis.n), points = n * n * n;
  std::vector<PetscInt> order(static_cast<std::size_t>(space.cells()));
  std::iota(order.begin(), order.end(), 0);
  const auto law = [&](PetscInt cell) { return static_cast<int>(material[static_cast<std::size_t>(cell)].law); };
  std::stable_sort(order.begin(), order.end(), [&](PetscInt a, PetscInt b) { return law(a) < law(b); });
  for (std::size_t i = 0; i < order.size();) {
    std::size_t used = 0;
    while (used < lanes && i + used < order.size() && law(order[i + used]) == law(order[i])) ++used;
    for (std::size_t l = 0; l < lanes; ++l) cells_.push_back(order[i + std::min(l, used - 1)]);
    used_.push_back(static_cast<int>(used));
    laws_.push_back(law(order[i]));
    i += used;
  }
  const std::size_t count = used_.size();
  nodes_.resize(count * points * lanes);
  parameters_.resize(count * 4 * lanes);
  geometry_.resize(count * points * 10 * lanes);
  for (std::size_t b = 0; b < count; ++b)
    for (std::size_t l = 0; l < lanes; ++l) {
      const PetscInt cell = cells_[b * lanes + l];
      const auto own = space.cell_nodes(cell);
      for (std::size_t i = 0; i < points; ++i) nodes_[(b * points + i) * lanes + l] = static_cast<int>(own[i]);
      const auto p = law_parameters(material[static_cast<std::size_t>(cell)]);
      for (std::size_t e = 0; e < 4; ++e) parameters_[(b * 4 + e) * lanes + l] = p[e];
      for (std::size_t k = 0, q = 0; k < n; ++k)
        for (std::size_t j = 0; j < n; ++j)
          for (std::size_t i = 0; i < n; ++i, ++q) {
            const auto J = space.jacobian(cell, {basis.points[i], basis.points[j], basis.points[k]});
            double det = 0, K[3][3];
            for (std::size_t r = 0; r < 3; ++r)
              for (std::size_t c = 0; c < 3; ++c) {
                const std::size_t r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
                K[c][r] = J[r1][c1] * J[r2][c2] - J[r1][c2] * J[r2][c1];  // inverse = transposed cofactors / det
              }
            for (std::size_t c = 0; c < 3; ++c) det += J[0][c] * K[c][0];
            double* g = geometry_.data() + (b * points + q) * 10 * lanes + l;
            for (std::size_t a = 0; a < 3; ++a)
              for (std::size_t c = 0; c < 3; ++c) g[(3 * a + c) * lanes] = K[a][c] / det;
            g[9 * lanes] = det * basis.weights[i] * basis.weights[j] * basis.weights[k];
          }
    }
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t corner = 0; corner < 8; ++corner) {
          const std::array<double, 3> x{basis.points[i], basis.points[j], basis.points[k]};
          std::array<double, 3> value{}, slope{};
          for (std::size_t d = 0; d < 3; ++d) {
            const double sign = ((corner >> d) & 1) ? 1 : -1;
            value[d] = (1 + sign * x[d]) / 2;
            slope[d] = sign / 2;
          }
          corner_values_.push_back(value[0] * value[1] * value[2]);
          corner_slopes_.push_back(slope[0] * value[1] * value[2]);
          corner_slopes_.push_back(value[0] * slope[1] * value[2]);
          corner_slopes_.push_back(value[0] * value[1] * slope[2]);
        }
  batches_ = {basis.n,
              static_cast<int>(count),
              nodes_.data(),
              used_.data(),
              laws_.data(),
              parameters_.data(),
              geometry_.data(),
              basis.interpolate.data(),
              basis.derive.data(),
              basis.collocate.data(),
              corner_slopes_.data(),
              corner_values_.data()};
}

std::size_t Operator::point_data_size() const {
  const auto n = static_cast<std::size_t>(space_.basis().n);
  return used_.size() * n * n * n * 10 * static_cast<std::size_t>(kernels_.lanes);
}

std::string Operator::describe(const Inversion& found) const {
  if (found.batch < 0) return {};
  const Basis& basis = space_.basis();
  const PetscInt cell = cells_[static_cast<std::size_t>(found.batch * kernels_.lanes + found.lane)];
  const int n = basis.n, q = found.point;
  const auto at = [&](int i) { return basis.points[static_cast<std::size_t>(i)]; };
  const Vec3 X = space_.position(cell, {at(q % n), at(q / n % n), at(q / n / n)});
  std::ostringstream text;
  text << "element " << space_.cell_point(cell) << " inverted: det F = " << 1 + found.volume_change << " at (" << X[0]
       << ", " << X[1] << ", " << X[2] << "); try a smaller step";
  return text.str();
}

std::string Operator::residual(const PetscReal* u, const PetscReal* a, PetscReal* out) const {
  Inversion found;
  kernels_.residual(batches_, u, a, out, &found);
  return describe(found);
}

std::string Operator::linearize(const PetscReal* u, PetscReal* points) const {
  Inversion found;
  kernels_.linearize(batches_, u, points, &found);
  return describe(found);
}

void Operator::apply(const PetscReal* points, PetscReal sq, PetscReal sa, const PetscReal* in, PetscReal* out) const {
  kernels_.apply(batches_, points, sq, sa, in, out);
}

void Operator::derivative(const PetscReal* u, const PetscReal* direction, const PetscReal* in, PetscReal* out) const {
  kernels_.derivative(batches_, u, direction, in, out);
}

void Operator::diagonal(const PetscReal* points, PetscReal sq, PetscReal sa, PetscReal* out) const {
  kernels_.diagonal(batches_, points, sq, sa, out);
}

std::array<PetscReal, 2> Operator::energy(const PetscReal* u, const PetscReal* v) const {
  std::array<PetscReal, 2> result{};
  kernels_.energy(batches_, u, v, result.data());
  return result;
}

}  // namespace gearshift::solid
