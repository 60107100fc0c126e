/// Rollers along normals: planes of any direction, curved faces, their edges and corners.

#include <gearshift/dynamics/stepper.hpp>

#include "dynamics/options.hpp"
#include "solid/spheres.hpp"
#include "solid/turns.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gearshift::solid::test {
namespace {

const Vec3 size{1.3, 0.8, 1.1};

/// Returns a box rotated about the origin, of hexahedra, tetrahedra or wedges.
Mesh turned_box(const Turn& turn, const std::string& kind, const std::string& faces = "3,2,2") {
  std::vector<std::pair<std::string, std::string>> list{{"-dm_plex_box_faces", faces},
                                                        {"-dm_plex_box_upper", "1.3,0.8,1.1"}};
  if (kind == "tetrahedra") list.push_back({"-dm_plex_simplex", "1"});
  if (kind == "wedges") list.push_back({"-dm_plex_cell", "triangular_prism"});
  const Options options(list);
  Mesh mesh = Mesh::from_options(PETSC_COMM_WORLD);
  apply(turn, mesh);
  return mesh;
}

struct Static {
  explicit Static(Body& body, const std::string& options = "")
      : scope("-snes_atol 1e-14 -snes_rtol 1e-12 -snes_stol 0 -ksp_rtol 1e-12 -ksp_max_it 500 " + options),
        stepper(body, body.layout()) {
    stepper.set_from_options();
    const auto rest = vector(body);
    stepper.set_initial_state(0, rest.get(), rest.get());
    report = stepper.solve_static(0);
  }
  Vec q() const { return stepper.state().q; }

  OptionsScope scope;
  Stepper stepper;
  Report report;
};

/// Returns the maximum distance of a displacement from a field.
PetscReal distance(const Body& body, Vec q, const std::function<Vec3(const Vec3&)>& field) {
  auto expected = vector(body, field);
  check(VecAXPY(expected.get(), -1, q));
  return biggest(expected.get());
}

/// Uniaxial stress on three planes of symmetry: u = (s X, -nu s Y, -nu s Z) / E in the box's axes.
TEST(Rollers, UniaxialStressOnObliquePlanes) {
  const PetscReal E = 2.6, nu = 0.3, stress = 0.2;
  for (const std::string kind : {"hexahedra", "tetrahedra", "wedges"})
    for (const int degree : {1, 2})
      for (const Turn& turn : turns())
        for (const Solver solver : {Solver::pmg, Solver::amg, Solver::jacobi}) {
          if (solver != Solver::pmg && (kind != "hexahedra" || degree != 2)) continue;
          Body body(turned_box(turn, kind), degree);
          body.set_material({.law = Law::linear_elastic, .E = E, .nu = nu, .rho = 1});
          body.set_solver(solver);
          for (const char* face : {"xmin", "ymin", "zmin"}) body.fix_normal(face);
          const Vec3 traction = turn(Vec3{stress, 0, 0});
          body.add_traction("xmax", [traction](PetscReal, const Vec3&) { return traction; });
          body.set_up();
          const Static found(body);
          const auto exact = turn.of([&](const Vec3& X) {
            return Vec3{stress / E * X[0], -nu * stress / E * X[1], -nu * stress / E * X[2]};
          });
          EXPECT_LT(distance(body, found.q(), exact), 1e-10) << kind << ", degree " << degree;
          // The planes carry the load, along their normals only.
          const auto reactions = body.reactions(found.stepper.reactions(), found.q());
          const Vec3 expected = turn(Vec3{-stress * size[1] * size[2], 0, 0});
          for (std::size_t face = 0; face < 3; ++face)
            for (std::size_t c = 0; c < 3; ++c)
              EXPECT_NEAR(reactions[face].sum[c], face == 0 ? expected[c] : 0, 1e-10) << body.supported_faces()[face];
        }
}

/// -snes_fd would have rows of zeros; -snes_mf needs no rows.
TEST(Rollers, DenseDifferencesAreRefused) {
  const Turn turn = turns().back();
  const auto found = [&turn](const std::string& options) {
    Body body(turned_box(turn, "hexahedra", "2,1,1"), 1);
    body.set_material(material(Law::linear_elastic));
    body.set_solver(Solver::jacobi);
    for (const char* face : {"xmin", "ymin", "zmin"}) body.fix_normal(face);
    const Vec3 traction = turn(Vec3{0.01, 0, 0});
    body.add_traction("xmax", [traction](PetscReal, const Vec3&) { return traction; });
    body.set_up();
    return biggest(Static(body, options).q());
  };
  const PetscReal expected = found("");
  EXPECT_NEAR(found("-snes_mf"), expected, 1e-6 * expected);
  EXPECT_THROW(found("-snes_fd"), OptionError);
}

/// Rollers on faces along the axes equal those of fix(), bit for bit.
TEST(Rollers, AlongTheAxesAreTheUsualOnes) {
  const Mesh mesh = turned_box({}, "hexahedra");
  const auto solve = [&mesh](bool normal) {
    Body body(Mesh::adopt(mesh.dm()), 2);  // shared distribution; the faces have numbers: x, y and z = 0, and x
    body.set_material(material(Law::neo_hookean));
    int axis = 0;
    for (const char* face : {"6", "3", "1"}) {
      normal ? body.fix_normal(face) : body.fix(face, axis);
      ++axis;
    }
    body.add_traction("5", [](PetscReal, const Vec3&) { return Vec3{0.1, 0.05, 0}; });
    body.set_up();
    EXPECT_EQ(body.dependent(), nullptr);
    const Static found(body);
    Handle<Vec> result = vector(body);
    check(VecCopy(found.q(), result.get()));
    return result;
  };
  const auto one = solve(true), other = solve(false);
  PetscBool equal = PETSC_FALSE;
  check(VecEqual(one.get(), other.get(), &equal));
  EXPECT_TRUE(equal);
}

/// Lame's hollow sphere, an eighth in some orientation: u_r = A r + B / r^2, radial stress 3 kappa A - 4 mu B / r^3.
/// On rollers in its planes under inner pressure; under outer pressure with the inner surface on rollers, too.
TEST(Rollers, HollowSphere) {
  const PetscReal mu = 1, lambda = 1.5, kappa = lambda + 2 * mu / 3, a = 1, b = 2, p = 1e-3;
  const PetscReal nu = lambda / (2 * (lambda + mu)), E = 2 * mu * (1 + nu);
  for (const Turn& turn : turns())
    for (const bool curved : {false, true}) {
      PetscReal A = 0, B = 0;
      if (curved) {  // A a + B / a^2 = 0, 3 kappa A - 4 mu B / b^3 = -p
        A = -p / (3 * kappa + 4 * mu * std::pow(a / b, 3));
        B = -A * std::pow(a, 3);
      } else {  // stress 0 at b, -p at a
        A = p / (3 * kappa) / (std::pow(b / a, 3) - 1);
        B = 3 * kappa * A * std::pow(b, 3) / (4 * mu);
      }
      PetscReal before = 0;
      for (const int cells : {2, 4}) {
        const Mesh mesh = hollow_sphere_mesh({a, b}, cells, cells, false);
        apply(turn, mesh);
        Body body(Mesh::adopt(mesh.dm()), 2);
        body.set_material({.law = Law::linear_elastic, .E = E, .nu = nu, .rho = 1});
        for (const char* face : {"x0", "y0", "z0"}) body.fix_normal(face);
        if (curved) body.fix_normal("inner");
        body.add_dead_pressure(curved ? "outer" : "inner", [p](PetscReal, const Vec3&) { return p; });
        body.set_up();
        const Static found(body);
        const PetscReal error = distance(body, found.q(), [&](const Vec3& X) {
          const PetscReal r = std::sqrt(X[0] * X[0] + X[1] * X[1] + X[2] * X[2]), u = A + B / (r * r * r);
          return Vec3{u * X[0], u * X[1], u * X[2]};
        });
        const PetscReal most = std::abs(curved ? A * b + B / (b * b) : A * a + B / (a * a));
        EXPECT_LT(error, 0.02 * most) << (curved ? "curved" : "planes");
        if (before > 0) {
          EXPECT_GT(std::log2(before / error), 2.3) << (curved ? "curved" : "planes");
        }
        before = error;
      }
    }
}

/// Products are derivatives of the residual, and those of the free part are symmetric.
TEST(Rollers, TangentIsTheDerivative) {
  const Turn turn = random_turns(1).front();
  for (const Formulation formulation : {Formulation::displacement, Formulation::mixed}) {
    Body body(turned_box(turn, "hexahedra"), 2);
    body.set_material({.law = Law::neo_hookean, .E = 2.6, .nu = 0.3, .rho = 1.7});
    body.set_formulation(formulation);
    body.fix_normal("xmin");
    body.fix_normal("ymax");
    body.add_foundation("zmin", 0.4, 0.2);
    body.set_up();
    const auto zero = vector(body);
    const auto completed = [&](const std::function<Vec3(const Vec3&)>& field) {
      auto u = vector(body, field);
      auto other = vector(body), another = vector(body);
      body.complete(0, u.get(), other.get(), another.get());
      return u;
    };
    const auto u = completed(wavy), w = completed(ripple);
    const auto tangent = body.make_linearization();
    tangent->update({0, u.get(), zero.get(), zero.get()});
    auto product = vector(body), difference = vector(body), moved = vector(body), r = vector(body);
    tangent->apply({1, 0, 0}, w.get(), product.get());
    const PetscReal e = 1e-6;
    check(VecZeroEntries(difference.get()));
    for (const PetscReal sign : {1.0, -1.0}) {
      check(VecWAXPY(moved.get(), sign * e, w.get(), u.get()));
      body.residual({0, moved.get(), zero.get(), zero.get()}, r.get());
      check(VecAXPY(difference.get(), sign / (2 * e), r.get()));
    }
    check(VecAXPY(difference.get(), -1, product.get()));
    EXPECT_LT(biggest(difference.get()), 1e-7 * biggest(product.get()));
    // The values of dependent entries are not read.
    auto other = vector(body, ripple), again = vector(body);
    tangent->apply({1, 0, 0}, other.get(), again.get());
    check(VecAXPY(again.get(), -1, product.get()));
    EXPECT_EQ(biggest(again.get()), 0);
    // x' A y = y' A x over the free entries
    const auto free = [&](const std::function<Vec3(const Vec3&)>& field) {
      auto x = vector(body, field);
      check(VecISSet(x.get(), body.constrained(), 0));
      return x;
    };
    const auto x = free(ripple), y = free(wavy);
    auto Ax = vector(body), Ay = vector(body);
    tangent->apply_free({1, 0, 2}, x.get(), Ax.get());
    tangent->apply_free({1, 0, 2}, y.get(), Ay.get());
    EXPECT_NEAR(inner(y.get(), Ax.get()), inner(x.get(), Ay.get()), 1e-12 * std::abs(inner(x.get(), Ax.get())));
    EXPECT_GT(inner(x.get(), Ax.get()), 0);
  }
}

/// A block on an inclined plane slides like a free mass; its rollers do no work and carry the normal force.
TEST(Rollers, BlockOnAnInclinedPlane) {
  const Turn turn = random_turns(1).front();
  for (const std::string family : {"bdf", "esdirk"}) {
    const OptionsScope scope("-gear_dt 0.05 -gear_family " + family +
                             " -ksp_rtol 1e-12 -snes_atol 1e-13 -snes_rtol 1e-13");
    Body body(turned_box(turn, "hexahedra"), 2);
    body.set_material({.law = Law::linear_elastic, .E = 50, .nu = 0.3, .rho = 1});
    body.fix_normal("zmin");
    const Vec3 g = turn(Vec3{0.3, -0.2, 0});
    body.set_gravity([g](PetscReal, const Vec3&) { return g; }, true);
    body.set_up();
    Stepper stepper(body, body.layout());
    stepper.keep_ledger();
    stepper.set_from_options();
    const auto rest = vector(body);
    stepper.set_initial_state(0, rest.get(), rest.get());
    stepper.advance_to(1);
    const Vec3 moved = turn(Vec3{0.15, -0.1, 0});
    EXPECT_LT(distance(body, stepper.state().q, [&](const Vec3&) { return moved; }), 1e-6) << family;
    EXPECT_NEAR(stepper.ledger().work_reactions, 0, 1e-12) << family;
    // Inside the step, too, and with the initial acceleration, nodes stay in the plane.
    const Vec3 normal = turn(Vec3{0, 0, 1});
    const auto off_plane = [&](Vec x) {
      const petsc::ReadView values(x);
      PetscReal most = 0;
      for (const PetscInt node : body.face_nodes({"zmin"})) {
        const auto entry = 3 * static_cast<std::size_t>(node);
        most = std::max(
            most, std::abs(normal[0] * values[entry] + normal[1] * values[entry + 1] + normal[2] * values[entry + 2]));
      }
      check(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPIU_REAL, MPI_MAX, PETSC_COMM_WORLD));
      return most;
    };
    auto q = vector(body), v = vector(body);
    stepper.interpolate(0.977, q.get(), v.get());
    EXPECT_LT(off_plane(q.get()), 1e-13) << family;
    EXPECT_LT(off_plane(v.get()), 1e-13) << family;
    EXPECT_GT(biggest(v.get()), 0.1);
    stepper.compute_acceleration();
    EXPECT_LT(off_plane(stepper.state().a), 1e-12) << family;
    EXPECT_GT(biggest(stepper.state().a), 0.1);
  }
}

/// Prescribed motion moves dependent entries: a plane of rollers with a pushed edge.
TEST(Rollers, MovedNodesOfAPlane) {
  const Turn turn = random_turns(1).front();
  const PetscReal E = 2.6, nu = 0.3, stretch = 0.02;
  Body body(turned_box(turn, "hexahedra"), 2);
  body.set_material({.law = Law::linear_elastic, .E = E, .nu = nu, .rho = 1});
  for (const char* face : {"ymin", "zmin"}) body.fix_normal(face);
  const auto exact = turn.of([&](const Vec3& X) {
    return Vec3{stretch * X[0], -nu * stretch * X[1], -nu * stretch * X[2]};
  });
  for (const char* face : {"xmin", "xmax"})
    body.move(face, [&](PetscReal, const Vec3& X) { return MotionValue{exact(X), {}, {}}; });
  body.set_up();
  const Static found(body);
  EXPECT_LT(distance(body, found.q(), exact), 1e-10);
}

/// Prescribed single components of a motion.
TEST(Rollers, SingleComponentsOfAMotion) {
  const PetscReal E = 2.6, nu = 0.3, stretch = 0.02;
  Body body(box("3,2,2"), 2);
  body.set_material({.law = Law::linear_elastic, .E = E, .nu = nu, .rho = 1});
  for (int axis = 0; axis < 3; ++axis) body.fix(std::string(1, "xyz"[axis]) + "min", axis);
  body.move("xmax", VectorExpression("0.02,0,0"), {true, false, false});
  body.set_up();
  const Static found(body);
  EXPECT_LT(distance(body, found.q(),
                     [&](const Vec3& X) {
                       return Vec3{stretch * X[0], -nu * stretch * X[1], -nu * stretch * X[2]};
                     }),
            1e-10);
  Body other(box("1,1,1"), 1);
  EXPECT_THROW(other.move("xmax", VectorExpression("0,0,0"), {false, false, false}), OptionError);
}

/// A box from a Gmsh file; an edge along the third axis and the corner opposite to it are groups.
GmshSample with_curve(int type) {
  GmshSample sample = gmsh_sample(type);
  std::array<double, 3> low{1e9, 1e9, 1e9}, high{-1e9, -1e9, -1e9};
  for (const auto& X : sample.nodes)
    for (std::size_t c = 0; c < 3; ++c) {
      low[c] = std::min(low[c], X[c]);
      high[c] = std::max(high[c], X[c]);
    }
  std::map<double, int> along;
  int corner = -1;
  for (std::size_t i = 0; i < sample.nodes.size(); ++i) {
    const auto& X = sample.nodes[i];
    if (X[0] == low[0] && X[1] == low[1]) along[X[2]] = static_cast<int>(i);
    if (X == high) corner = static_cast<int>(i);
  }
  std::vector<int> nodes;
  for (const auto& [z, node] : along) nodes.push_back(node);
  const bool second = nodes.size() > 3;  // two cells along the axis
  GmshSample with;
  for (std::size_t i = 0; i + 1 < nodes.size(); i += second ? 2 : 1) {
    GmshSample::Element line{1, second ? 8 : 1, 91, 91, {nodes[i], nodes[i + (second ? 2 : 1)]}};
    if (second) line.nodes.push_back(nodes[i + 1]);
    with.add(line);
  }
  with.add({0, 15, 92, 92, {corner}});
  with.elements.insert(with.elements.end(), sample.elements.begin(), sample.elements.end());
  sample.elements = with.elements;
  sample.names.push_back({1, 91, "edge"});
  sample.names.push_back({0, 92, "tip"});
  return sample;
}

/// Supports of curves and points constrain their nodes, for any degree, format and number of ranks.
TEST(Rollers, CurvesAndPoints) {
  for (const int type : {4, 5, 6, 11, 12, 13, 406, 1213})
    for (const GmshFormat& format : gmsh_formats) {
      if (type != 5 && format.version != std::string("4.1")) continue;
      const Written file(write_gmsh(with_curve(type), format));
      const Mesh named = read(file);
      EXPECT_EQ(named.curve_names(), (std::vector<std::string>{"edge", "tip"})) << type << ' ' << format.version;
      EXPECT_FALSE(named.point("edge"));
      const std::optional<Vec3> tip = named.point("tip");
      ASSERT_TRUE(tip) << type << ' ' << format.version;
      for (const int degree : {1, 2}) {
        Body body(read(file), degree);
        body.set_material({.law = Law::linear_elastic, .E = 1, .nu = 0.3, .rho = 1});
        body.clamp("edge");
        body.move("tip", VectorExpression("0,0.5*t,0"), {false, true, false});
        EXPECT_THROW(body.clamp("nowhere"), MeshError);
        body.set_up();
        PetscInt held = 0;
        check(ISGetSize(body.constrained(), &held));
        EXPECT_EQ(held, 3 * (2 * degree + 1) + 1) << type << ' ' << format.version << ", degree " << degree;
        auto q = vector(body), v = vector(body), a = vector(body);
        body.prescribe(2, q.get(), v.get(), a.get());
        const petsc::ReadView values(q.get());
        const PetscInt* entries = nullptr;
        PetscInt count = 0, first = 0;
        check(ISGetLocalSize(body.constrained(), &count));
        check(ISGetIndices(body.constrained(), &entries));
        check(VecGetOwnershipRange(q.get(), &first, nullptr));
        for (PetscInt i = 0; i < count; ++i) {
          const auto entry = static_cast<std::size_t>(entries[i] - first);
          const Vec3& X = body.space().coordinates()[entry / 3];
          const bool at_tip = X == *tip;
          EXPECT_EQ(values[entry], at_tip ? 1 : 0);
          if (!at_tip) {
            EXPECT_NEAR(X[0], 0, 1e-12);
            EXPECT_NEAR(X[1], 0, 1e-12);
          }
        }
        check(ISRestoreIndices(body.constrained(), &entries));
      }
    }
}

/// Uniaxial stress in a box that only an edge and a corner hold, as they would move without supports.
TEST(Rollers, UniaxialStressHeldByAnEdgeAndAPoint) {
  const PetscReal E = 2.6, nu = 0.3, stress = 0.2;
  const auto exact = [=](const Vec3& X) {
    return Vec3{stress / E * X[0], -nu * stress / E * X[1], -nu * stress / E * X[2]};
  };
  for (const int type : {4, 5, 6, 11, 12, 13})
    for (const int degree : {1, 2}) {
      Body body(read(Written(write_gmsh(with_curve(type), {"4.1"}))), degree);
      body.set_material({.law = Law::linear_elastic, .E = E, .nu = nu, .rho = 1});
      for (const int axis : {0, 1}) body.fix("edge", axis);
      body.move("tip", [&](PetscReal, const Vec3& X) { return MotionValue{exact(X), {}, {}}; }, {false, true, true});
      for (const int sign : {-1, 1})
        body.add_traction(sign < 0 ? "left" : "right", [=](PetscReal, const Vec3&) {
          return Vec3{sign * stress, 0, 0};
        });
      body.set_up();
      const Static found(body);
      EXPECT_LT(distance(body, found.q(), exact), 1e-10) << type << ", degree " << degree;
      for (const auto& reaction : body.reactions(found.stepper.reactions(), found.q()))
        for (const PetscReal sum : reaction.sum) EXPECT_NEAR(sum, 0, 1e-10) << type << ", degree " << degree;
    }
}

/// A file has all that the motion on oblique and curved rollers needs: it continues with the same digits.
TEST(Rollers, RestartBitForBit) {
  int ranks = 1, rank = 0;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  const std::string file = "rollers_" + std::to_string(ranks) + ".h5";
  const OptionsScope options("");
  const Mesh mesh = hollow_sphere_mesh({1, 2}, 2, 2, false);
  apply(random_turns(1).front(), mesh);
  Body body(Mesh::adopt(mesh.dm()), 2);
  body.set_material(material(Law::neo_hookean));
  for (const char* face : {"x0", "y0", "z0", "inner"}) body.fix_normal(face);
  body.add_dead_pressure("outer", [](PetscReal t, const Vec3&) { return 0.01 * t; });
  body.set_up();
  ASSERT_NE(body.dependent(), nullptr);
  const StepperOptions how{.adapt = Adapt::order, .rtol = 1e-4};
  Stepper first(body, body.layout(), how);
  first.set_from_options();
  const auto rest = vector(body);
  first.set_initial_state(0, rest.get(), rest.get());
  first.advance_to(0.5);
  first.save(file);
  first.advance_to(1);
  Stepper second(body, body.layout(), how);
  second.set_from_options();
  second.load(file);
  second.advance_to(1);
  EXPECT_GT(biggest(first.state().q), 1e-4);
  EXPECT_EQ(second.snapshot().difference(first.snapshot()), "");
  if (rank == 0) std::remove(file.c_str());
}

}  // namespace
}  // namespace gearshift::solid::test
