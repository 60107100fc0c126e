// Every field at probes: the number of columns equals that of its components, in any combination of fields.

#include "app/results/fields.hpp"

#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/io/probes.hpp>

#include "solid/helpers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

namespace gearshift::app {
namespace {

namespace fs = std::filesystem;
using solid::Vec3;

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream stream(line);
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  return words;
}

struct OfPoints : testing::Test {
  OfPoints() : body(solid::test::box("3,2,2"), 1) {
    body.set_material({.law = solid::Law::j2, .E = 1e3, .nu = 0.3, .rho = 1, .yield = 5, .hardening = 100});
    body.fix("xmin", 0);
    body.fix("ymin", 1);
    body.fix("zmin", 2);
    body.move("xmax", [](PetscReal, const Vec3&) { return solid::MotionValue{{0.02, 0, 0}, {}, {}}; });
    body.set_up();
    stepper.emplace(body, body.layout());
    const auto rest = solid::test::vector(body);
    stepper->set_initial_state(0, rest.get(), rest.get());
    stepper->solve_static(0);
    v = solid::test::vector(body, [](const Vec3& X) { return Vec3{1 + X[0], X[1], 2}; });
    a = solid::test::vector(body, [](const Vec3& X) { return Vec3{X[2], 3, X[0]}; });
    int size = 1;
    MPI_Comm_size(PETSC_COMM_WORLD, &size);
    folder = "app_fields." + std::to_string(size);
    fs::create_directories(folder);
  }

  /// Returns column and value for each probe, on rank 0.
  std::vector<std::map<std::string, double>> rows(const std::vector<std::string>& names) {
    Fields fields(body, names);
    std::vector<std::string> columns;
    for (const char* name : field_names(FieldUse::probes))
      if (fields.has(name))
        for (const std::string& column : columns_of_field(name)) columns.push_back(column);
    {
      io::Probes probes(body.space(), columns);
      for (int i = 0; i < 3; ++i) probes.add("p" + std::to_string(i), {0.1 + 0.4 * i, 0.3, 0.6}, folder);
      fields.update(state(), true);
      probes.write(state(), fields.of_points(), &fields.places());
      probes.close();
    }
    std::vector<std::map<std::string, double>> found;
    int rank = 0;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    for (int i = 0; rank == 0 && i < 3; ++i) {
      std::ifstream file(folder / ("probe_p" + std::to_string(i) + ".csv"));
      std::string header, row;
      std::getline(file, header);
      std::getline(file, row);
      const auto titles = split(header), values = split(row);
      EXPECT_EQ(titles.size(), 10 + columns.size());
      EXPECT_EQ(titles.size(), values.size()) << header;
      auto& of_probe = found.emplace_back();
      for (std::size_t k = 0; k < std::min(titles.size(), values.size()); ++k)
        of_probe[titles[k]] = std::stod(values[k]);
    }
    return found;
  }

  solid::Body body;
  /// Returns the equilibrium after plastic flow, with other velocities and accelerations.
  State state() const {
    State x = stepper->state();
    x.v = v.get();
    x.a = a.get();
    return x;
  }
  std::optional<Stepper> stepper;
  petsc::Handle<Vec> v, a;
  fs::path folder;
};

TEST_F(OfPoints, AloneAndInPairs) {
  std::map<std::string, std::vector<std::map<std::string, double>>> alone;
  const auto names = field_names(FieldUse::probes);
  for (const std::string name : names) {
    SCOPED_TRACE(name);
    ASSERT_FALSE(columns_of_field(name).empty());
    alone[name] = rows({name});
    for (const auto& row : alone[name])
      for (const std::string& column : columns_of_field(name))
        EXPECT_TRUE(row.contains(column) && std::isfinite(row.at(column)));
  }
  for (const std::string first : names)
    for (const std::string second : names) {
      if (first == second) continue;
      SCOPED_TRACE(first + "," + second);
      const auto both = rows({first, second});
      for (std::size_t i = 0; i < both.size(); ++i) {
        std::map<std::string, double> expected = alone[first][i];
        expected.insert(alone[second][i].begin(), alone[second][i].end());
        ASSERT_EQ(both[i].size(), expected.size());
        for (const auto& [column, value] : expected) EXPECT_EQ(both[i].at(column), value) << column;
      }
    }
  const auto found = rows({"history"});
  for (const auto& row : found) EXPECT_GT(row.at("history"), 0.001);  // plastic flow everywhere
}

TEST(Fields, AreOfPointsOrOfCells) {
  std::size_t of_points = 0;
  for (const std::string name : field_names()) {
    const auto of_probes = field_names(FieldUse::probes);
    const bool point = std::find(of_probes.begin(), of_probes.end(), name) != of_probes.end();
    EXPECT_EQ(point, !columns_of_field(name).empty()) << name;
    of_points += point;
  }
  EXPECT_EQ(of_points, field_names(FieldUse::probes).size());
  for (const std::string name : field_names(FieldUse::envelope)) EXPECT_FALSE(columns_of_field(name).empty()) << name;
}

/// A field without columns is an error, and does not produce a row that is too long.
TEST_F(OfPoints, MustHaveColumns) {
  Fields fields(body, {"history"});
  fields.update(state(), true);
  io::Probes probes(body.space());
  probes.add("p", {0.5, 0.5, 0.5}, folder);
  EXPECT_THROW(probes.write(state(), fields.of_points(), &fields.places()), Error);
}

}  // namespace
}  // namespace gearshift::app
