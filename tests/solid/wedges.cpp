/// Wedges: quadrature, shape functions, faces; meshes of wedges and of several kinds of cells.

#include "solid/boxes.hpp"
#include "solid/element/vectors.hpp"

using namespace gearshift;
using namespace gearshift::solid;
using namespace gearshift::solid::test;

namespace {

double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
double power(double x, int n) { return n == 0 ? 1 : std::pow(x, n); }
double monomial(const Vec3& x, int i, int j, int k) { return power(x[0], i) * power(x[1], j) * power(x[2], k); }

/// Returns the maximum error of the rule for monomials of one degree on the triangle and another along the line.
double quadrature_error(const Element& element, int triangle, int line) {
  double worst = 0;
  for (int i = 0; i <= triangle; ++i) {
    const int j = triangle - i;
    double sum = 0;
    for (std::size_t q = 0; q < element.points().size(); ++q)
      sum += element.weigh(monomial(element.points()[q], i, j, line), q);
    const double along = line % 2 == 1 ? 0 : 2.0 / (line + 1);
    worst = std::max(worst, std::abs(sum - along * factorial(i) * factorial(j) / factorial(triangle + 2)));
  }
  return worst;
}

PetscReal total(PetscReal x) {
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPIU_REAL, MPI_SUM, PETSC_COMM_WORLD);
  return x;
}

PetscReal volume(const Space& space) {
  PetscReal sum = 0;
  for (PetscInt cell = 0; cell < space.cells(); ++cell) {
    const Element& element = space.element(cell);
    for (std::size_t q = 0; q < element.mass_points().size(); ++q)
      sum += element.weigh_mass(determinant(space.mesh_cells().jacobian(cell, element.mass_points()[q])), q);
  }
  return total(sum);
}

/// Returns the vector area of a named face, and its area.
std::pair<Vec3, PetscReal> area(const Space& space, const char* name) {
  Vec3 sum{};
  PetscReal size = 0;
  for (const auto& [cell, face] : space.mesh_cells().face(name)) {
    const Element& element = space.element(cell);
    const auto tangents = element.face_tangents(face);
    for (const auto& [xi, weights] : element.face_points(face)) {
      const auto J = space.mesh_cells().jacobian(cell, xi);
      std::array<Vec3, 2> t{};
      for (std::size_t a = 0; a < 2; ++a)
        for (std::size_t c = 0; c < 3; ++c) t[a][c] = dot(J[c], tangents[a]);
      Vec3 normal = cross(t[0], t[1]);
      const Vec3 reference = cross(tangents[0], tangents[1]);
      if (dot(reference, xi - element.centre()) < 0) normal = -1 * normal;
      sum = sum + weights[0] * weights[1] * normal;
      size += weights[0] * weights[1] * std::sqrt(dot(normal, normal));
    }
  }
  for (PetscReal& x : sum) x = total(x);
  return {sum, total(size)};
}

constexpr std::array mixtures{Filling::wedges, Filling::hexahedra_and_wedges, Filling::wedges_and_tetrahedra};

/// A quarter of a tube, radii 1 and 2, length 1: x is the radius, y the angle.
Vec3 tube(const Vec3& X) {
  const PetscReal r = 1 + X[0], angle = X[1] * std::acos(0.0);
  return {r * std::cos(angle), r * std::sin(angle), X[2]};
}

}  // namespace

TEST(Wedges, QuadratureIsExactOnMonomials) {
  for (const int degree : {1, 2}) {
    const Element element(CellKind::wedge, degree);
    EXPECT_EQ(element.points().size(), element.nodes().size());
    EXPECT_EQ(element.mass_points(), element.points());
    for (std::size_t q = 0; q < element.points().size(); ++q) {
      EXPECT_GT(element.weigh(1, q), 0);
      EXPECT_EQ(element.weigh(1, q), element.weigh_mass(1, q));
      EXPECT_LT(element.outside(element.points()[q]), -0.05);
    }
    for (int triangle = 0; triangle <= 2 * degree; ++triangle)
      for (int line = 0; line <= 2 * degree + 1; ++line)
        EXPECT_LT(quadrature_error(element, triangle, line), 1e-15) << triangle << ' ' << line;
    EXPECT_GT(quadrature_error(element, 2 * degree + 1, 0), 1e-5);
    EXPECT_GT(quadrature_error(element, 0, 2 * degree + 2), 1e-5);
  }
}

TEST(Wedges, ShapesAreLagranges) {
  for (const int degree : {1, 2}) {
    const Element element(CellKind::wedge, degree);
    const std::size_t size = element.nodes().size();
    EXPECT_EQ(size, degree == 1 ? 6U : 18U);
    EXPECT_EQ(element.vertices(), 6);
    std::vector<double> values(size);
    std::vector<Vec3> slopes(size);
    for (std::size_t i = 0; i < size; ++i) {
      element.values(element.nodes()[i], values);
      for (std::size_t j = 0; j < size; ++j) EXPECT_NEAR(values[j], i == j, 1e-15);
    }
    const Vec3 x{0.13, 0.27, -0.41};
    element.values(x, values);
    element.slopes(x, slopes);
    for (int i = 0; i <= degree; ++i)
      for (int j = 0; i + j <= degree; ++j)
        for (int k = 0; k <= degree; ++k) {
          double value = 0;
          Vec3 slope{};
          for (std::size_t n = 0; n < size; ++n) {
            const double nodal = monomial(element.nodes()[n], i, j, k);
            value += values[n] * nodal;
            for (std::size_t d = 0; d < 3; ++d) slope[d] += slopes[n][d] * nodal;
          }
          EXPECT_NEAR(value, monomial(x, i, j, k), 1e-15);
          EXPECT_NEAR(slope[0], i == 0 ? 0 : i * monomial(x, i - 1, j, k), 1e-14);
          EXPECT_NEAR(slope[1], j == 0 ? 0 : j * monomial(x, i, j - 1, k), 1e-14);
          EXPECT_NEAR(slope[2], k == 0 ? 0 : k * monomial(x, i, j, k - 1), 1e-14);
        }
  }
}

// The flux of x^i y^j z^k (1, 1, 1) through all faces is the integral of its divergence.
TEST(Wedges, FacesCloseTheCell) {
  for (const int degree : {1, 2}) {
    const Element element(CellKind::wedge, degree);
    EXPECT_EQ(element.faces(), 5);
    double area = 0;
    for (int face = 0; face < element.faces(); ++face) {
      const bool triangle = face > 2;
      EXPECT_EQ(element.face_nodes(face).size(),
                static_cast<std::size_t>((degree + 1) * (triangle ? degree + 2 : 2 * degree + 2) / 2));
      for (const int node : element.face_nodes(face))
        EXPECT_NEAR(element.outside(element.nodes()[static_cast<std::size_t>(node)]), 0, 1e-15);
    }
    for (int i = 0; i <= 2; ++i)
      for (int j = 0; i + j <= 2; ++j)
        for (int k = 0; k <= 2; ++k) {
          double flux = 0, divergence = 0;
          for (int face = 0; face < element.faces(); ++face) {
            const auto [s, t] = element.face_tangents(face);
            Vec3 normal{s[1] * t[2] - s[2] * t[1], s[2] * t[0] - s[0] * t[2], s[0] * t[1] - s[1] * t[0]};
            const auto& points = element.face_points(face);
            double outwards = 0;
            for (std::size_t d = 0; d < 3; ++d) outwards += normal[d] * (points[0].xi[d] - element.centre()[d]);
            for (const auto& [xi, weights] : points) {
              EXPECT_NEAR(element.outside(xi), 0, 1e-15);
              const double sum = normal[0] + normal[1] + normal[2];
              flux += std::copysign(weights[0] * weights[1], outwards) * sum * monomial(xi, i, j, k);
              area += weights[0] * weights[1] * std::hypot(normal[0], normal[1], normal[2]);
            }
          }
          const auto at = [](int a, int b, int c) {  // integral of a monomial
            if (a < 0 || b < 0 || c < 0 || c % 2 == 1) return 0.0;
            return 2.0 / (c + 1) * factorial(a) * factorial(b) / factorial(a + b + 2);
          };
          divergence = i * at(i - 1, j, k) + j * at(i, j - 1, k) + k * at(i, j, k - 1);
          EXPECT_NEAR(flux, divergence, 1e-14) << i << j << k;
        }
    EXPECT_NEAR(area / 18, 1 + 2 * (2 + std::sqrt(2.0)), 1e-13);
  }
}

TEST(Wedges, PointsAreMovedBack) {
  const Element element(CellKind::wedge, 1);
  EXPECT_NEAR(element.outside({0.2, 0.3, 1.25}), 0.25, 1e-15);
  EXPECT_NEAR(element.outside({0.75, 0.5, 0}), 0.25, 1e-15);
  EXPECT_NEAR(element.outside({-0.1, 0.5, 0}), 0.1, 1e-15);
  for (const Vec3& xi : {Vec3{1e-9, 1, 1.00001}, Vec3{-1e-9, 0.5, -1.1}, Vec3{0.7, 0.4, 0.3}})
    EXPECT_LE(element.outside(element.clamped(xi)), 1e-16);
  EXPECT_LT(element.outside(element.centre()), -0.3);
  for (const int degree : {0, 3, 7}) EXPECT_THROW(Element(CellKind::wedge, degree), OptionError);
}

TEST(MixedMeshes, HaveTheirVolumesFacesAndRegions) {
  for (const Filling cells : mixtures)
    for (const int order : {1, 2}) {
      SCOPED_TRACE(std::string(name_of(cells)) + ", order " + std::to_string(order));
      const Mesh mesh = file_of(cells, "3,2,2", order, [](const Vec3& X) { return Vec3{3 * X[0], 2 * X[1], X[2]}; });
      EXPECT_EQ(mesh.geometry_degree(), order);
      EXPECT_EQ(mesh.region_names(), std::vector<std::string>{"body"});
      for (const int degree : {1, 2}) {
        const Space space(mesh, degree);
        EXPECT_EQ(space.global_nodes(), (3 * degree + 1) * (2 * degree + 1) * (2 * degree + 1));
        EXPECT_NEAR(volume(space), 6, 1e-13);
        const std::pair<const char*, Vec3> sides[] = {{"xmin", {-2, 0, 0}}, {"xmax", {2, 0, 0}},  {"ymin", {0, -3, 0}},
                                                      {"ymax", {0, 3, 0}},  {"zmin", {0, 0, -6}}, {"zmax", {0, 0, 6}}};
        for (const auto& [name, expected] : sides) {
          const auto [found, size] = area(space, name);
          for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(found[c], expected[c], 1e-13) << name;
          EXPECT_NEAR(size, std::abs(expected[0] + expected[1] + expected[2]), 1e-13);
        }
        PetscInt next = 0;
        for (const CellBlock& block : space.blocks()) {
          EXPECT_EQ(block.first, next);
          next = block.last;
        }
        EXPECT_EQ(next, space.cells());
        for (PetscInt cell = 0; cell < space.cells(); ++cell) {
          EXPECT_EQ(space.mesh_cells().region(cell), 0);
          for (std::size_t i = 0; i < space.cell_nodes(cell).size(); ++i) {
            const Vec3 X = space.mesh_cells().position(cell, space.element(cell).nodes()[i]);
            const Vec3& own = space.coordinates()[static_cast<std::size_t>(space.cell_nodes(cell)[i])];
            for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(own[c], X[c], 1e-14);
          }
        }
        for (const Vec3& X : {Vec3{0.4, 0.3, 0.2}, Vec3{2.9, 1.9, 0.3}, Vec3{1.7, 0.2, 0.9}, Vec3{3, 2, 1}}) {
          const auto found = space.mesh_cells().locate(X);
          EXPECT_GE(total(found ? 1 : 0), 1);
          if (!found) continue;
          const Vec3 x = space.mesh_cells().position(found->cell, found->xi);
          for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(x[c], X[c], 1e-12);
        }
        EXPECT_FALSE(space.mesh_cells().locate({3.1, 1, 0.5}).has_value());
      }
    }
}

TEST(MixedMeshes, Refine) {
  for (const Filling cells : mixtures) {
    const Options refine(std::vector<std::pair<std::string, std::string>>{{"-dm_refine", "1"}});
    const Mesh coarse = box_of(cells, "2,1,2", {2, 1, 1});
    const Space space(coarse, 2);
    EXPECT_NEAR(volume(space), 2, 1e-13) << name_of(cells);
    EXPECT_NEAR(area(space, "zmax").second, 2, 1e-13);
    EXPECT_NEAR(area(space, "xmax").second, 1, 1e-13);
    EXPECT_EQ(space.global_nodes(), 9 * 5 * 9);
  }
}

TEST(MixedMeshes, SecondOrderCellsFollowTheTube) {
  const PetscReal pi = std::acos(-1.0), exact[] = {pi * 3 / 4, pi / 2, pi};
  for (const Filling cells : mixtures) {
    std::array<std::array<PetscReal, 3>, 2> errors{};
    for (const std::size_t level : {0U, 1U}) {
      const Mesh mesh = file_of(cells, level == 0 ? "2,3,2" : "2,6,2", 2, tube);
      const Space space(mesh, 2);
      errors[level] = {volume(space) - exact[0], area(space, "xmin").second - exact[1],
                       area(space, "xmax").second - exact[2]};
    }
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_GT(std::abs(errors[0][i]), 12 * std::abs(errors[1][i])) << name_of(cells) << ' ' << i;  // fourth order
  }
}

TEST(MixedMeshes, CurvedCellsPassThePatchTest) {
  const auto affine = [](const Vec3& X) {
    return Vec3{0.05 * X[0] - 0.02 * X[1] + 0.3, 0.03 * X[0] + 0.04 * X[1] + 0.01 * X[2], 0.06 * X[2] - 0.02 * X[1]};
  };
  for (const Filling cells : {Filling::wedges, Filling::hexahedra_and_wedges}) {
    Body body(file_of(cells, "2,2,2", 2, tube), 2);
    body.set_material(material(Law::linear_elastic));
    for (const char* side : {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"})
      body.move(side, [&](PetscReal, const Vec3& X) { return MotionValue{affine(X), {}, {}}; });
    body.set_up();
    auto q = vector(body), exact = vector(body, affine);
    newton(body, 0, q.get(), 1e-14, 1e-12, 3);
    check(VecAXPY(q.get(), -1, exact.get()));
    EXPECT_LT(biggest(q.get()), 1e-12) << name_of(cells);
  }
}

// A ring of two kinds of cells under inner pressure compared with Lame's solution, in plane strain.
TEST(MixedMeshes, TubeUnderPressure) {
  constexpr PetscReal E = 2.6, nu = 0.3, p = 1e-3, a = 1, b = 2;
  for (const Filling cells : {Filling::hexahedra_and_wedges, Filling::wedges_and_tetrahedra}) {
    Body body(file_of(cells, "4,6,2", 2, tube), 2);
    body.set_material({.law = Law::linear_elastic, .E = E, .nu = nu, .rho = 1});
    body.fix("ymin", 1);
    body.fix("ymax", 0);
    body.fix("zmin", 2);
    body.fix("zmax", 2);
    body.add_pressure(
        "xmin", [](PetscReal, const Vec3&) { return p; }, true);
    body.set_up();
    auto q = vector(body),
         exact = vector(body, [](const Vec3&X) {
           const PetscReal r = std::hypot(X[0], X[1]);
           const PetscReal u = (1 + nu) / E * p * a * a / (b * b - a * a) * ((1 - 2 * nu) * r + b * b / r);
           return Vec3{u * X[0] / r, u * X[1] / r, 0};
         });
    newton(body, 0, q.get(), 1e-12, 1e-12, 6);
    check(VecAXPY(q.get(), -1, exact.get()));
    EXPECT_LT(biggest(q.get()), 3e-3 * biggest(exact.get())) << name_of(cells);
  }
}

TEST(MixedMeshes, OneWedgeOnAnyNumberOfRanks) {
  for (const char* levels : {"float", "double"})
    for (const int degree : {1, 2}) {
      const Options options(std::vector<std::pair<std::string, std::string>>{{"-solid_levels", levels}});
      const Written file(
          "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 0 1\n6 0 1 1\n"
          "$EndNodes\n$Elements\n1\n1 6 2 101 1 1 2 3 4 5 6\n$EndElements\n");
      Body body(read(file), degree);
      body.set_material(material(Law::neo_hookean));
      body.set_up();
      const auto zero = vector(body), up = vector(body, [](const Vec3&) { return Vec3{0, 0, 1}; });
      auto r = vector(body), x = vector(body), b = vector(body, ripple);
      body.residual({0, zero.get(), nullptr, up.get()}, r.get());
      EXPECT_NEAR(inner(r.get(), up.get()), 1.7 / 2, 1e-14);
      LinearProblem problem(body);
      problem.update(zero.get(), {1, 0, 1});
      EXPECT_GT(problem.solve(b.get(), x.get(), 1e-10), 0) << levels << ' ' << degree;
      check(MatMult(problem.shell(), x.get(), r.get()));
      check(VecAXPY(r.get(), -1, b.get()));
      EXPECT_LT(norm(r.get()), 1e-9 * norm(b.get()));
    }
}

TEST(MixedMeshes, AreAdopted) {
  for (const Filling cells : mixtures) {
    const Mesh mesh = box_of(cells, "3,2,2");
    const Space space(Mesh::adopt(mesh.dm()), 2);
    EXPECT_NEAR(volume(space), 1, 1e-13) << name_of(cells);
    EXPECT_EQ(space.blocks().size(), cells == Filling::wedges ? 1U : 2U);
  }
  const auto refusal = [](DMPolytopeType type) -> std::string {
    Handle<DM> dm;
    check(DMPlexCreateReferenceCell(PETSC_COMM_SELF, type, dm.out()));
    try {
      (void)Mesh::adopt(dm.get());
    } catch (const MeshError& error) {
      return error.what();
    }
    return "not refused";
  };
  EXPECT_EQ(refusal(DM_POLYTOPE_TRI_PRISM), "not refused");
  EXPECT_NE(refusal(DM_POLYTOPE_TRI_PRISM_TENSOR).find("-dm_plex_gmsh_hybrid 0"), std::string::npos);
  EXPECT_NE(refusal(DM_POLYTOPE_PYRAMID).find("is a pyramid"), std::string::npos);
}

TEST(MixedMeshes, BoxesAreOfOneKind) {
  const Options options({{"-dm_plex_simplex", "1"}, {"-dm_plex_cell", "triangular_prism"}});
  EXPECT_THROW((void)box("2,1,1"), MeshError);
}

TEST(MixedMeshes, AreRefusedAboveTheirDegree) {
  for (const Filling cells : mixtures) {
    const Mesh mesh = box_of(cells, "2,1,2");
    try {
      const Space space(mesh, 3);
      ADD_FAILURE() << name_of(cells);
    } catch (const OptionError& error) {
      EXPECT_NE(std::string(error.what()).find("wedges; give -degree 1 to 2"), std::string::npos) << error.what();
    }
  }
}
