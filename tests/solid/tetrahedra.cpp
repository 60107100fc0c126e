/// Tetrahedral elements and meshes: quadrature, shape functions, nodes, names, positions.

#include "solid/helpers.hpp"

#include <algorithm>

using namespace gearshift;
using namespace gearshift::solid;
using namespace gearshift::solid::test;

namespace {

double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
double monomial(const Vec3& x, int i, int j, int k) {
  return std::pow(x[0], i) * std::pow(x[1], j) * std::pow(x[2], k);
}

/// Returns the maximum error of a rule for integrals of the monomials of one degree over the reference tetrahedron,
/// relative to its volume.
double quadrature_error(const Element& element, int degree, bool of_mass) {
  const auto& points = of_mass ? element.mass_points() : element.points();
  double worst = 0;
  for (int i = 0; i <= degree; ++i)
    for (int j = 0; i + j <= degree; ++j) {
      const int k = degree - i - j;
      double sum = 0;
      for (std::size_t q = 0; q < points.size(); ++q) {
        const double value = monomial(points[q], i, j, k);
        sum += of_mass ? element.weigh_mass(value, q) : element.weigh(value, q);
      }
      worst =
          std::max(worst, std::abs(6 * sum - 6 * factorial(i) * factorial(j) * factorial(k) / factorial(degree + 3)));
    }
  return worst;
}

PetscReal total(PetscReal x) {
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPIU_REAL, MPI_SUM, PETSC_COMM_WORLD);
  return x;
}

double determinant(const std::array<Vec3, 3>& J) {
  return J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) - J[0][1] * (J[1][0] * J[2][2] - J[1][2] * J[2][0]) +
         J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0]);
}

PetscReal volume(const Space& space) {
  PetscReal sum = 0;
  for (PetscInt cell = 0; cell < space.cells(); ++cell)
    for (std::size_t q = 0; q < space.element(cell).mass_points().size(); ++q)
      sum += space.element(cell).weigh_mass(
          determinant(space.mesh_cells().jacobian(cell, space.element(cell).mass_points()[q])), q);
  return total(sum);
}

/// Returns the area of a named face.
PetscReal area(const Space& space, const char* name) {
  PetscReal sum = 0;
  for (const auto& [cell, face] : space.mesh_cells().face(name)) {
    const auto tangents = space.element(cell).face_tangents(face);
    for (const auto& [xi, weights] : space.element(cell).face_points(face)) {
      const auto J = space.mesh_cells().jacobian(cell, xi);
      std::array<Vec3, 2> t{};
      for (std::size_t a = 0; a < 2; ++a)
        for (std::size_t c = 0; c < 3; ++c)
          for (std::size_t d = 0; d < 3; ++d) t[a][c] += J[c][d] * tangents[a][d];
      sum += weights[0] * weights[1] *
             std::hypot(t[0][1] * t[1][2] - t[0][2] * t[1][1], t[0][2] * t[1][0] - t[0][0] * t[1][2],
                        t[0][0] * t[1][1] - t[0][1] * t[1][0]);
    }
  }
  return total(sum);
}

}  // namespace

TEST(Tetrahedra, QuadratureIsExactOnMonomials) {
  const int stress[] = {0, 1, 2, 5}, mass[] = {0, 2, 5, 6};
  for (const int degree : {1, 2, 3}) {
    const Element element(CellKind::tetrahedron, degree);
    for (const bool of_mass : {false, true}) {
      const auto& points = of_mass ? element.mass_points() : element.points();
      const int exact = (of_mass ? mass : stress)[degree];
      EXPECT_GE(exact, of_mass ? 2 * degree : 2 * degree - 2);
      for (std::size_t q = 0; q < points.size(); ++q) {
        EXPECT_GT(of_mass ? element.weigh_mass(1, q) : element.weigh(1, q), 0);
        EXPECT_LT(element.outside(points[q]), -0.01);
      }
      for (int d = 0; d <= exact; ++d) EXPECT_LT(quadrature_error(element, d, of_mass), 1e-15) << degree << ' ' << d;
      EXPECT_GT(quadrature_error(element, exact + 1, of_mass), 1e-7) << degree;
    }
    for (int face = 0; face < 4; ++face) {
      // int of s^i t^j over the unit triangle along the face's tangents; the start is a vertex.
      const auto tangents = element.face_tangents(face);
      const Vec3 start = element.nodes()[static_cast<std::size_t>(element.face_nodes(face)[0])];
      for (int i = 0; i <= 2 * degree + 2; ++i)
        for (int j = 0; i + j <= 2 * degree + 2; ++j) {
          double sum = 0;
          for (const auto& [xi, weights] : element.face_points(face)) {
            EXPECT_NEAR(element.outside(xi), 0, 1e-15);
            double s = 0, t = 0;  // along the two tangents: the first and the last coordinate that changes
            for (std::size_t d = 0; d < 3; ++d) {
              if (tangents[0][d] == 1) s = xi[d] - start[d];
              if (tangents[1][d] == 1) t = xi[d] - start[d];
            }
            sum += weights[0] * weights[1] * std::pow(s, i) * std::pow(t, j);
          }
          EXPECT_NEAR(sum, factorial(i) * factorial(j) / factorial(i + j + 2), 1e-15) << face << ' ' << i << ' ' << j;
        }
    }
  }
}

TEST(Tetrahedra, ShapesAreLagranges) {
  for (const int degree : {1, 2, 3}) {
    const Element element(CellKind::tetrahedron, degree);
    const std::size_t size = element.nodes().size();
    EXPECT_EQ(size, static_cast<std::size_t>((degree + 1) * (degree + 2) * (degree + 3) / 6));
    std::vector<double> values(size);
    std::vector<Vec3> slopes(size);
    for (std::size_t i = 0; i < size; ++i) {
      element.values(element.nodes()[i], values);
      for (std::size_t j = 0; j < size; ++j) EXPECT_NEAR(values[j], i == j, 1e-14);
    }
    // Polynomials of the degree are reproduced with their gradients.
    const Vec3 x{0.13, 0.27, 0.41};
    element.values(x, values);
    element.slopes(x, slopes);
    for (int i = 0; i <= degree; ++i)
      for (int j = 0; i + j <= degree; ++j)
        for (int k = 0; i + j + k <= degree; ++k) {
          double value = 0;
          Vec3 slope{};
          for (std::size_t n = 0; n < size; ++n) {
            const double nodal = monomial(element.nodes()[n], i, j, k);
            value += values[n] * nodal;
            for (std::size_t d = 0; d < 3; ++d) slope[d] += slopes[n][d] * nodal;
          }
          EXPECT_NEAR(value, monomial(x, i, j, k), 1e-14);
          EXPECT_NEAR(slope[0], i == 0 ? 0 : i * monomial(x, i - 1, j, k), 1e-13);
          EXPECT_NEAR(slope[1], j == 0 ? 0 : j * monomial(x, i, j - 1, k), 1e-13);
          EXPECT_NEAR(slope[2], k == 0 ? 0 : k * monomial(x, i, j, k - 1), 1e-13);
        }
    for (int face = 0; face < 4; ++face) {
      EXPECT_EQ(element.face_nodes(face).size(), static_cast<std::size_t>((degree + 1) * (degree + 2) / 2));
      for (const int node : element.face_nodes(face))
        EXPECT_NEAR(element.outside(element.nodes()[static_cast<std::size_t>(node)]), 0, 1e-15);
    }
  }
  EXPECT_THROW(Element(CellKind::tetrahedron, 4), OptionError);
}

TEST(Tetrahedra, CellsShareTheirNodes) {
  for (const char* of : {"box", "cylinder_t1_v41.msh", "cylinder_t2_v41.msh"})
    for (const int degree : {1, 2, 3}) {
      SCOPED_TRACE(std::string(of) + ", degree " + std::to_string(degree));
      Mesh mesh = std::string(of) == "box" ? tetrahedra("2,2,2") : file(of);
      if (std::string(of) == "box") {
        distort(mesh, 0.02);
        EXPECT_EQ(mesh.global_cells(), 48);
      }
      EXPECT_EQ(mesh.cell_kinds(), std::vector{CellKind::tetrahedron});
      const Space space(mesh, degree);
      if (std::string(of) == "box") {
        const PetscInt line = 2 * degree + 1;
        EXPECT_EQ(space.global_nodes(), line * line * line);
      }
      // All cells of a node, and all ranks, give it the same position.
      std::vector<PetscReal> mine(3 * static_cast<std::size_t>(space.local_nodes()), 1e10), owners = mine;
      for (PetscInt cell = 0; cell < space.cells(); ++cell)
        for (std::size_t i = 0; i < space.element(cell).nodes().size(); ++i) {
          const Vec3 X = space.mesh_cells().position(cell, space.element(cell).nodes()[i]);
          const auto node = static_cast<std::size_t>(space.cell_nodes(cell)[i]);
          for (std::size_t c = 0; c < 3; ++c) {
            EXPECT_NEAR(space.coordinates()[node][c], X[c], 1e-14);
            mine[3 * node + c] = X[c];
          }
        }
      Handle<Vec> places;
      check(VecDuplicate(space.layout(), places.out()));
      {
        petsc::WriteView owned(places.get());
        std::copy_n(mine.begin(), owned.size(), owned.begin());
      }
      space.node_exchange().global_to_local_begin(places.get(), owners.data());
      space.node_exchange().global_to_local_end(places.get(), owners.data());
      for (std::size_t i = 0; i < mine.size(); ++i) EXPECT_NEAR(owners[i], mine[i], 1e-14);
    }
}

TEST(Tetrahedra, BoxesHaveNamesAndRefine) {
  const Options refine(std::vector<std::pair<std::string, std::string>>{{"-dm_refine", "1"}});
  const Mesh mesh = tetrahedra("3,2,1", "3,2,1");
  EXPECT_EQ(mesh.global_cells(), 36 * 8);
  const Space space(mesh, 2);
  EXPECT_NEAR(volume(space), 6, 1e-13);
  const std::pair<const char*, std::array<PetscReal, 3>> sides[] = {{"xmin", {0, 0, 2}}, {"xmax", {0, 3, 2}},
                                                                    {"ymin", {1, 0, 3}}, {"ymax", {1, 2, 3}},
                                                                    {"zmin", {2, 0, 6}}, {"zmax", {2, 1, 6}}};
  for (const auto& [name, side] : sides) {
    EXPECT_NEAR(area(space, name), side[2], 1e-13) << name;
    for (const auto& [cell, face] : space.mesh_cells().face(name))
      for (const int i : space.element(cell).face_nodes(face))
        EXPECT_NEAR(space.coordinates()[static_cast<std::size_t>(space.cell_nodes(cell)[static_cast<std::size_t>(i)])]
                                       [static_cast<std::size_t>(side[0])],
                    side[1], 1e-14);
  }
}

TEST(Tetrahedra, GmshNames) {
  for (const int order : {1, 2}) {
    const Mesh mesh = file(order == 1 ? "cylinder_t1_v41.msh" : "cylinder_t2_v41.msh");
    EXPECT_EQ(mesh.global_cells(), 145);
    EXPECT_EQ(mesh.geometry_degree(), order);
    EXPECT_EQ(mesh.region_names(), (std::vector<std::string>{"lower", "upper"}));
    const Space space(mesh, 2);
    // Reference values of the straight cells, summed from the file.
    const PetscReal pi = std::acos(-1.0);
    const std::array<PetscReal, 3> straight{2.983787328819536, 2.82842712474619, 6.32172196754361};
    const std::array<PetscReal, 3> expected = order == 1 ? straight : std::array{pi, pi, 2 * pi};
    const std::array<PetscReal, 3> found{volume(space), area(space, "top"), area(space, "mantle")};
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], expected[i], order == 1 ? 1e-13 : 3e-3) << i;
    for (const auto& [cell, face] : space.mesh_cells().face("mantle"))
      for (const int i : space.element(cell).face_nodes(face)) {
        const Vec3& X =
            space.coordinates()[static_cast<std::size_t>(space.cell_nodes(cell)[static_cast<std::size_t>(i)])];
        if (order == 2) {
          EXPECT_NEAR(std::hypot(X[0], X[1]), 1, 1e-9);
        }
      }
    for (PetscInt cell = 0; cell < space.cells(); ++cell)
      EXPECT_EQ(space.mesh_cells().region(cell),
                space.mesh_cells().position(cell, {0.25, 0.25, 0.25})[2] > 0.5 ? 1 : 0);
  }
}

TEST(Tetrahedra, PlacesAreFound) {
  for (const char* name : {"cylinder_t1_v41.msh", "cylinder_t2_v41.msh"}) {
    const Space space(file(name), 3);
    for (const Vec3& X : {Vec3{0.41, -0.37, 0.13}, Vec3{-0.1, 0.2, 0.9}}) {
      const auto found = space.mesh_cells().locate(X);
      EXPECT_GE(total(found ? 1 : 0), 1);
      if (!found) continue;
      std::vector<double> shapes(space.cell_nodes(found->cell).size());
      space.element(found->cell).values(found->xi, shapes);
      for (std::size_t c = 0; c < 3; ++c) {
        PetscReal sum = 0;
        for (std::size_t i = 0; i < shapes.size(); ++i)
          sum += shapes[i] * space.coordinates()[static_cast<std::size_t>(space.cell_nodes(found->cell)[i])][c];
        EXPECT_NEAR(sum, X[c], 1e-12);
      }
    }
    EXPECT_FALSE(space.mesh_cells()
                     .locate({0.8, 0.8, 0.5})
                     .has_value());  // perhaps in the bounding box of a cell, but not in the cylinder
  }
}

TEST(Tetrahedra, OneCellOnAnyNumberOfRanks) {
  for (const char* levels : {"float", "double"})
    for (const int degree : {1, 2, 3}) {
      const Options options(std::vector<std::pair<std::string, std::string>>{{"-solid_levels", levels}});
      Body body(file("tetrahedron.msh"), degree);
      body.set_material(material(Law::neo_hookean));
      body.set_up();
      const auto zero = vector(body), up = vector(body, [](const Vec3&) { return Vec3{0, 0, 1}; });
      auto r = vector(body), x = vector(body), b = vector(body, ripple);
      body.residual({0, zero.get(), nullptr, up.get()}, r.get());
      EXPECT_NEAR(inner(r.get(), up.get()), 1.7 / 6, 1e-14);
      LinearProblem problem(body);
      problem.update(zero.get(), {1, 0, 1});
      EXPECT_GT(problem.solve(b.get(), x.get(), 1e-10), 0) << levels << ' ' << degree;
      check(MatMult(problem.shell(), x.get(), r.get()));
      check(VecAXPY(r.get(), -1, b.get()));
      EXPECT_LT(norm(r.get()), 1e-9 * norm(b.get()));
    }
}

TEST(Tetrahedra, AreRefusedOutOfPlace) {
  const auto refusal = [](const std::string& key, const std::string& value) -> std::string {
    const Options options(std::vector<std::pair<std::string, std::string>>{{key, value}});
    try {
      (void)tetrahedra("2,1,1");
    } catch (const MeshError& error) {
      return error.what();
    }
    return "not refused";
  };
  EXPECT_NE(refusal("-dm_plex_box_bd", "periodic,none,none").find("periodic"), std::string::npos);
  EXPECT_NE(refusal("-dm_plex_filename", std::string(GEARSHIFT_TEST_DATA) + "/mixed.msh").find("triangle"),
            std::string::npos);
  try {
    const Space space(tetrahedra("1,1,1"), 4);
    ADD_FAILURE();
  } catch (const OptionError& error) {
    EXPECT_NE(std::string(error.what()).find("tetrahedra"), std::string::npos) << error.what();
  }
}
