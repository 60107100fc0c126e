/// The natural order of a body's unknowns does not depend on the ranks; checkpoints can be continued on any number of
/// ranks.

#include <gearshift/dynamics/stepper.hpp>

#include "solid/boxes.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace gearshift::solid {
namespace {

using namespace test;

using Settings = std::vector<std::pair<std::string, std::string>>;

/// Returns all entries of a Vec in a natural order; empty if that is not a numbering of its entries. Collective.
std::vector<PetscReal> in_order(IS natural, Vec x) {
  const MPI_Comm comm = PetscObjectComm(reinterpret_cast<PetscObject>(x));
  PetscInt size = 0, local = 0;
  const PetscInt* numbers = nullptr;
  check(VecGetSize(x, &size));
  if (!natural) return {};
  std::vector<PetscReal> values(static_cast<std::size_t>(size));
  std::vector<int> counts(values.size());
  check(ISGetLocalSize(natural, &local));
  check(ISGetIndices(natural, &numbers));
  {
    const petsc::ReadView own(x);
    for (std::size_t i = 0; i < own.size() && static_cast<PetscInt>(i) < local; ++i) {
      const auto to = static_cast<std::size_t>(numbers[i]);
      if (to >= values.size()) continue;
      values[to] = own[i];
      ++counts[to];
    }
  }
  check(ISRestoreIndices(natural, &numbers));
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(size), MPIU_REAL, MPI_SUM, comm);
  MPI_Allreduce(MPI_IN_PLACE, counts.data(), static_cast<int>(size), MPI_INT, MPI_SUM, comm);
  if (std::any_of(counts.begin(), counts.end(), [](int count) { return count != 1; })) values.clear();
  return values;
}

PetscReal largest_difference(const std::vector<PetscReal>& x, const std::vector<PetscReal>& y) {
  if (x.empty() || x.size() != y.size()) return std::numeric_limits<PetscReal>::infinity();
  PetscReal largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, std::abs(x[i] - y[i]));
  return largest;
}

struct Case {
  std::string name;
  int degree;
  Settings mesh;
};

class Natural : public ::testing::TestWithParam<Case> {};

/// Returns the positions of the nodes in natural order.
std::vector<PetscReal> places(MPI_Comm comm, int degree) {
  const Body body(Mesh::from_options(comm), degree);
  Handle<Vec> x;
  check(VecDuplicate(body.layout(), x.out()));
  body.interpolate([](PetscReal, const Vec3& X) { return X; }, 0, x.get());
  return in_order(body.natural_numbering(), x.get());
}

TEST_P(Natural, IsThatOfOneRank) {
  const Options options(GetParam().mesh);
  EXPECT_LE(largest_difference(places(PETSC_COMM_WORLD, GetParam().degree), places(PETSC_COMM_SELF, GetParam().degree)),
            1e-12);
}

Settings box_of(const std::string& faces, Settings more = {}) {
  more.insert(more.end(), {{"-dm_plex_box_faces", faces}, {"-dm_plex_box_upper", "3,2,1"}});
  return more;
}
Settings from_file(const std::string& name) {
  return {{"-dm_plex_filename", std::string(GEARSHIFT_TEST_DATA) + "/" + name}};
}
const Settings simplex{{"-dm_plex_simplex", "1"}}, refined{{"-dm_refine", "1"}},
    refined_simplex{{"-dm_plex_simplex", "1"}, {"-dm_refine", "2"}}, wedges{{"-dm_plex_cell", "triangular_prism"}},
    refined_wedges{{"-dm_plex_cell", "triangular_prism"}, {"-dm_refine", "2"}};

INSTANTIATE_TEST_SUITE_P(, Natural,
                         ::testing::Values(Case{"hexahedra1", 1, box_of("4,3,2")},
                                           Case{"hexahedra2", 2, box_of("4,3,2")},
                                           Case{"hexahedra3", 3, box_of("4,3,2")}, Case{"one_cell", 3, box_of("1,1,1")},
                                           Case{"refined_hexahedra", 2, box_of("3,2,1", refined)},
                                           Case{"tetrahedra1", 1, box_of("3,2,2", simplex)},
                                           Case{"tetrahedra2", 2, box_of("3,2,2", simplex)},
                                           Case{"tetrahedra3", 3, box_of("3,2,2", simplex)},
                                           Case{"refined_tetrahedra", 3, box_of("2,1,1", refined_simplex)},
                                           Case{"wedges1", 1, box_of("3,2,2", wedges)},
                                           Case{"wedges2", 2, box_of("3,2,2", wedges)},
                                           Case{"refined_wedges", 2, box_of("2,1,1", refined_wedges)},
                                           Case{"gmsh_hexahedra", 3, from_file("csm_bar_l0_q2_v41.msh")},
                                           Case{"gmsh_tetrahedra", 3, from_file("cylinder_t2_v41.msh")}),
                         [](const ::testing::TestParamInfo<Case>& one) { return one.param.name; });

TEST(MixedMeshes, HaveANaturalOrder) {
  for (const Filling cells : {Filling::hexahedra_and_wedges, Filling::wedges_and_tetrahedra})
    for (const char* refinements : {"0", "1"}) {
      const Written file(GmshBox(cells, {3, 2, 2}, 1, [](const Vec3& X) { return X; }).bytes());
      const Options options({{"-dm_plex_filename", file.path()}, {"-dm_refine", refinements}});
      for (const int degree : {1, 2})
        EXPECT_LE(largest_difference(places(PETSC_COMM_WORLD, degree), places(PETSC_COMM_SELF, degree)), 1e-12)
            << name_of(cells) << ", refined " << refinements;
    }
}

TEST(AdoptedMeshes, HaveNoNaturalOrder) {
  const Mesh mesh = box("2,2,2");
  Body body(Mesh::adopt(mesh.dm()), 1);
  EXPECT_EQ(body.natural_numbering(), nullptr);
  body.set_material({.E = 1, .nu = 0.3, .rho = 1, .prony_g = {0.5}, .prony_tau = {1}});
  body.set_up();
  EXPECT_EQ(body.internal_numbering(), nullptr);
}

struct OtherRanksCase {
  std::string name;
  Adapt adapt;
  int degree = 2;
  bool viscous = false;
  std::optional<Filling> cells{};  // read from a file instead of a box
};

/// A beam under an oscillating load, on a subset of the ranks.
struct Swing {
  Swing(MPI_Comm comm, const OtherRanksCase& how) : body(Mesh::from_options(comm), how.degree) {
    Material material{.law = Law::neo_hookean, .E = 1e6, .nu = 0.3, .rho = 1000};
    if (how.viscous) {
      material.prony_g = {0.4, 0.25};
      material.prony_tau = {0.03, 1.1};
    }
    body.set_material(material);
    body.clamp("xmin");
    body.set_gravity([](PetscReal t, const Vec3& X) { return Vec3{0, X[0] * std::cos(9 * t), -3}; });
    body.set_up();
    stepper.emplace(body, body.layout(), StepperOptions{.order = 3, .adapt = how.adapt, .rtol = 1e-5, .dt = 0.01});
    stepper->set_from_options();
    auto q = rest(), v = rest();
    stepper->set_initial_state(0, q.get(), v.get());
  }
  Handle<Vec> rest() const {
    Handle<Vec> x;
    check(VecDuplicate(body.layout(), x.out()));
    check(VecZeroEntries(x.get()));
    return x;
  }
  std::vector<PetscReal> displacement() const { return in_order(body.natural_numbering(), stepper->state().q); }
  std::vector<PetscReal> internal() const {
    Vec z = stepper->state().internal.base;
    return z ? in_order(body.internal_numbering(), z) : std::vector<PetscReal>();
  }

  Body body;
  std::optional<Stepper> stepper;
};

/// A communicator of the first ranks; MPI_COMM_NULL on the others.
class Ranks {
 public:
  explicit Ranks(int count) {
    int rank = 0;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    MPI_Comm_split(PETSC_COMM_WORLD, rank < count ? 0 : MPI_UNDEFINED, rank, &comm_);
  }
  ~Ranks() {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  MPI_Comm comm() const { return comm_; }
  explicit operator bool() const { return comm_ != MPI_COMM_NULL; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

class OtherRanks : public ::testing::TestWithParam<OtherRanksCase> {};

TEST_P(OtherRanks, GoOnFromACheckpoint) {
  const OtherRanksCase& how = GetParam();
  int size = 0;
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  Settings settings{{"-ksp_rtol", "1e-12"}, {"-snes_rtol", "1e-11"}};
  std::optional<Written> mesh;
  if (how.cells) {
    mesh.emplace(GmshBox(*how.cells, {4, 1, 1}, 1, [](const Vec3& X) { return Vec3{4 * X[0], X[1], X[2]}; }).bytes());
    settings.emplace_back("-dm_plex_filename", mesh->path());
  } else {
    settings.insert(settings.end(), {{"-dm_plex_box_faces", "6,2,2"}, {"-dm_plex_box_upper", "4,1,1"}});
  }
  const Options options(settings);
  const std::string file = "other_ranks_" + std::to_string(size) + ".h5";  // tests run concurrently
  std::vector<PetscReal> saved, internal, end;
  if (const Ranks ranks(2); ranks) {
    Swing run(ranks.comm(), how);
    run.stepper->advance_to(0.1);
    run.stepper->save(file);
    saved = run.displacement();
    internal = run.internal();
    EXPECT_EQ(internal.empty(), !how.viscous);
    run.stepper->advance_to(0.2);
    end = run.displacement();
  }
  MPI_Barrier(PETSC_COMM_WORLD);
  for (int count = 1; count <= size; ++count) {
    if (const Ranks ranks(count); ranks) {
      Swing run(ranks.comm(), how);
      run.stepper->load(file);
      const auto loaded = run.displacement(), loaded_internal = run.internal();
      run.stepper->advance_to(0.2);
      const auto finished = run.displacement();
      if (!saved.empty()) {
        EXPECT_EQ(largest_difference(loaded, saved), 0) << count << " ranks";
        EXPECT_EQ(loaded_internal, internal) << count << " ranks";
        EXPECT_LE(largest_difference(finished, end), how.adapt == Adapt::none ? 1e-13 : 1e-5) << count << " ranks";
      }
    }
    MPI_Barrier(PETSC_COMM_WORLD);
  }
}

INSTANTIATE_TEST_SUITE_P(
    , OtherRanks,
    ::testing::Values(OtherRanksCase{"fixed", Adapt::none}, OtherRanksCase{"adaptive", Adapt::order},
                      OtherRanksCase{"viscous", Adapt::none, 1, true, Filling::hexahedra_and_wedges},
                      OtherRanksCase{"viscous_adaptive", Adapt::order, 1, true, Filling::wedges_and_tetrahedra}),
    [](const ::testing::TestParamInfo<OtherRanksCase>& one) { return one.param.name; });

}  // namespace
}  // namespace gearshift::solid
