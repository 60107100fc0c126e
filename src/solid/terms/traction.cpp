#include "solid/terms/traction.hpp"

#include "petsc/queries.hpp"
#include "solid/element/vectors.hpp"
#include "solid/terms/surface.hpp"

#include <cmath>

namespace gearshift::solid {

Traction::Traction(const Space& space, TimeHistory T) : DeadLoad(std::move(T)), space_(space) {
  (void)space.mesh_cells().face(course().face);
  place_ = course().face;
  for (const CellBlock& block : space.blocks()) {
    const Element& element = block.element;
    auto& of_kind = points_.emplace_back();
    for (int face = 0; face < element.faces(); ++face)
      for (const FacePoint& point : element.face_points(face)) {
        std::vector<double> shapes(element.nodes().size());
        element.values(point.xi, shapes);
        of_kind[static_cast<std::size_t>(face)].push_back({point, std::move(shapes)});
      }
  }
}

template <class Use>
void Traction::for_points(Use&& use) const {
  for (const auto& [cell, face] : space_.mesh_cells().face(course().face)) {
    const std::size_t block = space_.block_of(cell);
    const Element& element = space_.blocks()[block].element;
    const auto tangents = element.face_tangents(face);
    // Cells are right-handed: if tangents are ordered to point outwards, so are their images.
    const Vec3 outwards = element.face_points(face).front().xi - element.centre();
    const double side = dot(cross(tangents[0], tangents[1]), outwards) < 0 ? -1 : 1;
    for (const ShapedPoint& shaped : points_[block][static_cast<std::size_t>(face)]) {
      const FacePoint& point = shaped.point;
      const auto J = space_.mesh_cells().jacobian(cell, point.xi);
      std::array<Vec3, 2> along{};
      for (std::size_t a = 0; a < 2; ++a)
        for (std::size_t c = 0; c < 3; ++c) along[a][c] = dot(J[c], tangents[a]);
      const Vec3 normal = cross(along[0], along[1]);
      const double length = std::sqrt(dot(normal, normal));
      use(cell, shaped, length * point.weights[0] * point.weights[1], (side / length) * normal);
    }
  }
}

double Traction::area() const {
  double sum = 0;
  for_points([&](PetscInt, const ShapedPoint&, double w, const Vec3&) { sum += w; });
  return petsc::reduced(space_.comm(), MPI_SUM, sum);
}

std::string Traction::add_forces(PetscReal t, NodalSum& sum) const {
  const std::string name = std::string("the ") + kind_ + " on '" + course().face + "'";
  std::string failure;
  for_points([&](PetscInt cell, const ShapedPoint& point, double w, const Vec3& normal) {
    if (!failure.empty()) return;
    const Vec3 T = value(name, t, space_.mesh_cells().position(cell, point.point.xi), failure);
    const Vec3 force = w * (normal_ ? -T[0] * normal : T);
    const auto nodes = space_.cell_nodes(cell);
    for (std::size_t i = 0; i < nodes.size(); ++i) sum.add(nodes[i], point.shapes[i] * force);
  });
  return failure;
}

std::unique_ptr<Traction> Traction::of_pressure(const Space& space, TimeHistory p) {
  auto result = std::make_unique<Traction>(space, std::move(p));
  Surface(space, result->course().face).require_sides("pressure");
  result->normal_ = true;
  result->kind_ = "pressure";
  return result;
}

std::unique_ptr<Traction> Traction::of_force(const Space& space, TimeHistory F) {
  auto result = std::make_unique<Traction>(space, F);
  const double area = result->area();
  F.value = [force = std::move(F.value), area](PetscReal t, const Vec3& X) { return (1 / area) * force(t, X); };
  result->set_course(std::move(F));
  result->kind_ = "force";
  return result;
}

std::unique_ptr<Traction> Traction::of_mass(const Space& space, PetscReal m, TimeHistory a) {
  auto result = std::make_unique<Traction>(space, a);
  const double density = m / result->area();
  a.value = [field = std::move(a.value), density](PetscReal t, const Vec3& X) { return density * field(t, X); };
  result->set_course(std::move(a));
  result->place_.clear();
  result->kind_ = "acceleration of the mass";
  return result;
}

std::unique_ptr<Traction> Traction::of_torque(const Space& space, TimeHistory M) {
  auto result = std::make_unique<Traction>(space, M);
  result->kind_ = "torque";
  std::array<double, 4> first{};  // the area and its first moments
  result->for_points([&](PetscInt cell, const ShapedPoint& point, double w, const Vec3&) {
    const Vec3 X = space.mesh_cells().position(cell, point.point.xi);
    first[0] += w;
    for (std::size_t c = 0; c < 3; ++c) first[1 + c] += w * X[c];
  });
  MPI_Allreduce(MPI_IN_PLACE, first.data(), 4, MPI_DOUBLE, MPI_SUM, space.comm());
  const Vec3 centre = (1 / first[0]) * Vec3{first[1], first[2], first[3]};
  std::array<Vec3, 3> J{};
  result->for_points([&](PetscInt cell, const ShapedPoint& point, double w, const Vec3&) {
    const Vec3 r = space.mesh_cells().position(cell, point.point.xi) - centre;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) J[i][j] += w * ((i == j ? dot(r, r) : 0) - r[i] * r[j]);
  });
  MPI_Allreduce(MPI_IN_PLACE, J.data(), 9, MPI_DOUBLE, MPI_SUM, space.comm());
  std::array<Vec3, 3> inverse{cross(J[1], J[2]), cross(J[2], J[0]), cross(J[0], J[1])};
  for (Vec3& row : inverse) row = (1 / determinant(J)) * row;
  M.depends_on_place = true;
  M.value = [torque = std::move(M.value), centre, inverse](PetscReal t, const Vec3& X) {
    const Vec3 own = torque(t, X);
    return cross({dot(inverse[0], own), dot(inverse[1], own), dot(inverse[2], own)}, X - centre);
  };
  result->set_course(std::move(M));
  return result;
}

}  // namespace gearshift::solid
