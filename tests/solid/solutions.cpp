/// Static solutions: a published beam table, orders of convergence, a curved benchmark, and Krylov iterations.

#include "solid/boxes.hpp"
#include "solid/element/vectors.hpp"

using namespace gearshift;
using namespace gearshift::solid;
using namespace gearshift::solid::test;

namespace {

/// Returns the displacement at a point, the same on all ranks.
Vec3 probe(const Body& body, Vec q, const Vec3& X) {
  const Space& space = body.space();
  std::vector<PetscReal> local(3 * static_cast<std::size_t>(space.local_nodes()));
  space.node_exchange().global_to_local_begin(q, local.data());
  space.node_exchange().global_to_local_end(q, local.data());
  const auto found = space.mesh_cells().locate(X);
  PetscReal sums[4] = {0, 0, 0, 0};
  if (found) {
    std::vector<double> shapes(space.cell_nodes(found->cell).size());
    space.element(found->cell).values(found->xi, shapes);
    for (std::size_t i = 0; i < shapes.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c)
        sums[c] += shapes[i] * local[3 * static_cast<std::size_t>(space.cell_nodes(found->cell)[i]) + c];
    sums[3] = 1;
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, 4, MPIU_REAL, MPI_SUM, PETSC_COMM_WORLD);
  return {sums[0] / sums[3], sums[1] / sums[3], sums[2] / sums[3]};
}

}  // namespace

// Caribou's static beam: trilinear cells, Newton in five load increments. Ratios ||R_k|| / ||R_1|| of each increment,
// R_1 the residual after the first iteration's update of the first table column.
TEST(Solutions, BeamTable) {
  Body body(box("2,2,8", "7.5,7.5,80", "-7.5,-7.5,0"), 1);
  body.set_material({.law = Law::st_venant_kirchhoff, .E = 3000, .nu = 0.499, .rho = 1});
  body.clamp("zmin");
  body.add_traction(
      "zmax",
      [](PetscReal, const Vec3&) {
        return Vec3{0, -30, 0};
      },
      true);
  body.set_up();
  const std::vector<std::vector<PetscReal>> table{
      {1, 4.802014099846802e-3, 3.457785823647809e-4, 6.417769508095073e-8},
      {1, 4.700052322118300e-3, 3.771851553383748e-4, 1.289757638852382e-5, 2.125041655083045e-8},
      {1, 4.416064536488316e-3, 4.703733156787435e-4, 3.659722934024732e-5, 7.791507698853802e-8},
      {1, 4.003458215116851e-3, 6.263051713537671e-4, 4.996976075176631e-5, 1.422069948624354e-7},
      {1, 3.526942203674829e-3, 8.307813177405512e-4, 4.667215114394798e-5, 1.646730071539153e-7}};
  auto q = vector(body);
  for (std::size_t step = 0; step < table.size(); ++step) {
    body.set_load_factor(static_cast<PetscReal>(step + 1) / 5);
    const auto norms = newton(body, 0, q.get(), 0, 1e-14, static_cast<int>(table[step].size()));
    ASSERT_GT(norms.size(), table[step].size());
    for (std::size_t k = 0; k < table[step].size(); ++k)
      EXPECT_NEAR(norms[k + 1] / norms[1], table[step][k], 1e-9) << "increment " << step + 1 << " iteration " << k + 1;
    if (step == 0) {
      EXPECT_NEAR(norms[0], 506.25, 1e-6);
      EXPECT_NEAR(norms[1] / 1.508292447e6, 1, 1e-8);
    }
  }
  const Vec3 tip = probe(body, q.get(), {0, 0, 80});
  EXPECT_NEAR(tip[0], 0, 1e-7);
  EXPECT_NEAR(tip[1], -21.016400468, 1e-6);
  EXPECT_NEAR(tip[2], 76.189746462 - 80, 1e-6);
}

// Linear elasticity with u = (sin x cos y, e^z sin y, x z cos z) / 10: the L2 error falls with order p + 1.
TEST(Solutions, OrdersOfConvergence) {
  const auto exact = [](const Vec3& X) {
    return Vec3{0.1 * std::sin(X[0]) * std::cos(X[1]), 0.1 * std::exp(X[2]) * std::sin(X[1]),
                0.1 * X[0] * X[2] * std::cos(X[2])};
  };
  const PetscReal E = 2.6, nu = 0.3, mu = 1, lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
  // rho g = -(mu lap u + (lambda + mu) grad div u), div u = (cos x cos y + e^z cos y + x (cos z - z sin z)) / 10
  const auto force = [=](PetscReal, const Vec3& X) {
    const PetscReal x = X[0], y = X[1], z = X[2];
    const Vec3 laplacian{-0.2 * std::sin(x) * std::cos(y), 0, 0.1 * x * (-2 * std::sin(z) - z * std::cos(z))};
    const Vec3 gradient{0.1 * (-std::sin(x) * std::cos(y) + std::cos(z) - z * std::sin(z)),
                        0.1 * (-std::cos(x) * std::sin(y) - std::exp(z) * std::sin(y)),
                        0.1 * (std::exp(z) * std::cos(y) + x * (-2 * std::sin(z) - z * std::cos(z)))};
    Vec3 g{};
    for (std::size_t c = 0; c < 3; ++c) g[c] = -(mu * laplacian[c] + (lambda + mu) * gradient[c]);
    return g;
  };
  for (const auto& [kind, degree] :
       std::initializer_list<std::pair<Filling, int>>{{Filling::hexahedra, 1},
                                                      {Filling::hexahedra, 2},
                                                      {Filling::hexahedra, 3},
                                                      {Filling::hexahedra, 4},
                                                      {Filling::tetrahedra, 1},
                                                      {Filling::tetrahedra, 2},
                                                      {Filling::tetrahedra, 3},
                                                      {Filling::wedges, 1},
                                                      {Filling::wedges, 2},
                                                      {Filling::hexahedra_and_wedges, 1},
                                                      {Filling::hexahedra_and_wedges, 2},
                                                      {Filling::wedges_and_tetrahedra, 1},
                                                      {Filling::wedges_and_tetrahedra, 2}}) {
    std::array<PetscReal, 2> errors{};
    for (std::size_t level = 0; level < 2; ++level) {
      const char* cells = level == 0 ? "2,2,2" : "4,4,4";
      Mesh mesh = box_of(kind, cells);
      distort(mesh, 0.02);
      Body body(std::move(mesh), degree);
      body.set_material({.law = Law::linear_elastic, .E = E, .nu = nu, .rho = 1});
      body.set_gravity(force, true);
      for (const char* side : {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"})
        body.move(side, [&](PetscReal, const Vec3& X) { return MotionValue{exact(X), {}, {}}; });
      body.set_up();
      auto q = vector(body);
      newton(body, 0, q.get(), 1e-12, 1e-12, 2);
      // The L2 norm of the difference from the exact field, by the element's Gauss points.
      const Space& space = body.space();
      std::vector<PetscReal> local(3 * static_cast<std::size_t>(space.local_nodes()));
      space.node_exchange().global_to_local_begin(q.get(), local.data());
      space.node_exchange().global_to_local_end(q.get(), local.data());
      std::vector<double> points, weights, shapes;
      gauss_points(degree + 2, points, weights);
      PetscReal sum = 0;
      for (PetscInt cell = 0; cell < space.cells(); ++cell)
        for (std::size_t k = 0; k < points.size(); ++k)
          for (std::size_t j = 0; j < points.size(); ++j)
            for (std::size_t i = 0; i < points.size(); ++i) {
              Vec3 xi{points[i], points[j], points[k]};
              PetscReal weight = weights[i] * weights[j] * weights[k];
              const CellKind shape = space.element(cell).kind();
              if (shape == CellKind::wedge) {  // the square is folded onto the triangle
                const PetscReal y = (1 + xi[1]) / 2;
                weight *= (1 - y) / 4;
                xi = {(1 + xi[0]) / 2 * (1 - y), y, xi[2]};
              }
              if (shape == CellKind::tetrahedron) {  // the cube is folded onto the tetrahedron
                const PetscReal z = (1 + xi[2]) / 2, y = (1 + xi[1]) / 2 * (1 - z), x = (1 + xi[0]) / 2 * (1 - y - z);
                weight *= (1 - z) * (1 - y - z) / 8;
                xi = {x, y, z};
              }
              const Vec3 u = exact(space.mesh_cells().position(cell, xi));
              weight *= determinant(space.mesh_cells().jacobian(cell, xi));
              shapes.resize(space.cell_nodes(cell).size());
              space.element(cell).values(xi, shapes);
              for (std::size_t c = 0; c < 3; ++c) {
                PetscReal value = -u[c];
                for (std::size_t n = 0; n < shapes.size(); ++n)
                  value += shapes[n] * local[3 * static_cast<std::size_t>(space.cell_nodes(cell)[n]) + c];
                sum += weight * value * value;
              }
            }
      MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPIU_REAL, MPI_SUM, PETSC_COMM_WORLD);
      errors[level] = std::sqrt(sum);
    }
    EXPECT_GT(std::log2(errors[0] / errors[1]), degree + 1 - 0.25) << name_of(kind) << " of degree " << degree;
  }
}

// Turek and Hron's CSM1 on curved cells: u of (0.6, 0.2) is (-7.18783e-3, -66.1031e-3).
TEST(Solutions, FlagWithCurvedClamp) {
  Body body(file("csm_bar_l0_q2_v41.msh"), 4);
  body.set_material({.law = Law::st_venant_kirchhoff, .E = 1.4e6, .nu = 0.4, .rho = 1000});
  body.fix("zmin", 2);
  body.fix("zmax", 2);
  body.clamp("clamp");
  body.set_gravity([](PetscReal, const Vec3&) { return Vec3{0, -2, 0}; }, true);
  body.set_up();
  auto q = vector(body);
  for (int step = 1; step <= 4; ++step) {
    body.set_load_factor(step / 4.0);
    newton(body, 0, q.get(), 1e-9, 1e-6, 12);
  }
  const Vec3 tip = probe(body, q.get(), {0.6, 0.2, 0.005});
  EXPECT_NEAR(tip[0], -7.18783e-3, 5e-6);
  EXPECT_NEAR(tip[1], -66.1031e-3, 3e-5);
}

// A beam under its own weight with large bending: other cells compared with hexahedra of degree 4.
TEST(Solutions, OtherCellsBendAsHexahedraDo) {
  const auto tip = [](Mesh mesh, int degree) {
    Body body(std::move(mesh), degree);
    body.set_material({.law = Law::neo_hookean, .E = 1e6, .nu = 0.3, .rho = 1000});
    body.clamp("xmin");
    body.set_gravity([](PetscReal, const Vec3&) { return Vec3{0, 1, -2}; }, true);
    body.set_up();
    auto q = vector(body);
    for (int step = 1; step <= 3; ++step) {
      body.set_load_factor(step / 3.0);
      const auto norms = newton(body, 0, q.get(), 1e-9, 1e-8, 12);
      EXPECT_LT(norms.back(), 1e-8 * norms.front());
    }
    return probe(body, q.get(), {4, 0.5, 0.5});
  };
  const Vec3 expected = tip(box("8,2,2", "4,1,1"), 4);
  EXPECT_LT(expected[2], -0.5);
  for (const auto& [cells, degree, tolerance] :
       std::initializer_list<std::tuple<Filling, int, PetscReal>>{{Filling::tetrahedra, 2, 1.5e-2},
                                                                  {Filling::tetrahedra, 3, 4e-3},
                                                                  {Filling::wedges, 2, 1e-2},
                                                                  {Filling::hexahedra_and_wedges, 2, 1e-2},
                                                                  {Filling::wedges_and_tetrahedra, 2, 1.5e-2}}) {
    const Vec3 found = tip(box_of(cells, "8,2,2", {4, 1, 1}), degree);
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(found[c], expected[c], tolerance * std::abs(expected[2])) << name_of(cells) << " degree " << degree;
  }
}

TEST(Solutions, MultigridIterations) {
  struct Case {
    Filling kind;
    int degree;
    const char* cells;
    const char* levels;
  };
  const auto hexahedron = Filling::hexahedra, tetrahedron = Filling::tetrahedra, wedge = Filling::wedges,
             mixed = Filling::hexahedra_and_wedges, other_mixed = Filling::wedges_and_tetrahedra;
  for (const auto& [kind, degree, cells, levels] : {Case{hexahedron, 2, "12,3,3", "float"},
                                                    {hexahedron, 3, "8,2,2", "float"},
                                                    {hexahedron, 4, "8,2,2", "float"},
                                                    {hexahedron, 2, "4,10,10", "float"},  // ten times as long as thick
                                                    {hexahedron, 3, "4,10,10", "float"},
                                                    {tetrahedron, 1, "16,4,4", "float"},
                                                    {tetrahedron, 2, "12,3,3", "float"},
                                                    {tetrahedron, 3, "8,2,2", "float"},
                                                    {tetrahedron, 1, "16,4,4", "double"},
                                                    {tetrahedron, 2, "12,3,3", "double"},
                                                    {tetrahedron, 3, "8,2,2", "double"},
                                                    {wedge, 1, "16,4,4", "float"},
                                                    {wedge, 2, "12,3,3", "float"},
                                                    {wedge, 1, "16,4,4", "double"},
                                                    {wedge, 2, "12,3,3", "double"},
                                                    {mixed, 2, "12,3,3", "float"},
                                                    {other_mixed, 2, "12,3,3", "float"},
                                                    {mixed, 2, "12,3,3", "double"}})
    for (const bool dynamic : {false, true}) {
      const Options options(std::vector<std::pair<std::string, std::string>>{{"-solid_levels", levels}});
      Body body(box_of(kind, cells, {4, 1, 1}), degree);
      body.set_material({.law = Law::neo_hookean, .E = 1e7, .nu = 0.3, .rho = 1000});
      body.clamp("xmin");
      body.set_gravity([](PetscReal, const Vec3&) { return Vec3{0.1, -2, 0.3}; }, true);
      body.set_up();
      LinearProblem problem(body);
      auto q = vector(body,
                      [](const Vec3&X) {
                        return Vec3{0, 0.001 * X[0] * X[0], 0};
                      }),
           r = vector(body), x = vector(body);
      body.residual({0, vector(body).get(), nullptr, nullptr}, r.get());
      problem.mask(r.get(), 0);
      const PetscReal alpha = 150;
      problem.update(q.get(), dynamic ? Shifts{1 / alpha, 1, alpha} : Shifts{1, 0, 0});
      const PetscInt iterations = problem.solve(r.get(), x.get(), 1e-8);
      SCOPED_TRACE(std::string(name_of(kind)) + " of degree " + std::to_string(degree) + ", cells " + cells +
                   ", levels " + levels + (dynamic ? ", dynamic" : ", static"));
      EXPECT_GT(iterations, 0);
      EXPECT_LE(iterations, 30);
      RecordProperty("iterations", static_cast<int>(iterations));
    }
}
