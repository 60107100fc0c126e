#include "bench/operator.hpp"

#include <gearshift/petsc/options.hpp>
#include <gearshift/solid/body.hpp>

#include "bench/level_tangent.hpp"
#include "bench/measure.hpp"
#include "bench/requests.hpp"
#include "bench/roofline.hpp"
#include "petsc/queries.hpp"
#include "solid/kernels/table.hpp"
#include "solid/material/law_description.hpp"

#include <petscdm.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace gearshift::bench {
namespace {

using petsc::check;
using petsc::Handle;
using solid::Law;

constexpr std::array shapes{"general", "affine", "cartesian", "tetrahedra", "wedges"};
enum class Cells { general, affine, cartesian, tetrahedra, wedges };

/// Returns the number of cells of this shape that replace one hexahedron.
int cells_in_cube(Cells cells) { return cells == Cells::tetrahedra ? 6 : cells == Cells::wedges ? 2 : 1; }

struct Problem {
  PetscInt degree = 2, repeat = 9, branches = 0;
  bool on_request = false, mixed = false;
  PetscReal dofs = 2.7e6, load = 0.02;
  Law law = Law::neo_hookean;
  Cells cells = Cells::general;
  solid::KernelOptions kernels;
};

Problem read_problem(MPI_Comm comm) {
  Problem given;
  petsc::read_options(comm, "", "gearshift-bench operator", [&](petsc::Options& options) {
    options.integer("-degree", "polynomial degree, 1 to 6; for tetrahedra 1 to 3, for wedges 1 or 2", given.degree);
    options.choice("-material", "material law", solid::law_names(), given.law);
    options.integer("-branches", "number of Maxwell branches", given.branches);
    options.flag("-mixed", "mixed formulation, with a separate pressure", given.mixed);
    options.real("-load", "size of the displacements at which products are measured", given.load);
    options.real("-dofs", "approximate number of unknowns of the cube", given.dofs);
    options.choice("-cells",
                   "shape of the cells: general, affine or cartesian hexahedra, straight tetrahedra (six per cube), or "
                   "straight wedges (two per cube)",
                   shapes, given.cells);
    options.integer("-repeat", "number of measured repetitions of each product", given.repeat);
    options.flag("-on_request", "run a product once for each line of standard input that contains its name",
                 given.on_request);
  });
  if (given.degree < 1 || given.degree > 6) throw OptionError("option -degree: give 1 to 6");
  if (!(given.dofs >= 1) || given.dofs > 1e10) throw OptionError("option -dofs: give a number of unknowns");
  if (given.branches < 0 || given.branches > 9) throw OptionError("option -branches: give 0 to 9");
  if (given.repeat < 1) throw OptionError("option -repeat: give 1 or more");
  given.kernels = solid::read_kernel_options(comm);
  given.kernels.simd = solid::find_kernels(given.kernels.simd.c_str())->name;
  return given;
}

/// Creates a cube with about `dofs` unknowns; general cells are bent smoothly, affine ones sheared.
solid::Mesh make_mesh(MPI_Comm comm, const Problem& given, PetscReal dofs) {
  const auto cells = std::max(1L, std::lround((std::cbrt(dofs / 3) - 1) / static_cast<double>(given.degree)));
  const std::string count = std::to_string(cells);
  check(PetscOptionsSetValue(nullptr, "-dm_plex_box_faces", (count + "," + count + "," + count).c_str()));
  if (given.cells == Cells::tetrahedra) check(PetscOptionsSetValue(nullptr, "-dm_plex_simplex", "1"));
  if (given.cells == Cells::wedges) check(PetscOptionsSetValue(nullptr, "-dm_plex_cell", "triangular_prism"));
  auto mesh = solid::Mesh::from_options(comm);
  if (given.cells != Cells::general && given.cells != Cells::affine) return mesh;
  Vec coordinates = nullptr;
  check(DMGetCoordinatesLocal(mesh.dm(), &coordinates));
  {
    petsc::WriteView at(coordinates);
    for (std::size_t i = 0; i + 2 < at.size(); i += 3) {
      const PetscReal x = at[i], y = at[i + 1], z = at[i + 2];
      if (given.cells == Cells::affine) {
        at[i] += 0.1 * y + 0.05 * z;
        at[i + 1] += 0.07 * z;
      } else {
        at[i] += 0.04 * y * z + 0.03 * z * z;
        at[i + 1] += 0.05 * x * x - 0.03 * x * z;
        at[i + 2] += 0.04 * x * y + 0.02 * y * y;
      }
    }
  }
  check(DMSetCoordinatesLocal(mesh.dm(), coordinates));
  return mesh;
}

/// The minimum memory traffic of products, and the operations of the tangent, per unknown.
class Costs {
 public:
  explicit Costs(const Problem& given) : given_(given), n_(static_cast<double>(given.degree) + 1) {
    const double p = n_ - 1;
    const solid::CellKind kind = given.cells == Cells::tetrahedra ? solid::CellKind::tetrahedron
                                 : given.cells == Cells::wedges   ? solid::CellKind::wedge
                                                                  : solid::CellKind::hexahedron;
    const solid::Element element(kind, static_cast<int>(given.degree));
    nodes_ = static_cast<double>(element.nodes().size());
    points_ = static_cast<double>(element.points().size());
    cells_ = cells_in_cube(given.cells) / (3 * p * p * p);
  }
  /// Returns the bytes moved per unknown: reading the input, reading and writing the output, with `number` bytes each,
  /// the node numbers, and `data` bytes per quadrature point.
  double bytes(double data, double number = 8) const { return 3 * number + (4 * nodes_ + data * points_) * cells_; }
  /// Returns the additions and multiplications of the tangent; 0 for laws whose operations at a point were not counted.
  double operations() const {
    const bool cartesian = given_.cells == Cells::cartesian;
    if (cartesian && given_.law == Law::linear_elastic) return modes();
    double point = 0;
    if (given_.law == Law::neo_hookean) point = cartesian ? 124 : 160;
    if (given_.law == Law::linear_elastic) point = 125;
    // Even-odd decomposition of lines: sums and differences, two products of half size, and their sum and difference.
    // There are twelve products of n^2 lines per component; two of the four in each direction share their first part.
    // Trilinear cells: two butterflies, gradients and fluxes at four points each.
    const double pairs = std::floor(n_ / 2), half = n_ - pairs;
    const double line = pairs * 2 * (half + pairs) + (n_ > 2 * pairs ? 2 * half : 0), parts = 2 * pairs;
    double sweeps = n_ == 2 ? 3 * 150 : 3 * n_ * n_ * (12 * line + 10 * parts);
    if (cells_in_cube(given_.cells) > 1)
      sweeps = points_ * (2 * 18 * nodes_ + 9);  // dense products in both directions, and weights
    return point > 0 ? (sweeps + points_ * point) * cells_ : 0;
  }

 private:
  /// Counts the operations of ModeSweeps: six even-odd products of n^2 lines per component, nine slopes and their
  /// transposes, and fluxes, of which the fraction f is not zero.
  double modes() const {
    const double pairs = std::floor(n_ / 2), half = n_ - pairs, f = n_ > 3 ? 1 : (n_ - 1) / n_;
    const double line = 2 * (half * half + pairs * pairs + pairs);
    const double slopes = 3 * (n_ - 1) + 2 * (n_ - 2);
    return (n_ * n_ * (18 * line + 9 * slopes) + n_ * n_ * n_ * 3 * f * (3 + 8 * f)) * cells_;
  }

  const Problem& given_;
  double n_, nodes_, points_, cells_;
};

void print_rate(MPI_Comm comm, const Problem& given, const char* what, PetscInt unknowns, Seconds time, double bytes,
                double operations, double kernel_ratio = 0) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  const double rate = static_cast<double>(unknowns) / time.clock;
  check(PetscPrintf(comm,
                    "{\"bench\": \"operator\", \"product\": \"%s\", \"degree\": %d, \"material\": \"%s\", \"cells\": "
                    "\"%s\", \"simd\": \"%s\", \"points\": \"%s\", \"ranks\": %d, \"dofs\": %lld, \"MDoF/s\": %.2f, "
                    "\"MDoF/s_cpu\": %.2f, \"B/DoF\": %.1f, \"GB/s\": %.2f",
                    what, static_cast<int>(given.degree), solid::name_of(given.law),
                    shapes[static_cast<std::size_t>(given.cells)], given.kernels.simd.c_str(),
                    given.kernels.lean_points ? "float" : "double", ranks, static_cast<long long>(unknowns),
                    1e-6 * static_cast<double>(unknowns) / time.wall, 1e-6 * rate, bytes, 1e-9 * rate * bytes));
  if (operations > 0)
    check(PetscPrintf(comm, ", \"FLOP/DoF\": %.0f, \"GFLOP/s\": %.2f", operations, 1e-9 * rate * operations));
  if (kernel_ratio > 0) check(PetscPrintf(comm, ", \"kernel_ratio\": %.3f", kernel_ratio));
  check(PetscPrintf(comm, "}\n"));
}

solid::Material material_of(const Problem& given) {
  solid::Material m{.law = given.law, .E = 1, .nu = 0.3, .rho = 1, .mu1 = 0.3, .mu2 = 0.1, .bulk = 1};
  m.prony_g.assign(static_cast<std::size_t>(given.branches), 0.1);
  m.prony_tau.assign(m.prony_g.size(), 1);
  if (solid::is_registered(given.law)) return m;
  if (const auto example = solid::description_of(given.law).example) example(m);
  return m;
}

/// Creates a MATSHELL of the tangent stiffness with supports, as the solvers use it.
Handle<Mat> make_shell(MPI_Comm comm, const solid::Body& body, Linearization& tangent) {
  const PetscInt size = petsc::local_size_of(body.layout());
  Handle<Mat> shell;
  check(MatCreateShell(comm, size, size, PETSC_DETERMINE, PETSC_DETERMINE, &tangent, shell.out()));
  const auto multiply = [](Mat A, Vec in, Vec out) -> PetscErrorCode {
    Linearization* own = nullptr;
    PetscCall(MatShellGetContext(A, &own));
    PetscCallCXX(own->apply_free({1, 0, 0}, in, out));
    return petsc::success;
  };
  check(MatShellSetOperation(shell.get(), MATOP_MULT,
                             reinterpret_cast<void (*)()>(static_cast<PetscErrorCode (*)(Mat, Vec, Vec)>(multiply))));
  return shell;
}

Handle<Vec> field(const solid::Body& body, PetscReal size) {
  petsc::Handle<Vec> result = petsc::duplicate(body.layout());
  body.interpolate(
      [&](PetscReal, const solid::Vec3& X) {
        return solid::Vec3{size * std::sin(3 * X[0] + X[1]), size * std::cos(2 * X[1] - X[2]), size * X[0] * X[2]};
      },
      0, result.get());
  return result;
}

/// A measured operation, with the minimum bytes moved and, if known, the floating-point operations per unknown.
struct Product {
  const char* name;
  double bytes, operations;
  std::function<void()> run;
};

/// Runs each product named on standard input and prints its rate.
void serve(MPI_Comm comm, const Problem& given, PetscInt unknowns, const std::vector<Product>& products) {
  std::vector<std::string> names;
  for (const auto& product : products) names.emplace_back(product.name);
  for (int index = next_request(comm, names); index >= 0; index = next_request(comm, names)) {
    const auto& product = products[static_cast<std::size_t>(index)];
    Stopwatch watch(comm);
    product.run();
    print_rate(comm, given, product.name, unknowns, watch.lap(), product.bytes, product.operations);
    std::fflush(stdout);
  }
}

/// Measures PETSc's MatMult with supports and ghosts in turn with the kernel: the product on a separate cube for each
/// rank, with this rank's share of the unknowns and neither supports nor ghosts.
void compare_shell(MPI_Comm comm, const Problem& given, double bytes, PetscInt unknowns,
                   const std::function<void()>& multiply) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  solid::Body alone(make_mesh(PETSC_COMM_SELF, given, given.dofs / ranks), static_cast<int>(given.degree));
  alone.set_material(material_of(given));
  alone.set_up();
  const auto u = field(alone, given.load), x = field(alone, 1), y = field(alone, 0);
  const auto tangent = alone.make_linearization();
  tangent->update({0, u.get(), nullptr, nullptr});
  const auto times =
      measure_in_turn(comm, static_cast<int>(given.repeat), {multiply, [&] {
                                                               tangent->apply({1, 0, 0}, x.get(), y.get());
                                                             }});
  const PetscInt own = ranks * petsc::size_of(alone.layout());
  const double ratio = static_cast<double>(unknowns) / times[0].clock / (static_cast<double>(own) / times[1].clock);
  print_rate(comm, given, "kernel", own, times[1], bytes, 0);
  print_rate(comm, given, "matmult", unknowns, times[0], bytes, 0, ratio);
}

}  // namespace

void measure_operator(MPI_Comm comm) {
  const Problem given = read_problem(comm);
  if (petsc::has_option("", "-help")) return;
  solid::Body body(make_mesh(comm, given, given.dofs), static_cast<int>(given.degree));
  body.set_material(material_of(given));
  if (given.mixed) body.set_formulation(solid::Formulation::mixed);
  for (const char* face : {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"}) body.clamp(face);
  body.set_up();
  const auto u = field(body, given.load), x = field(body, 1);
  petsc::Handle<Vec> y = petsc::duplicate(body.layout());
  const PetscInt unknowns = petsc::size_of(body.layout());
  const auto tangent = body.make_linearization();
  const State state{0, u.get(), nullptr, nullptr};
  tangent->update(state);
  const auto shell = make_shell(comm, body, *tangent);

  const Costs costs(given);
  const bool general = given.cells == Cells::general;
  const double number = given.kernels.lean_points ? 4 : 8;
  const double geometry = general ? 80 : 0,
               points = number * static_cast<double>(solid::point_size(given.law, given.branches > 0));
  const double metric = given.branches > 0              ? geometry
                        : given.law == Law::neo_hookean ? (general ? 56 : 0)
                        : given.law == Law::ogden       ? 0
                                                        : geometry;
  LevelTangent single(body.space(), material_of(given), given.kernels, u.get(), x.get());
  const auto apply = [&](PetscReal inertia) { tangent->apply({1, 0, inertia}, x.get(), y.get()); };
  const std::vector<Product> products{
      {"tangent", costs.bytes(points + metric), costs.operations(), [&] { apply(0); }},
      {"tangent+inertia", costs.bytes(points + metric), 0, [&] { apply(1); }},
      {"residual", costs.bytes(geometry), 0, [&] { body.residual(state, y.get()); }},
      {"single", costs.bytes((points + metric) * 4 / number, 4), costs.operations(), [&] { single.run(); }},
      {"linearize", costs.bytes(points + geometry), 0, [&] { tangent->update(state); }},
  };
  if (given.on_request) return serve(comm, given, unknowns, products);
  for (const auto& product : products)
    print_rate(comm, given, product.name, unknowns, measure(comm, static_cast<int>(given.repeat), product.run),
               product.bytes, product.operations);
  compare_shell(comm, given, costs.bytes(points + metric), unknowns,
                [&] { check(MatMult(shell.get(), x.get(), y.get())); });

  const Machine machine = measure_machine(comm, given.kernels.simd, static_cast<int>(given.repeat));
  check(PetscPrintf(comm, "{\"bench\": \"machine\", \"simd\": \"%s\", \"triad_GB/s\": %.1f, \"peak_GFLOP/s\": %.1f}\n",
                    given.kernels.simd.c_str(), 1e-9 * machine.triad, 1e-9 * machine.peak));
}

}  // namespace gearshift::bench
