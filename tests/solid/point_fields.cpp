/// Data that vary in space: formulas and files, and bodies that use them.

#include "solid/helpers.hpp"
#include "solid/material/material_table.hpp"
#include "solid/numerics/nearest_point.hpp"

#include <cstdio>
#include <fstream>
#include <memory>
#include <random>
#include <string>

using namespace gearshift;
using namespace gearshift::solid;
using namespace gearshift::solid::test;

namespace {

int rank() {
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  return rank;
}
int ranks() {
  int size = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  return size;
}

/// Writes a file and returns its name, which runs on different numbers of ranks do not share. Collective.
std::string written(const std::string& name, const std::string& text) {
  const std::string file = "point_field_" + name + "_" + std::to_string(ranks()) + ".csv";
  if (rank() == 0) std::ofstream(file) << text;
  MPI_Barrier(PETSC_COMM_WORLD);
  return file;
}

PointField read(const std::string& name, const std::string& text, PointField::Kind kind) {
  return PointField::read(PETSC_COMM_WORLD, written(name, text), kind);
}

/// Returns the message thrown while reading.
std::string refusal(const std::string& text, PointField::Kind kind = PointField::Kind::direction) {
  try {
    (void)read("wrong", text, kind);
  } catch (const OptionError& error) {
    return error.what();
  }
  return {};
}

/// Writes the values of a direction at the centres of all cells, rank by rank from the last one. Collective.
std::string sampled(const Body& body, const std::function<Vec3(const Vec3&)>& of, const std::string& name) {
  const std::string file = written(name, "x,y,z,ax,ay,az\n# middles of cells\n");
  for (int turn = ranks() - 1; turn >= 0; --turn) {
    if (turn == rank()) {
      std::ofstream out(file, std::ios::app);
      out.precision(17);
      for (PetscInt cell = 0; cell < body.space().cells(); ++cell) {
        const Vec3 X = cell_centre(body.space(), cell), a = of(X);
        out << X[0] << ',' << X[1] << ',' << X[2] << ',' << a[0] << ',' << a[1] << ',' << a[2] << '\n';
      }
    }
    MPI_Barrier(PETSC_COMM_WORLD);
  }
  return file;
}

Material fibrous() {
  Material m{.law = Law::holzapfel, .rho = 1.7, .mu1 = 0.7, .bulk = 3.0};
  m.k1 = 0.6, m.k2 = 0.9, m.dispersion = 0.1;
  return m;
}

TEST(NearestPoint, IsThatOfASearchOfAll) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(-1, 1);
  for (const std::size_t count : {1U, 2U, 7U, 500U}) {
    std::vector<Vec3> points(count);
    for (Vec3& X : points)  // some are equal, some lie in planes
      X = {std::round(4 * place(random)) / 4, place(random), count == 7 ? 0 : place(random)};
    for (std::size_t i = 0; i + 3 < count; i += 10) points[i + 3] = points[i];
    const NearestPoint nearest(points);
    for (int i = 0; i < 300; ++i) {
      const Vec3 X = i % 3 == 0 ? points[static_cast<std::size_t>(i) % count]
                                : Vec3{2 * place(random), place(random), place(random)};
      std::size_t expected = 0;
      const auto square = [&](std::size_t n) {
        double sum = 0;
        for (std::size_t c = 0; c < 3; ++c) sum += (X[c] - points[n][c]) * (X[c] - points[n][c]);
        return sum;
      };
      for (std::size_t n = 1; n < count; ++n)
        if (square(n) < square(expected)) expected = n;
      EXPECT_EQ(nearest(X), expected) << count << ' ' << i;
    }
  }
}

TEST(NearestPoint, OfEquallyNearOnesIsTheFirst) {
  std::vector<Vec3> corners;  // corners of a lattice, in an order unrelated to their positions
  for (int i = 0; i < 64; ++i) {
    const int at = (37 * i + 11) % 64;
    corners.push_back({0.1 * (at % 4), 0.1 * (at / 4 % 4), 0.1 * (at / 16)});
  }
  const NearestPoint nearest(corners);
  for (int cell = 0; cell < 27; ++cell) {
    const Vec3 middle{0.1 * (cell % 3) + 0.05, 0.1 * (cell / 3 % 3) + 0.05, 0.1 * (cell / 9) + 0.05};
    std::size_t first = 64;
    for (std::size_t n = 0; n < corners.size(); ++n)
      if (std::hypot(middle[0] - corners[n][0], middle[1] - corners[n][1], middle[2] - corners[n][2]) < 0.09)
        first = std::min(first, n);
    for (int i = 0; i < 20; ++i) {  // rounding may have moved the middle
      Vec3 X = middle;
      for (std::size_t c = 0; c < 3; ++c) X[c] *= 1 + 1e-15 * ((i + 3 * static_cast<int>(c)) % 7 - 3);
      EXPECT_EQ(nearest(X), first) << cell << ' ' << i;
    }
  }
}

class Sampled : public testing::TestWithParam<bool> {};

TEST_P(Sampled, AFileSaysWhatFormulasSay) {
  const auto first = [](const Vec3& X) { return Vec3{1 + X[0], 0.5 - X[1], X[2]}; };
  const auto second = [](const Vec3& X) { return Vec3{-X[1], 1 + X[0] * X[0], 0.2}; };
  for (const int degree : {1, 2}) {
    const auto make = [&](const Material& m) {
      auto body = std::make_unique<Body>(GetParam() ? tetrahedra("3,2,2", "2,1,1") : box("4,3,2", "2,1,1"), degree);
      body->set_material(m);
      body->clamp("xmin");
      body->set_up();
      return body;
    };
    Material by_formulas = fibrous(), by_files = by_formulas;
    by_formulas.fibre_1 = {"1+x,0.5-y,z"}, by_formulas.fibre_2 = {"-y,1+x^2,0.2"};
    const auto formulas = make(by_formulas);
    const std::string kind = (GetParam() ? "t" : "h") + std::to_string(degree);
    const auto from = [&](const std::string& file) {
      return Direction(PointField::read(PETSC_COMM_WORLD, file, PointField::Kind::direction));
    };
    by_files.fibre_1 = from(sampled(*formulas, first, "one_" + kind));
    by_files.fibre_2 = from(sampled(*formulas, second, "two_" + kind));
    const auto files = make(by_files);
    // The two bodies may be distributed differently.
    const auto numbers_of = [](Body& body) {
      const auto q = vector(body, [](const Vec3& X) { return Vec3{0.1 * X[0], 0.05 * X[0] * X[1], 0.02 * X[2]}; });
      const auto r = vector(body);
      body.residual({0, q.get(), nullptr, nullptr}, r.get());
      return std::array{norm(r.get()), inner(r.get(), vector(body, ripple).get()),
                        body.energy({0, q.get(), nullptr, nullptr})->stored};
    };
    const auto expected = numbers_of(*formulas), found = numbers_of(*files);
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(found[i], expected[i], 1e-13 * expected[0]) << kind << ' ' << i;
    EXPECT_GT(expected[0], 0.01);
  }
}

INSTANTIATE_TEST_SUITE_P(Cells, Sampled, testing::Bool(),
                         [](const auto& of) { return of.param ? "Tetrahedra" : "Hexahedra"; });

TEST(PointFields, TakeTheNearestPoint) {
  const PointField field = read("numbers", "x y z value\n0 0 0 1\n1 0 0 2\n\n0 1 0 3.5\n", PointField::Kind::number);
  PetscReal value = 0;
  field.evaluate({0.4, 0.1, 0.2}, &value);
  EXPECT_EQ(value, 1);
  field.evaluate({0.7, 0.1, 0}, &value);
  EXPECT_EQ(value, 2);
  field.evaluate({0.1, 1.2, 0}, &value);
  EXPECT_EQ(value, 3.5);
  field.evaluate({5, 0, 0}, &value);  // farther away than the points' own extent
  EXPECT_TRUE(std::isnan(value));
  EXPECT_NE(field.why_none({5, 0, 0}).find("is 4 away"), std::string::npos) << field.why_none({5, 0, 0});
  PetscReal of_formula = 0;
  PointField("x+2*y", PointField::Kind::number).evaluate({1, 2, 3}, &of_formula);
  EXPECT_EQ(of_formula, 5);
}

TEST(PointFields, AreEqualWhereTheirDataAre) {
  const std::string rows = "0,0,0,1,0,0\n1,0,0,0,1,0\n";
  const auto kind = PointField::Kind::direction;
  const PointField one = read("a", rows, kind), same = read("b", rows, kind);
  const PointField other = read("c", "0,0,0,1,0,0\n1,0,0,0,1,1e-15\n", kind);
  EXPECT_EQ(one, same);
  EXPECT_NE(one, other);
  EXPECT_NE(one, PointField());
  EXPECT_EQ(PointField("1,0,0", kind), PointField("1,0,0", kind));
  EXPECT_NE(PointField("1,0,0", kind), PointField("1,0,0.0", kind));
}

TEST(PointFields, RefuseWhatIsNone) {
  EXPECT_NE(refusal("0,0,0,1,0,0\n0,0,1,1,0\n").find("line 2: it has 5 columns"), std::string::npos);
  EXPECT_NE(refusal("0,0,0,1,0,0\n0,0,1,1,0,x\n").find("line 2: 'x' is not a number"), std::string::npos);
  EXPECT_NE(refusal("0,0,0,0,0,0\n").find("line 1: (0, 0, 0) is not a direction"), std::string::npos);
  EXPECT_NE(refusal("x,y,z,ax,ay,az\n").find("has no row of numbers"), std::string::npos);
  EXPECT_EQ(refusal("0,0,0,0\n", PointField::Kind::number), "");
  EXPECT_THROW((void)PointField::read(PETSC_COMM_WORLD, "no_such.csv", PointField::Kind::number), IoError);
  EXPECT_THROW(PointField("1,2", PointField::Kind::number), OptionError);
  EXPECT_THROW(PointField("", PointField::Kind::number), OptionError);
  EXPECT_THROW(PointField("t", PointField::Kind::number), OptionError);
  EXPECT_THROW(Direction(PointField("1", PointField::Kind::number)), OptionError);
  EXPECT_EQ(Direction(PointField()).kind(), PointField::Kind::direction);
  EXPECT_TRUE(std::isnan(Direction()({0, 0, 0})[2]));
}

TEST(PointFields, OfAnotherUnitAreRefused) {
  Material m = fibrous();
  m.fibre_1 = Direction(read("metres", "10,10,10,1,0,0\n11,10,10,1,0,0\n", PointField::Kind::direction));
  Body body(box("2,2,2", "1,1,1"), 1);
  body.set_material(m);
  try {
    body.set_up();
    ADD_FAILURE();
  } catch (const OptionError& error) {
    EXPECT_NE(std::string(error.what()).find("away; check that the file has the mesh's unit of length"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
