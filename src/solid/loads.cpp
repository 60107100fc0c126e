#include "solid/loads.hpp"

#include "solid/agree.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace gearshift::solid {

using petsc::check;

namespace {

bool finite(const Vec3& x) { return std::isfinite(x[0]) && std::isfinite(x[1]) && std::isfinite(x[2]); }

std::string not_finite(const std::string& what, const Vec3& value, PetscReal t, const Vec3& X) {
  std::ostringstream text;
  text << what << " is not finite: (" << value[0] << ", " << value[1] << ", " << value[2] << ") at t = " << t
       << ", X = (" << X[0] << ", " << X[1] << ", " << X[2] << "); check its expression there";
  return text.str();
}

}  // namespace

void Loads::set_up(const Space& space, std::vector<PetscReal> densities) {
  space_ = &space;
  densities_ = std::move(densities);
  local_.resize(3 * static_cast<std::size_t>(space.local_nodes()));
  check(VecDuplicate(space.layout(), steady_.out()));
  check(VecDuplicate(space.layout(), total_.out()));
  has_moving_ = gravity_ && !gravity_steady_;
  for (const auto& traction : tractions_) {
    (void)space.face(traction.face);
    has_moving_ = has_moving_ || !traction.steady;
  }
}

Vec Loads::at(PetscReal t) {
  const bool first = std::isnan(time_);
  if (first) {
    integrate(t, true);
    check(VecCopy(total_.get(), steady_.get()));
  }
  if (has_moving_ && (first || t != time_)) {
    time_ = std::numeric_limits<PetscReal>::quiet_NaN();
    integrate(t, false);
    check(VecAXPY(total_.get(), 1.0, steady_.get()));
  }
  time_ = t;
  return total_.get();
}

void Loads::integrate(PetscReal t, bool steady) {
  const Space& space = *space_;
  const Basis& basis = space.basis();
  const auto n = static_cast<std::size_t>(basis.n);
  std::fill(local_.begin(), local_.end(), 0.0);
  std::string failure;
  std::vector<double> shapes(n * n * n);
  const auto add = [&](PetscInt cell, const Vec3& force) {
    const auto nodes = space.cell_nodes(cell);
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c) local_[3 * static_cast<std::size_t>(nodes[i]) + c] += shapes[i] * force[c];
  };
  if (gravity_ && gravity_steady_ == steady)
    for (PetscInt cell = 0; cell < space.cells() && failure.empty(); ++cell)
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t j = 0; j < n; ++j)
          for (std::size_t i = 0; i < n; ++i) {
            const Vec3 xi{basis.points[i], basis.points[j], basis.points[k]};
            const auto J = space.jacobian(cell, xi);
            const double det = J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) -
                               J[0][1] * (J[1][0] * J[2][2] - J[1][2] * J[2][0]) +
                               J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0]);
            const double w = det * basis.weights[i] * basis.weights[j] * basis.weights[k] *
                             densities_[static_cast<std::size_t>(cell)];
            const Vec3 X = space.position(cell, xi), g = gravity_(t, X);
            if (!finite(g) && failure.empty()) failure = not_finite("gravity", g, t, X);
            // Tensor shapes at a Gauss point are products of rows of the interpolation matrix.
            for (std::size_t c = 0, q = 0; c < n; ++c)
              for (std::size_t b = 0; b < n; ++b)
                for (std::size_t a = 0; a < n; ++a, ++q)
                  shapes[q] =
                      basis.interpolate[i * n + a] * basis.interpolate[j * n + b] * basis.interpolate[k * n + c];
            add(cell, {w * g[0], w * g[1], w * g[2]});
          }
  for (const auto& traction : tractions_) {
    if (traction.steady != steady) continue;
    for (const auto& [cell, face] : space.face(traction.face)) {
      const auto axis = static_cast<std::size_t>(face / 2), first = axis == 0 ? 1UL : 0UL,
                 second = axis == 2 ? 1UL : 2UL;
      for (std::size_t j = 0; j < n && failure.empty(); ++j)
        for (std::size_t i = 0; i < n; ++i) {
          Vec3 xi{};
          xi[axis] = face % 2 == 0 ? -1 : 1;
          xi[first] = basis.points[i];
          xi[second] = basis.points[j];
          const auto J = space.jacobian(cell, xi);
          Vec3 normal{};
          for (std::size_t c = 0; c < 3; ++c) {
            const std::size_t c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            normal[c] = J[c1][first] * J[c2][second] - J[c2][first] * J[c1][second];
          }
          const double w = std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]) *
                           basis.weights[i] * basis.weights[j];
          const Vec3 X = space.position(cell, xi), T = traction.field(t, X);
          if (!finite(T) && failure.empty()) failure = not_finite("the traction on '" + traction.face + "'", T, t, X);
          space.shape_values(xi, shapes);
          add(cell, {w * T[0], w * T[1], w * T[2]});
        }
    }
  }
  space.local_to_global_begin(local_.data(), total_.get());
  space.local_to_global_end(local_.data(), total_.get());
  throw_if_any<Error>(space.comm(), failure);
}

}  // namespace gearshift::solid
