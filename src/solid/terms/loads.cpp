#include "solid/terms/loads.hpp"

#include "petsc/agree.hpp"
#include "solid/element/vectors.hpp"

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

std::vector<double> shapes_at(const Element& element, const Vec3& xi) {
  std::vector<double> result(element.nodes().size());
  element.values(xi, result);
  return result;
}

/// A quadrature point of a face and the shape functions there, the same for all cells.
struct ShapedPoint {
  FacePoint point;
  std::vector<double> shapes;
};

}  // namespace

void Loads::set_up(const Space& space, const MaterialTable& material) {
  space_ = &space;
  material_ = &material;
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
  std::fill(local_.begin(), local_.end(), 0.0);
  std::string failure;
  const auto add = [&](PetscInt cell, const std::vector<double>& shapes, const Vec3& force) {
    const auto nodes = space.cell_nodes(cell);
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c) local_[3 * static_cast<std::size_t>(nodes[i]) + c] += shapes[i] * force[c];
  };
  if (gravity_ && gravity_steady_ == steady) {
    for (const CellBlock& block : space.blocks()) {
      const Element& element = block.element;
      std::vector<std::vector<double>> shapes;
      for (const Vec3& xi : element.mass_points()) shapes.push_back(shapes_at(element, xi));
      for (PetscInt cell = block.first; cell < block.last && failure.empty(); ++cell)
        for (std::size_t q = 0; q < element.mass_points().size(); ++q) {
          const Vec3& xi = element.mass_points()[q];
          const auto J = space.jacobian(cell, xi);
          const double det = determinant(J);
          const double w = element.weigh_mass(det, q) * (*material_)[cell].rho;
          const Vec3 X = space.position(cell, xi), g = gravity_(t, X);
          if (!finite(g) && failure.empty()) failure = not_finite("gravity", g, t, X);
          add(cell, shapes[q], {w * g[0], w * g[1], w * g[2]});
        }
    }
  }
  std::vector<std::array<std::vector<ShapedPoint>, 6>> points(space.blocks().size());
  for (std::size_t block = 0; block < points.size() && !tractions_.empty(); ++block) {
    const Element& element = space.blocks()[block].element;
    for (int face = 0; face < element.faces(); ++face)
      for (const FacePoint& point : element.face_points(face))
        points[block][static_cast<std::size_t>(face)].push_back({point, shapes_at(element, point.xi)});
  }
  for (const auto& traction : tractions_) {
    if (traction.steady != steady) continue;
    for (const auto& [cell, face] : space.face(traction.face)) {
      if (!failure.empty()) break;
      const std::size_t block = space.block_of(cell);
      const auto tangents = space.blocks()[block].element.face_tangents(face);
      for (const auto& [point, shapes] : points[block][static_cast<std::size_t>(face)]) {
        const auto& [xi, weights] = point;
        const auto J = space.jacobian(cell, xi);
        std::array<Vec3, 2> along{};
        for (std::size_t a = 0; a < 2; ++a)
          for (std::size_t c = 0; c < 3; ++c)
            along[a][c] = J[c][0] * tangents[a][0] + J[c][1] * tangents[a][1] + J[c][2] * tangents[a][2];
        Vec3 normal{};
        for (std::size_t c = 0; c < 3; ++c) {
          const std::size_t c1 = (c + 1) % 3, c2 = (c + 2) % 3;
          normal[c] = along[0][c1] * along[1][c2] - along[0][c2] * along[1][c1];
        }
        const double w =
            std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]) * weights[0] * weights[1];
        const Vec3 X = space.position(cell, xi), T = traction.field(t, X);
        if (!finite(T) && failure.empty()) failure = not_finite("the traction on '" + traction.face + "'", T, t, X);
        add(cell, shapes, {w * T[0], w * T[1], w * T[2]});
      }
    }
  }
  space.local_to_global_begin(local_.data(), total_.get());
  space.local_to_global_end(local_.data(), total_.get());
  petsc::throw_if_any<Error>(space.comm(), failure);
}

}  // namespace gearshift::solid
