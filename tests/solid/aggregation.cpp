/// Aggregates of nodes, and the rigid motions of their members.

#include "solid/multigrid/coarse/aggregation.hpp"

#include "solid/boxes.hpp"
#include "solid/multigrid/coarse/node_aggregates.hpp"
#include "solid/multigrid/coarse/rigid_basis.hpp"

#include <algorithm>
#include <array>
#include <cmath>

using namespace gearshift;
using namespace gearshift::solid;
using namespace gearshift::solid::test;

namespace {

/// Returns the members of each aggregate, sorted.
std::vector<std::vector<PetscInt>> members(const NodeAggregates& aggregates) {
  std::vector<std::vector<PetscInt>> found;
  for (PetscInt a = 0; a < aggregates.count(); ++a) {
    found.emplace_back(aggregates.of(a).begin(), aggregates.of(a).end());
    std::sort(found.back().begin(), found.back().end());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

TEST(Aggregation, KeepsApartWhatNothingJoins) {
  // A ladder, cut between the second and the third rung, in aggregates of up to eight nodes.
  std::vector<Vec3> points(16);
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i] = {static_cast<PetscReal>(i % 8), static_cast<PetscReal>(i / 8), 0};
  const Connections ladder = [](const auto& connect) {
    for (PetscInt i = 0; i < 8; ++i) {
      connect(i, i + 8);
      if (i == 1 || i == 7) continue;
      connect(i, i + 1);
      connect(i + 8, i + 9);
    }
    connect(15, 16);  // an unrelated node
  };
  using Members = std::vector<std::vector<PetscInt>>;
  EXPECT_EQ(members(make_aggregates(points, 8, ladder)),
            (Members{{0, 1, 8, 9}, {2, 3, 4, 10, 11, 12}, {5, 6, 7, 13, 14, 15}}));
  // Two lines joined at one end are halved along the lines; the half away from the joint falls apart into two.
  points.resize(8);
  for (std::size_t i = 0; i < 4; ++i) points[4 + i] = {static_cast<PetscReal>(i), 1, 0};
  const Connections fork = [](const auto& connect) {
    for (const PetscInt i : {0, 1, 2, 4, 5, 6}) connect(i, i + 1);
    connect(3, 7);
  };
  EXPECT_EQ(members(make_aggregates(points, 4, fork)), (Members{{0, 1}, {2, 3, 6, 7}, {4, 5}}));
  EXPECT_EQ(make_aggregates({}, 4, ladder).count(), 0);
}

TEST(Aggregation, MakesShortPiecesOfBeams) {
  // Eight rows of four points are a beam, cut in the middle; two columns of 32 across thin cells are aggregates
  // already; a single line has no width at all.
  std::vector<Vec3> beam, columns, line;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 4; ++j) beam.push_back({1.0 * i, 1.0 * (j % 2), 1.0 * (j / 2)});
  for (int i = 0; i < 64; ++i) columns.push_back({1.0 * (i / 32), 0, 0.01 * (i % 32)});
  for (int i = 0; i < 32; ++i) line.push_back({0, 0, 0.01 * i});
  const Connections all = [](const auto& connect) {
    for (PetscInt i = 0; i + 1 < 64; ++i) connect(i, i + 1);
  };
  EXPECT_EQ(make_aggregates(beam, 32, all).count(), 2);
  EXPECT_EQ(make_aggregates(columns, 32, all).count(), 2);
  EXPECT_EQ(make_aggregates(line, 32, all).count(), 32);
  // Neighbouring nodes give a line its width; whole lines may have twice the number of points.
  const Connections along = [](const auto& connect) {
    for (PetscInt i = 0; i + 1 < 64; ++i)
      if (i != 31) connect(i, i + 1);
  };
  const std::vector<double> wide(64, 1.0), narrow(64, 0.04);
  EXPECT_EQ(make_aggregates(columns, 16, along, wide).count(), 2);
  EXPECT_EQ(make_aggregates(columns, 15, along, wide).count(), 8);
  EXPECT_EQ(make_aggregates(columns, 16, along, narrow).count(), 8);
}

TEST(Aggregation, FindsLinesThroughFlatCellsAndPlanesAcrossLongOnes) {
  if (!alone()) GTEST_SKIP() << "lines and planes end where the rank does";
  const auto aggregates = [](const char* faces, const Vec3& upper, int degree) {
    const Space space(box_of(Filling::hexahedra, faces, upper), degree);
    return aggregate_nodes(space, StiffInclusions(space, {{}, space.cells()}), true).count();
  };
  EXPECT_EQ(aggregates("2,3,4", {20, 30, 4}, 1), 3 * 4);
  EXPECT_EQ(aggregates("2,3,4", {20, 30, 4}, 2), 5 * 7);
  EXPECT_EQ(aggregates("14,1,1", {140, 1, 1}, 1), 15);
  EXPECT_EQ(aggregates("4,2,2", {40, 2, 2}, 2), 9);
}

TEST(Aggregation, KeepsLayersWhole) {
  // An odd number of columns of thin cells cannot be halved: each half gets two or three columns, and no column is torn
  // into parts that seem to have no width.
  std::vector<Vec3> columns;
  for (int i = 0; i < 25 * 64; ++i)
    columns.push_back({1.0 * (i % 5), 1.0 * (i / 5 % 5), 0.005 * (i / 25) + 1e-5 * (i % 3)});
  const Connections all = [](const auto& connect) {
    for (PetscInt i = 0; i + 25 < 25 * 64; ++i) connect(i, i + 25);
    for (PetscInt i = 0; i + 1 < 25; ++i) connect(i, i + 1);
  };
  const NodeAggregates aggregates = make_aggregates(columns, 32, all);
  EXPECT_EQ(aggregates.count(), 50);
  for (PetscInt a = 0; a < aggregates.count(); ++a) EXPECT_EQ(aggregates.of(a).size(), 32);
}

TEST(RigidBasis, DropsWhatDepends) {
  RigidColumns columns;
  std::array<double, rigid_motions> sizes{};
  for (std::size_t mode = 0; mode < rigid_motions; ++mode) {
    columns[mode] = {1, static_cast<double>(mode == 1), static_cast<double>(mode == 4)};
    sizes[mode] = 2;
  }
  const auto dropped = orthonormalise(columns, sizes);
  EXPECT_EQ(dropped, (std::array<bool, rigid_motions>{false, false, true, true, false, true}));
  EXPECT_NEAR(columns[1][1], 1, 1e-14);
  EXPECT_NEAR(columns[4][2], 1, 1e-14);
  EXPECT_EQ(columns[5], std::vector<double>(3, 0));
}

/// Multiples of one vector differ from each other only by rounding, at any size.
TEST(RigidBasis, DropsWhatDiffersByRounding) {
  for (const double size : {1e-9, 1.0, 1e9}) {
    RigidColumns columns;
    for (std::size_t mode = 0; mode < rigid_motions; ++mode)
      for (const double x : {0.1, 0.7, 0.3}) columns[mode].push_back(size * x * (1 + static_cast<double>(mode) / 3));
    EXPECT_EQ(orthonormalise(columns), (std::array<bool, rigid_motions>{false, true, true, true, true, true})) << size;
  }
}
