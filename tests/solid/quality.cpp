/// Quality of cell shapes, compared with closed forms.

#include <gearshift/solid/quality.hpp>

#include "solid/boxes.hpp"

namespace gearshift::solid::test {
namespace {

/// Returns the displacement of the map X -> F X.
Handle<Vec> motion(const Space& space, const std::array<Vec3, 3>& F) {
  Handle<Vec> q;
  check(VecDuplicate(space.layout(), q.out()));
  const petsc::WriteView view(q.get());
  for (PetscInt node = 0; node < space.owned_nodes(); ++node) {
    const Vec3& X = space.coordinates()[static_cast<std::size_t>(node)];
    for (std::size_t c = 0; c < 3; ++c)
      view[3 * static_cast<std::size_t>(node) + c] = F[c][0] * X[0] + F[c][1] * X[1] + F[c][2] * X[2] - X[c];
  }
  return q;
}

void expect_all(const std::vector<double>& quality, double expected, const char* what) {
  for (const double one : quality) EXPECT_NEAR(one, expected, 1e-12) << what;
}

/// Returns the quality of a cube and of its parts: two wedges, Kuhn's six tetrahedra.
double part_of_a_cube(CellKind kind) {
  if (kind == CellKind::tetrahedron) return 3 * std::cbrt(2.0) / 5;
  return kind == CellKind::wedge ? 3 * std::cbrt(4.0 / 3) / (11.0 / 3) : 1;
}

TEST(Quality, OfPartsOfACube) {
  const double angle = 0.3, a = 2 * std::cos(angle), b = 2 * std::sin(angle);
  for (const Filling filling : {Filling::hexahedra_and_wedges, Filling::wedges_and_tetrahedra}) {
    const Mesh mesh = file_of(filling, "2,2,2", 1, [](const Vec3& X) { return X; });
    for (int degree = 1; degree <= 2; ++degree) {
      const Space space(mesh, degree);
      const auto turned = motion(space, {{{a, -b, 0}, {b, a, 0}, {0, 0, 2}}});
      const auto mirrored = motion(space, {{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
      for (const auto& quality : {cell_quality(space), cell_quality(space, turned.get())}) {
        ASSERT_EQ(quality.size(), static_cast<std::size_t>(space.cells()));
        for (PetscInt cell = 0; cell < space.cells(); ++cell)
          EXPECT_NEAR(quality[static_cast<std::size_t>(cell)], part_of_a_cube(space.element(cell).kind()), 1e-12)
              << name_of(filling);
      }
      expect_all(cell_quality(space, mirrored.get()), 0, name_of(filling));
    }
  }
  // The diagonal of the wedges' square becomes equal to its sides: both triangles are equilateral.
  const Mesh mesh = file_of(Filling::wedges, "2,2,2", 1, [](const Vec3& X) { return X; });
  const Space space(mesh, 2);
  const auto sheared = motion(space, {{{1, -0.5, 0}, {0, std::sqrt(0.75), 0}, {0, 0, 1}}});
  expect_all(cell_quality(space, sheared.get()), 1, "equilateral");
}

/// The minimum over a cell is its quality; elongated bricks get worse with their aspect ratio.
TEST(Quality, OfBricksAndOfBentCells) {
  const double brick = 3 * std::cbrt(100.0) / 102;
  {
    const Mesh mesh = box("3,1,1", "30,1,1");
    expect_all(cell_quality(Space(mesh, 3)), brick, "brick");
  }
  const Mesh mesh = box("3,1,1", "3,1,1");
  const Space space(mesh, 2);
  const auto q = motion(space, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
  {
    const petsc::WriteView view(q.get());
    for (PetscInt node = 0; node < space.owned_nodes(); ++node) {
      const double x = space.coordinates()[static_cast<std::size_t>(node)][0];
      if (x > 2.9) view[3 * static_cast<std::size_t>(node)] = 3;
    }
  }
  // On the last cell dx/dX = 1 + 3 (4 xi - 1), 0 <= xi <= 1: -2 at its left end.
  const std::vector<double> quality = cell_quality(space, q.get());
  int bad = 0;
  for (PetscInt cell = 0; cell < space.cells(); ++cell) {
    const bool last = space.mesh_cells().position(cell, Vec3{}).front() > 2;
    EXPECT_NEAR(quality[static_cast<std::size_t>(cell)], last ? 0 : 1, 1e-12);
    bad += last;
  }
  MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_SUM, PETSC_COMM_WORLD);
  EXPECT_EQ(bad, 1);
}

}  // namespace
}  // namespace gearshift::solid::test
