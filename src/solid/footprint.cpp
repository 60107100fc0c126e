#include "solid/footprint.hpp"

#include "solid/material/registered_laws.hpp"
#include "solid/multigrid/multigrid.hpp"
#include "solid/operator/quadrature_store.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gearshift::solid {
namespace {

using petsc::check;

/// Numbers of each in the DMPlex of this rank.
struct Strata {
  CellKind kind = CellKind::hexahedron;
  double vertices = 0, edges = 0, faces = 0, cells = 0;

  double nodes(int degree) const {
    const double inside = degree - 1;
    if (kind == CellKind::tetrahedron) return vertices + inside * (edges + (inside - 1) / 2 * faces);
    return vertices + inside * (edges + inside * (faces + inside * cells));
  }
  /// Ordered pairs of nodes that share a cell, counted where the smallest entity is that holds both.
  double couplings(int degree) const {
    const double n = degree + 1, edge = n * n - 2;
    if (kind == CellKind::tetrahedron) {
      const double of_face = n * (n + 1) / 2, of_cell = of_face * (n + 2) / 3;
      const double face = of_face * of_face - 3 * edge - 3, cell = of_cell * of_cell - 4 * face - 6 * edge - 4;
      return vertices + edge * edges + face * faces + cell * cells;
    }
    const double face = std::pow(n, 4) - 4 * edge - 4, cell = std::pow(n, 6) - 6 * face - 12 * edge - 8;
    return vertices + edge * edges + face * faces + cell * cells;
  }
};

Strata count(const Mesh& mesh) {
  std::array<double, 4> sizes{};
  for (int depth = 0; depth < 4; ++depth) {
    PetscInt first = 0, last = 0;
    check(DMPlexGetDepthStratum(mesh.dm(), depth, &first, &last));
    sizes[static_cast<std::size_t>(depth)] = static_cast<double>(last - first);
  }
  return {mesh.cell_kind(), sizes[0], sizes[1], sizes[2], sizes[3]};
}

/// What kinds of cells a rank has.
struct CellCounts {
  CellKind kind = CellKind::hexahedron;
  double all = 0, general = 0;
  double point_numbers = 0;  ///< that tangents keep of one point of each cell, summed up

  double nodes(int degree) const { return static_cast<double>(Element(kind, degree).nodes().size()); }
  double points(int degree) const { return static_cast<double>(Element(kind, degree).points().size()); }
  double mass_points(int degree) const { return static_cast<double>(Element(kind, degree).mass_points().size()); }
};

/// Batches: node numbers, parameters, and K, det K, metric once or at each point, all of `number` bytes; support numbers,
/// numbers of materials.
double operator_bytes(const CellCounts& cells, double nodes, int degree, double number) {
  const double points = cells.points(degree);
  const double of_mass = cells.kind == CellKind::tetrahedron ? cells.mass_points(degree) : 0;
  const double geometry =
      (cells.general * points + cells.all - cells.general) * number * (10 + 7) + cells.general * of_mass * number;
  return cells.all * (4 * cells.nodes(degree) + number * 4 + sizeof(int) + 12) + geometry + nodes * 3 * sizeof(int);
}

double point_bytes(const CellCounts& cells, int degree, double number) {
  return cells.point_numbers * cells.points(degree) * number;
}

/// Node numbers of cells, positions and global numbers of nodes; what cells are is shared.
double space_bytes(const CellCounts& cells, double nodes, int degree) {
  return cells.all * 4 * cells.nodes(degree) + nodes * (24 + 4);
}

double vector(double of_nodes) { return 24 * of_nodes; }

/// What FloatMultigrid keeps.
void add_float_levels(Footprint& result, const Strata& strata, const CellCounts& cells, int degree) {
  constexpr double level_vectors = 6;  // right-hand side, correction, three of the smoother, ghosts
  for (const int at : level_degrees(degree)) {
    const double nodes = strata.nodes(at);
    result.multigrid += operator_bytes(cells, nodes, at, 4) + point_bytes(cells, at, 4);
    result.multigrid += level_vectors * vector(nodes) / 2;
    if (at < degree) result.multigrid += space_bytes(cells, nodes, at) + nodes * 3 * sizeof(int);
  }
  result.multigrid += vector(strata.vertices);  // two more of the cycles over degree 1
  // Groups of 32 corners, each beside 27: six motions a group, their bases, and blocks that are summed up before they
  // become a matrix.
  const double pairs = 27 * strata.vertices / 32;
  result.multigrid += strata.vertices * 3 * 6 * 4 + pairs * (36 * 8 + 64);
  result.coarse = pairs * 36 * 12;
  // Clusters of eight groups, and what is below: measured on boxes of 3e4 to 3e5 unknowns.
  result.hierarchy = result.coarse / 2;
}

/// An assembled matrix, of blocks of 9 values and column numbers, and algebraic multigrid on it: the latter was measured on
/// boxes of 1e4 to 5e5 unknowns of degree 1, where products of distributed matrices need more room than those on one rank.
void add_matrix(Footprint& result, const Strata& strata, int degree, bool gamg, MPI_Comm comm) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  const double matrix = strata.couplings(degree) * 9 * 12;
  (degree > 1 ? result.matrix : result.coarse) = matrix;
  if (gamg) result.hierarchy = (ranks > 1 ? 7.5 : 2.4) * matrix;
}

/// What PcmgMultigrid keeps.
void add_double_levels(Footprint& result, const Strata& strata, const CellCounts& cells, int degree,
                       const KernelOptions& kernels, MPI_Comm comm) {
  // Chebyshev, the estimate of its bounds by CG, and the diagonal.
  constexpr double smoother_vectors = 12;
  const double point_number = kernels.lean_points ? 4 : 8;
  if (degree > 1) result.solver_vectors = smoother_vectors * result.vector;
  const std::vector<int> degrees = level_degrees(degree);
  for (std::size_t i = 0; i + 1 < degrees.size(); ++i) {
    const int upper = degrees[i], lower = degrees[i + 1];
    const double below = strata.nodes(lower), above = strata.nodes(upper);
    result.multigrid += space_bytes(cells, below, lower) + below * 3 * sizeof(int);
    // Transfers: the lower degree's node numbers of cells, shares and work space of both degrees.
    result.multigrid += 4 * cells.all * cells.nodes(lower) + 2 * vector(above) + 2 * vector(below);
    result.multigrid += vector(below) * (lower > 1 ? smoother_vectors + 4 : 4);
    if (lower > 1) result.multigrid += operator_bytes(cells, below, lower, 8) + point_bytes(cells, lower, point_number);
  }
  add_matrix(result, strata, 1, true, comm);
}

/// What terms put on the levels, and the blocks of all nodes that one level at a time collects before it keeps those of
/// few.
void add_terms(Footprint& result, const Strata& strata, const TermSum& terms, int degree, bool on_finest) {
  double collected = 0;
  for (const int at : level_degrees(degree)) {
    if (at == degree && degree > 1 && !on_finest) continue;
    const double own = terms.level_bytes(at);
    result.multigrid += own;
    if (own > 0) collected = std::max(collected, strata.nodes(at) * (6 + 1) * 8);
  }
  result.multigrid += collected;
}

}  // namespace

Footprint estimate_footprint(const Mesh& mesh, const Space& space, const MaterialTable& material, const TermSum& terms,
                             const SolverChoice& choice, const KernelOptions& kernels) {
  const Strata strata = count(mesh);
  CellCounts cells;
  cells.kind = mesh.cell_kind();
  cells.all = static_cast<double>(space.cells());
  for (PetscInt cell = 0; cell < space.cells(); ++cell) {
    if (!space.constant_jacobian(cell)) ++cells.general;
    cells.point_numbers += static_cast<double>(point_size(material[cell].law, !material[cell].prony_g.empty()));
  }
  Footprint result;
  const int degree = space.degree();
  const auto nodes = static_cast<double>(space.local_nodes());
  result.vector = vector(static_cast<double>(space.owned_nodes()));
  // Loads keep three vectors, the tangent the displacement.
  result.operators = operator_bytes(cells, nodes, degree, 8) + 4 * vector(nodes) + terms.bytes();
  result.internal = sizeof(PetscScalar) * static_cast<double>(QuadratureStore(space, material).size());
  result.points = point_bytes(cells, degree, kernels.lean_points ? 4 : 8);
  if (choice.solver() == Solver::amg)
    add_matrix(result, strata, degree, choice.takes_gamg(), space.comm());
  else if (choice.solver() == Solver::jacobi)
    result.solver_vectors = 2 * result.vector;
  else if (choice.float_levels())
    add_float_levels(result, strata, cells, degree);
  else
    add_double_levels(result, strata, cells, degree, kernels, space.comm());
  if (choice.solver() != Solver::jacobi) add_terms(result, strata, terms, degree, choice.float_levels());
  if (!terms.symmetric()) result.solver_vectors += choice.basis_vectors() * result.vector;
  return result;
}

}  // namespace gearshift::solid
