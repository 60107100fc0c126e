// Stress, strain and energy density at the nodes, for bodies aligned with the axes and rotated.

#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/solid/stress_recovery.hpp>

#include "solid/boxes.hpp"
#include "solid/turns.hpp"

#include <cmath>

namespace gearshift::solid {
namespace {

using namespace test;

State at(Vec u) { return {.t = 0, .q = u, .v = nullptr, .a = nullptr}; }

/// Returns the stress of linear elasticity from the gradient of u [component][direction].
Symmetric hooke(const Material& m, const std::array<Vec3, 3>& H) {
  const double mu = m.E / (2 * (1 + m.nu)), lambda = m.E * m.nu / ((1 + m.nu) * (1 - 2 * m.nu));
  const double bulk = lambda * (H[0][0] + H[1][1] + H[2][2]);
  return {2 * mu * H[0][0] + bulk,  2 * mu * H[1][1] + bulk,  2 * mu * H[2][2] + bulk,
          mu * (H[0][1] + H[1][0]), mu * (H[1][2] + H[2][1]), mu * (H[0][2] + H[2][0])};
}

/// Returns the maximum difference over all positions and ranks.
template <class Expected>
double difference(const Body& body, const StressRecovery& recovery, Expected&& expected) {
  double most = 0;
  for (std::size_t place = 0; place < recovery.places().size(); ++place) {
    const auto node = static_cast<std::size_t>(recovery.places().nodes()[place]);
    const Symmetric exact = expected(body.space().coordinates()[node], place), found = recovery.stress()[place];
    for (std::size_t e = 0; e < 6; ++e) {
      const double error = std::abs(found[e] - exact[e]);
      most = std::isnan(error) ? PETSC_INFINITY : std::max(most, error);
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  return most;
}

struct Kind {
  Filling cells;
  int degree;
};

std::vector<Kind> kinds(int most) {
  std::vector<Kind> result;
  for (const Filling cells : {Filling::hexahedra, Filling::tetrahedra, Filling::wedges, Filling::hexahedra_and_wedges,
                              Filling::wedges_and_tetrahedra})
    for (int degree = 1; degree <= std::min(most, highest_degree(cells)); ++degree) result.push_back({cells, degree});
  return result;
}

Mesh filled(Filling cells, std::array<int, 3> count, const Turn& turn = {}) {
  if (cells == Filling::hexahedra || cells == Filling::tetrahedra) {
    const std::string faces =
        std::to_string(count[0]) + "," + std::to_string(count[1]) + "," + std::to_string(count[2]);
    Mesh mesh = cells == Filling::hexahedra ? box(faces) : tetrahedra(faces);
    apply(turn, mesh);
    return mesh;
  }
  const Written written(GmshBox(cells, count, 1, [&](const Vec3& X) { return turn(X); }).bytes());
  return read(written);
}

TEST(Recovery, EnergyAtPointsIsThatOfTheBody) {
  for (const auto& [cells, degree] : kinds(6))
    for (const Law law : laws) {
      if (degree > 2 && law != Law::neo_hookean) continue;
      SCOPED_TRACE(std::string(name_of(cells)) + " of degree " + std::to_string(degree) + ", " + name_of(law));
      Body body(filled(cells, {2, 2, 2}), degree);
      body.set_material(material(law));
      body.set_up();
      const auto u = vector(body, wavy);
      double sum = 0;
      body.visit_points(at(u.get()), [&](PetscInt cell, std::span<const PointState> points) {
        const Element& element = body.space().element(cell);
        for (std::size_t q = 0; q < points.size(); ++q) {
          const auto J = body.space().mesh_cells().jacobian(cell, element.points()[q]);
          const double det = J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) -
                             J[0][1] * (J[1][0] * J[2][2] - J[1][2] * J[2][0]) +
                             J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0]);
          sum += element.weigh(det, q) * points[q].energy;
        }
      });
      MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
      const double stored = body.energy(at(u.get()))->stored;
      EXPECT_NEAR(sum, stored, 1e-12 * stored);
    }
}

/// The stress at a point is the derivative of the energy density in any direction, up to the error of differences.
TEST(Recovery, StressAtPointsIsTheDerivativeOfTheEnergy) {
  for (const auto& [cells, degree] : kinds(2)) {
    Body body(filled(cells, {2, 1, 2}), degree);
    body.set_material(material(Law::mooney_rivlin));
    body.set_up();
    const auto u = vector(body, wavy), way = vector(body, ripple), moved = vector(body);
    std::vector<double> power, change;
    std::vector<std::array<double, 9>> stresses, gradients;
    body.visit_points(at(u.get()), [&](PetscInt, std::span<const PointState> points) {
      for (const PointState& p : points) {
        stresses.push_back(p.stress);
        gradients.push_back(p.gradient);
      }
    });
    constexpr double h = 1e-5;
    for (const double sign : {1.0, -1.0}) {
      check(VecWAXPY(moved.get(), sign * h, way.get(), u.get()));
      std::size_t i = 0;
      body.visit_points(at(moved.get()), [&](PetscInt, std::span<const PointState> points) {
        for (const PointState& p : points) {
          double along = 0;
          for (std::size_t e = 0; e < 9; ++e) along += stresses[i][e] * (p.gradient[e] - gradients[i][e]);
          if (sign > 0) {
            change.push_back(p.energy);
            power.push_back(2 * along);
          } else {
            change[i] -= p.energy;
          }
          ++i;
        }
      });
    }
    for (std::size_t i = 0; i < change.size(); ++i) EXPECT_NEAR(change[i], power[i], 1e-9);
  }
}

/// For a displacement of the elements' degree the patches reproduce the stress exactly, also at surface nodes and in
/// bodies one cell thick.
TEST(Recovery, PolynomialsAreExact) {
  for (const auto& [cells, degree] : kinds(4))
    for (const bool thin : {false, true})
      for (const Turn& turn : turns()) {
        SCOPED_TRACE(std::string(name_of(cells)) + " of degree " + std::to_string(degree) + (thin ? ", thin" : ""));
        Body body(filled(cells, thin ? std::array{3, 3, 1} : std::array{3, 2, 2}, turn), degree);
        const Material m = material(Law::linear_elastic);
        body.set_material(m);
        body.set_up();
        const int p = degree;
        const auto u = vector(body, turn.of([p](const Vec3& X) {
          const double s = X[0] + 0.7 * X[1] - 0.4 * X[2] + 0.2, f = std::pow(s, p);
          return Vec3{f, -0.5 * f, 0.3 * f + 0.1 * X[0]};
        }));
        StressRecovery recovery(body, {.stress = true, .strain = true});
        recovery.update(at(u.get()));
        const double error = difference(body, recovery, [&](const Vec3& x, std::size_t) {
          const Vec3 X = turn.back(x);
          const double s = X[0] + 0.7 * X[1] - 0.4 * X[2] + 0.2, slope = p * std::pow(s, p - 1);
          std::array<Vec3, 3> H;
          const Vec3 factor{1, -0.5, 0.3};
          for (std::size_t c = 0; c < 3; ++c)
            H[c] = {factor[c] * slope, 0.7 * factor[c] * slope, -0.4 * factor[c] * slope};
          H[2][0] += 0.1;
          return turn(hooke(m, H));
        });
        EXPECT_LT(error, 1e-11);
      }
}

/// The order p + 1 of superconvergent points is reached at all nodes.
TEST(Recovery, GainsAnOrder) {
  for (const Turn& turn : turns())
    for (int degree = 1; degree <= 3; ++degree) {
      double before = 0;
      for (const int n : {4, 8}) {
        Body body(filled(Filling::hexahedra, {n, n, n}, turn), degree);
        const Material m = material(Law::linear_elastic);
        body.set_material(m);
        body.set_up();
        const auto u = vector(body, turn.of([](const Vec3& X) {
          return Vec3{std::sin(1.5 * X[0] + X[1]), std::cos(X[1] - X[2]), X[0] * X[2]};
        }));
        StressRecovery recovery(body, {.stress = true});
        recovery.update(at(u.get()));
        const double error = difference(body, recovery, [&](const Vec3& x, std::size_t) {
          const Vec3 X = turn.back(x);
          const double a = std::cos(1.5 * X[0] + X[1]), b = -std::sin(X[1] - X[2]);
          return turn(hooke(m, {Vec3{1.5 * a, a, 0}, Vec3{0, b, -b}, Vec3{X[2], 0, X[0]}}));
        });
        if (before > 0) {
          EXPECT_GT(std::log2(before / error), degree + 0.7) << degree << ": " << before << " " << error;
        }
        before = error;
      }
    }
}

/// Each side of a material interface keeps its own stress, to rounding.
TEST(Recovery, JumpsBetweenMaterials) {
  for (const auto& [cells, degree] : kinds(2))
    for (const Turn& turn : turns()) {
      SCOPED_TRACE(std::string(name_of(cells)) + " of degree " + std::to_string(degree));
      const Mesh mesh = filled(cells, {4, 2, 2}, turn);
      mark(mesh, "stiff", [&](const Vec3& X) { return turn.back(X)[0] > 0.5; });
      Body body(Mesh::adopt(mesh.dm()), degree);
      const Material soft = material(Law::linear_elastic);
      Material stiff = soft;
      stiff.E *= 100;
      body.set_material(soft);
      body.set_material("stiff", stiff);
      body.set_up();
      EXPECT_EQ(body.material_count(), 2);
      const auto u = vector(body, turn.of([](const Vec3& X) {
        return Vec3{0.1 * X[0], 0.2 * X[0] + X[1], X[2] * 0.4};
      }));
      StressRecovery recovery(body, {.stress = true});
      recovery.update(at(u.get()));
      std::vector<int> of_place(recovery.places().size(), -1);
      for (PetscInt cell = 0; cell < body.space().cells(); ++cell)
        for (const PetscInt place : recovery.places().cell_places(cell))
          of_place[static_cast<std::size_t>(place)] = body.material_number(cell);
      const std::array<Vec3, 3> H{Vec3{0.1, 0, 0}, Vec3{0.2, 1, 0}, Vec3{0, 0, 0.4}};
      const double error = difference(body, recovery, [&](const Vec3& x, std::size_t place) {
        const Vec3 X = turn.back(x);
        const int number = of_place[place];
        if (number < 0) return recovery.stress()[place];  // not in a cell of this rank
        EXPECT_TRUE(number == 0 ? X[0] <= 0.5 + 1e-12 : X[0] >= 0.5 - 1e-12);
        return turn(hooke(number == 0 ? soft : stiff, H));
      });
      EXPECT_LT(error, 1e-9);
    }
}

TEST(Recovery, FiniteStrainsGiveCauchysStress) {
  Body body(box("2,2,2"), 2);
  const Material m = material(Law::neo_hookean);
  body.set_material(m);
  body.set_up();
  // F = R U with a stretch of 1.3 along x, then a rotation by 40 degrees about z.
  const double c = std::cos(0.7), s = std::sin(0.7), stretch = 1.3;
  const auto u = vector(body, [&](const Vec3& X) {
    return Vec3{c * stretch * X[0] - s * X[1] - X[0], s * stretch * X[0] + c * X[1] - X[1], 0};
  });
  StressRecovery recovery(body, {.stress = true, .strain = true, .energy_density = true});
  recovery.update(at(u.get()));
  const double mu = m.E / (2 * (1 + m.nu)), lambda = m.E * m.nu / ((1 + m.nu) * (1 - 2 * m.nu));
  const double J = stretch, along = (mu * (stretch * stretch - 1) + lambda * std::log(J)) / J,
               across = lambda * std::log(J) / J;
  EXPECT_LT(
      difference(
          body, recovery,
          [&](const Vec3&, std::size_t) {
            return Symmetric{
                c * c * along + s * s * across, s * s * along + c * c * across, across, c * s * (along - across), 0, 0};
          }),
      1e-12);
  const double W = mu / 2 * (stretch * stretch - 1) - mu * std::log(J) + lambda / 2 * std::log(J) * std::log(J);
  for (std::size_t place = 0; place < recovery.places().size(); ++place) {
    EXPECT_NEAR(recovery.energy_density()[place], W, 1e-12);
    EXPECT_NEAR(recovery.strain()[place][0], 0.5 * (stretch * stretch - 1), 1e-12);
    EXPECT_NEAR(recovery.strain()[place][3], 0, 1e-12);
    EXPECT_NEAR(von_mises(recovery.stress()[place]), along - across, 1e-12);
    const auto values = principal(recovery.stress()[place]);
    EXPECT_NEAR(values[0], along, 1e-12);
    EXPECT_NEAR(values[1], across, 1e-12);
    EXPECT_NEAR(values[2], across, 1e-12);
    EXPECT_NEAR(pressure(recovery.stress()[place]), -(along + 2 * across) / 3, 1e-12);
  }
}

/// A plate with a hole of radius 1 under tension 1 along x, in plane strain (Kirsch 1898): stress and displacement.
struct Kirsch {
  double mu, nu;
  static std::pair<double, double> polar(const Vec3& X) { return {std::hypot(X[0], X[1]), std::atan2(X[1], X[0])}; }
  Symmetric stress(const Vec3& X) const {
    const auto [r, angle] = polar(X);
    const double i2 = 1 / (r * r), i4 = i2 * i2, c2 = std::cos(2 * angle), c4 = std::cos(4 * angle);
    const double s2 = std::sin(2 * angle), s4 = std::sin(4 * angle);
    const double xx = 1 - i2 * (1.5 * c2 + c4) + 1.5 * i4 * c4, yy = -i2 * (0.5 * c2 - c4) - 1.5 * i4 * c4;
    return {xx, yy, nu * (xx + yy), -i2 * (0.5 * s2 + s4) + 1.5 * i4 * s4, 0, 0};
  }
  Vec3 displacement(const Vec3& X) const {
    const auto [r, angle] = polar(X);
    const double kappa = 3 - 4 * nu, c1 = std::cos(angle), c3 = std::cos(3 * angle), s1 = std::sin(angle);
    const double s3 = std::sin(3 * angle), i3 = 1 / (r * r * r);
    return {(r * (kappa + 1) * c1 + 2 / r * ((1 + kappa) * c1 + c3) - 2 * i3 * c3) / (8 * mu),
            (r * (kappa - 3) * s1 + 2 / r * ((1 - kappa) * s1 + s3) - 2 * i3 * s3) / (8 * mu), 0};
  }
};

/// Returns the maximum errors of the equilibrium stress of a quarter of that plate, up to radius 4: at all nodes, and
/// away from the boundary.
std::array<double, 2> kirsch_errors(Filling cells, int degree, int n, const Turn& turn = {}) {
  const auto map = [&](const Vec3& X) {
    const double r = std::pow(4, X[0]), angle = PETSC_PI / 2 * X[1];
    return turn(Vec3{r * std::cos(angle), r * std::sin(angle), 0.5 * X[2]});
  };
  Body body(read(Written(GmshBox(cells, {n, n, 1}, 2, map).bytes())), degree);
  Material m = material(Law::linear_elastic);
  const Kirsch exact{m.E / (2 * (1 + m.nu)), m.nu};
  body.set_material(m);
  const auto displacement = turn.of([&](const Vec3& X) { return exact.displacement(X); });
  const auto move = [&](const char* face) {
    body.move(face, [&](PetscReal, const Vec3& X) { return MotionValue{.g = displacement(X), .g_t = {}, .g_tt = {}}; });
  };
  move("xmax");
  for (const auto& [face, axis] : {std::pair{"ymin", 1}, {"ymax", 0}, {"zmin", 2}, {"zmax", 2}})
    turn.R.isIdentity() ? body.fix(face, axis) : move(face);  // supports act on components along the axes
  body.set_up();
  const Options tight({{"-snes_rtol", "1e-12"}, {"-ksp_rtol", "1e-10"}});
  Stepper stepper(body, body.layout());
  stepper.set_from_options();
  stepper.set_initial_state(0, vector(body).get(), vector(body).get());
  stepper.solve_static(0);
  StressRecovery recovery(body, {.stress = true});
  recovery.update(stepper.state());
  std::array<double, 2> errors{};
  for (std::size_t place = 0; place < recovery.places().size(); ++place) {
    const Vec3& X = body.space().coordinates()[static_cast<std::size_t>(recovery.places().nodes()[place])];
    const Symmetric expected = turn(exact.stress(turn.back(X)));
    const auto [r, angle] = Kirsch::polar(turn.back(X));
    const bool inside = r > 1.9 && r < 3 && angle > 0.4 && angle < 1.1;
    for (std::size_t e = 0; e < 6; ++e) {
      const double error = std::abs(recovery.stress()[place][e] - expected[e]);
      errors[0] = std::isnan(error) ? PETSC_INFINITY : std::max(errors[0], error);
      if (inside) errors[1] = std::max(errors[1], error);
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, errors.data(), 2, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  return errors;
}

/// Within 1 % of the maximum stress, 3, at all nodes of moderate meshes, including the edge of the hole.
TEST(Recovery, PlateWithAHole) {
  for (const Turn& turn : turns())
    for (const Filling cells : {Filling::hexahedra, Filling::wedges}) {
      const auto coarse = kirsch_errors(cells, 2, 12, turn), fine = kirsch_errors(cells, 2, 24, turn);
      EXPECT_LT(fine[0], 0.03);
      EXPECT_GT(std::log2(coarse[1] / fine[1]), 2.7);
    }
}

/// At the hole's edge on a coarse mesh: within 1.2 % of the maximum stress, 3.
TEST(Recovery, CurvedEdgeOfACoarseMesh) {
  for (const Turn& turn : turns()) EXPECT_LT(kirsch_errors(Filling::hexahedra, 2, 8, turn)[0], 0.036);
}

/// Returns nodal values in the order of the mesh file, the same on all ranks.
std::vector<Symmetric> in_natural_order(const Body& body, std::span<const Symmetric> stress) {
  std::vector<Symmetric> all(static_cast<std::size_t>(body.space().global_nodes()), Symmetric{});
  IS order = body.natural_numbering();
  const PetscInt* numbers = nullptr;
  check(ISGetIndices(order, &numbers));
  for (std::size_t node = 0; node < static_cast<std::size_t>(body.space().owned_nodes()); ++node)
    all[static_cast<std::size_t>(numbers[3 * node] / 3)] = stress[node];
  check(ISRestoreIndices(order, &numbers));
  MPI_Allreduce(MPI_IN_PLACE, all.front().data(), static_cast<int>(6 * all.size()), MPI_DOUBLE, MPI_SUM,
                PETSC_COMM_WORLD);
  return all;
}

/// Returns the stress of a body that `map` creates from a cube, for arbitrary displacements independent of the rank.
std::vector<Symmetric> stress_of(Filling cells, std::array<int, 3> count, int degree, const GmshBox::Map& map,
                                 const Turn& turn) {
  Body body(read(Written(GmshBox(cells, count, 1, [&](const Vec3& X) { return turn(map(X)); }).bytes())), degree);
  body.set_material(material(Law::linear_elastic));
  body.set_up();
  const auto u = vector(body);
  {
    IS order = body.natural_numbering();
    const PetscInt* numbers = nullptr;
    check(ISGetIndices(order, &numbers));
    petsc::WriteView values(u.get());
    for (std::size_t node = 0; 3 * node < values.size(); ++node) {
      const auto number = static_cast<double>(numbers[3 * node] / 3);
      const Vec3 moved = turn(Vec3{std::sin(12.9 * number), std::sin(78.2 * number + 1), std::sin(37.7 * number + 2)});
      for (std::size_t c = 0; c < 3; ++c) values[3 * node + c] = moved[c];
    }
    check(ISRestoreIndices(order, &numbers));
  }
  StressRecovery recovery(body, {.stress = true});
  recovery.update(at(u.get()));
  return in_natural_order(body, recovery.stress());
}

double max_of(const std::vector<Symmetric>& stress) {
  double most = 0;
  for (const Symmetric& s : stress)
    for (const double x : s) most = std::max(most, std::abs(x));
  return most;
}

/// A plate with sides a, a, 1 in one or two layers, a quarter of a ring, and a sheared block.
struct Shape {
  std::string name;
  std::array<int, 3> count;
  GmshBox::Map map;
};

std::vector<Shape> shapes(double aspect) {
  const auto ring = [aspect](const Vec3& X) {
    const double angle = PETSC_PI / 2 * X[0], r = 4 * aspect * 2 / PETSC_PI + X[2];
    return Vec3{r * std::sin(angle), aspect * X[1], r * std::cos(angle)};
  };
  const auto plate = [aspect](const Vec3& X) { return Vec3{3 * aspect * X[0], 2 * aspect * X[1], X[2]}; };
  const auto sheared = [aspect](const Vec3& X) {
    return Vec3{2 * aspect * X[0] + 0.8 * X[1] - 1.3 * X[2], aspect * X[1] + 0.9 * X[2], X[2]};
  };
  return {{"plate", {3, 2, 1}, plate},
          {"plate of two layers", {3, 2, 2}, plate},
          {"ring", {4, 1, 1}, ring},
          {"ring of two layers", {4, 1, 2}, ring},
          {"sheared block", {2, 2, 1}, sheared},
          {"sheared block of two layers", {2, 2, 2}, sheared}};
}

/// The recovered stress rotates with the body for any displacement, up to rounding, which grows with the aspect ratio.
TEST(Recovery, TurnsWithTheBody) {
  auto rotations = random_turns(20);
  rotations.push_back(renamed_axes());
  std::size_t next = 0;
  for (const auto& [cells, degree] : kinds(3)) {
    if (cells == Filling::tetrahedra) continue;  // tetrahedra also occur next to wedges
    for (const double aspect : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0})
      for (const Shape& shape : shapes(aspect)) {
        SCOPED_TRACE(std::string(name_of(cells)) + " of degree " + std::to_string(degree) + ", " + shape.name +
                     " of aspect " + std::to_string(aspect));
        const auto along = stress_of(cells, shape.count, degree, shape.map, {});
        const bool all = cells == Filling::hexahedra && degree == 2;
        for (std::size_t i = 0; i < (all ? rotations.size() : 1); ++i) {
          const Turn& turn = rotations[all ? i : next++ % rotations.size()];
          const auto turned = stress_of(cells, shape.count, degree, shape.map, turn);
          double most = 0;
          for (std::size_t node = 0; node < along.size(); ++node) {
            const Symmetric expected = turn(along[node]);
            for (std::size_t e = 0; e < 6; ++e) most = std::max(most, std::abs(turned[node][e] - expected[e]));
          }
          EXPECT_LT(most, 1e-8 * max_of(along)) << "rotation " << i;
        }
      }
  }
}

/// Bending of plates of one and two layers: the surface stress is exact for any thickness and orientation of the plate.
TEST(Recovery, BentPlates) {
  for (const auto& [cells, degree] : kinds(3)) {
    if (degree == 1 || cells == Filling::tetrahedra) continue;
    for (const double aspect : {1.0, 8.0, 40.0, 200.0})
      for (const int layers : {1, 2})
        for (const Turn& turn : random_turns(3)) {
          SCOPED_TRACE(std::string(name_of(cells)) + " of degree " + std::to_string(degree) + ", aspect " +
                       std::to_string(aspect));
          const auto map = [&](const Vec3& X) { return turn(Vec3{3 * aspect * X[0], 2 * aspect * X[1], X[2] - 0.5}); };
          Body body(read(Written(GmshBox(cells, {3, 2, layers}, 1, map).bytes())), degree);
          Material m = material(Law::linear_elastic);
          m.nu = 0;
          body.set_material(m);
          body.set_up();
          const auto u = vector(body, turn.of([](const Vec3& X) { return Vec3{X[0] * X[2], 0, -X[0] * X[0] / 2}; }));
          StressRecovery recovery(body, {.stress = true});
          recovery.update(at(u.get()));
          const double error = difference(body, recovery, [&](const Vec3& x, std::size_t) {
            return turn(Symmetric{m.E * turn.back(x)[2], 0, 0, 0, 0, 0});
          });
          EXPECT_LT(error, 1e-7 * m.E);
        }
  }
}

/// The maximum von Mises stress of each cell is taken at its quadrature points, independently of the recovery.
TEST(Recovery, GreatestVonMisesAtPoints) {
  Body body(box("2,1,1", "2,1,1"), 2);
  Material m = material(Law::linear_elastic);
  m.nu = 0;
  body.set_material(m);
  body.set_up();
  const auto u = vector(body, [](const Vec3& X) { return Vec3{X[0] * X[0] / 2, 0, 0}; });  // stress E x
  StressRecovery recovery(body, {.stress = true});
  recovery.update(at(u.get()));
  const double last = 0.5 + 0.5 * std::sqrt(0.6);  // outermost Gauss point
  ASSERT_EQ(recovery.von_mises_at_points().size(), static_cast<std::size_t>(body.space().cells()));
  for (PetscInt cell = 0; cell < body.space().cells(); ++cell) {
    const Vec3 X = recovery.position_of_von_mises(cell);
    EXPECT_NEAR(X[0] - std::floor(X[0]), last, 1e-12);
    EXPECT_NEAR(recovery.von_mises_at_points()[static_cast<std::size_t>(cell)], m.E * X[0], 1e-12);
  }
}

/// Next to unloaded parts, whose energy is 0, the polynomials would overshoot.
TEST(Recovery, EnergyIsNotNegative) {
  for (const auto& [cells, degree] : kinds(3)) {
    Body body(filled(cells, {4, 2, 2}), degree);
    body.set_material(material(Law::neo_hookean));
    body.set_up();
    const auto u = vector(body, [](const Vec3& X) { return Vec3{0.1 * std::pow(std::max(X[0] - 0.5, 0.0), 2), 0, 0}; });
    StressRecovery recovery(body, {.energy_density = true});
    recovery.update(at(u.get()));
    for (const double W : recovery.energy_density()) EXPECT_GE(W, std::min(0.0, recovery.least_energy_density()));
    EXPECT_GT(recovery.least_energy_density(), -1e-15);
    EXPECT_TRUE(recovery.stress().empty() && recovery.von_mises_at_points().empty());  // not wanted
  }
}

TEST(Recovery, OfNothingIsNothing) {
  Body body(box("2,2,2"), 1);
  body.set_material(material(Law::neo_hookean));
  body.set_up();
  const auto u = vector(body, wavy);
  StressRecovery recovery(body, {});
  recovery.update(at(u.get()));
  EXPECT_TRUE(recovery.stress().empty() && recovery.strain().empty() && recovery.energy_density().empty());
}

TEST(Recovery, VonMisesOfSimpleStates) {
  EXPECT_DOUBLE_EQ(von_mises({5, 5, 5, 0, 0, 0}), 0);
  EXPECT_DOUBLE_EQ(von_mises({-3, 0, 0, 0, 0, 0}), 3);
  EXPECT_DOUBLE_EQ(von_mises({0, 0, 0, 0, 2, 0}), 2 * std::sqrt(3.0));
}

}  // namespace
}  // namespace gearshift::solid
