#include "solid/body/memory_estimate.hpp"

#include "petsc/queries.hpp"
#include "solid/body/aggregate_memory.hpp"
#include "solid/material/registered_laws.hpp"
#include "solid/mesh/plex.hpp"
#include "solid/multigrid/constants.hpp"
#include "solid/multigrid/cycle_options.hpp"
#include "solid/multigrid/float_multigrid.hpp"
#include "solid/multigrid/mixed_solver.hpp"
#include "solid/operator/quadrature_store.hpp"

#include <algorithm>
#include <map>

namespace gearshift::solid {
namespace {

constexpr double bytes_of_entry = sizeof(PetscScalar) + sizeof(PetscInt);  // of a sparse matrix

using petsc::check;

/// The numbers of mesh entities in the DMPlex of this rank.
struct Strata {
  double vertices = 0, edges = 0, triangles = 0, quadrilaterals = 0;
  std::map<CellKind, double> cells;

  double nodes(int degree) const {
    const double inside = degree - 1;
    double sum = vertices + inside * (edges + (inside - 1) / 2 * triangles + inside * quadrilaterals);
    if (const auto found = cells.find(CellKind::hexahedron); found != cells.end())
      sum += inside * inside * inside * found->second;
    return sum;
  }
  /// Returns the number of ordered pairs of nodes that share a cell; a pair is counted at the smallest entity that
  /// contains both.
  double couplings(int degree) const {
    const double n = degree + 1, edge = n * n - 2;
    const auto of_face = [&](double nodes, double corners) { return nodes * nodes - corners * (edge + 1); };
    const double triangle = of_face(n * (n + 1) / 2, 3), quadrilateral = of_face(n * n, 4);
    double sum = vertices + edge * edges + triangle * triangles + quadrilateral * quadrilaterals;
    for (const auto& [kind, count] : cells) {
      const Element element(kind, degree), corners(kind, 1);
      const auto size = static_cast<double>(element.nodes().size());
      double own = size * size - corners.vertices() - (corners.vertices() + corners.faces() - 2) * edge;  // Euler
      for (int face = 0; face < corners.faces(); ++face)
        own -= corners.face_nodes(face).size() == 3 ? triangle : quadrilateral;
      sum += own * count;
    }
    return sum;
  }
};

Strata count(const Mesh& mesh) {
  Strata strata;
  PetscInt first = 0, last = 0;
  const auto number = [&](int depth) {
    check(DMPlexGetDepthStratum(mesh.dm(), depth, &first, &last));
    return static_cast<double>(last - first);
  };
  strata.vertices = number(0);
  strata.edges = number(1);
  const double faces = number(2);
  for (PetscInt face = first; face < last; ++face)
    if (type_of(mesh.dm(), face) == DM_POLYTOPE_TRIANGLE) ++strata.triangles;
  strata.quadrilaterals = faces - strata.triangles;
  (void)number(3);
  for (PetscInt cell = first; cell < last; ++cell)
    if (const auto kind = kind_of(type_of(mesh.dm(), cell))) ++strata.cells[*kind];
  return strata;
}

/// The cells of one kind on a rank.
struct CellCount {
  CellKind kind = CellKind::hexahedron;
  double all = 0, general = 0;
  double point_numbers = 0;  ///< numbers that tangents keep per point, summed over the cells
};
using CellCounts = std::vector<CellCount>;

/// Returns the bytes of the batches: node numbers, parameters, and K, det K, metric per cell or per point, all of
/// `number` bytes; support numbers, material numbers.
double operator_bytes(const CellCounts& cells, double nodes, int degree, double number) {
  double sum = nodes * 3 * sizeof(int);
  for (const CellCount& own : cells) {
    const Element element(own.kind, degree);
    const auto points = static_cast<double>(element.points().size()),
               mass_points = static_cast<double>(element.mass_points().size());
    const double of_mass = mass_points != points ? mass_points : 0;
    sum += own.all * (4 * static_cast<double>(element.nodes().size()) + number * 4 + sizeof(int) + 12) +
           (own.general * points + own.all - own.general) * number * (10 + 7) + own.general * of_mass * number;
  }
  return sum;
}

double point_bytes(const CellCounts& cells, int degree, double number) {
  double sum = 0;
  for (const CellCount& own : cells)
    sum += own.point_numbers * static_cast<double>(Element(own.kind, degree).points().size()) * number;
  return sum;
}

/// Returns the bytes of the node numbers of cells.
double node_number_bytes(const CellCounts& cells, int degree) {
  double sum = 0;
  for (const CellCount& own : cells) sum += own.all * 4 * static_cast<double>(Element(own.kind, degree).nodes().size());
  return sum;
}

/// Returns the bytes of a space: cell nodes, coordinates and global node numbers. Cell geometry is shared between
/// spaces.
double space_bytes(const CellCounts& cells, double nodes, int degree) {
  return node_number_bytes(cells, degree) + nodes * (24 + 4);
}

double vector(double of_nodes) { return 24 * of_nodes; }

/// Adds the data of ShellMultigrid with numbers of this many bytes, with or without its softer bulk moduli.
void add_levels(MemoryEstimate& result, const Strata& strata, const CellCounts& cells, const Mesh& mesh,
                const Space& space, int lowest, const MaterialTable& material, bool soft_moduli, double number,
                int ranks) {
  const int degree = space.degree();
  if (soft_moduli) result.multigrid += point_bytes(cells, degree, 4);
  constexpr double level_vectors = 6;  // right-hand side, correction, three of the smoother, ghosts
  for (const int at : level_degrees(degree, lowest)) {
    const double nodes = strata.nodes(at);
    result.multigrid += operator_bytes(cells, nodes, at, number) + point_bytes(cells, at, number);
    result.multigrid += level_vectors * vector(nodes) * number / 8;
    if (at < degree) result.multigrid += space_bytes(cells, nodes, at) + nodes * 3 * sizeof(int);
  }
  const double below = strata.nodes(lowest);
  result.multigrid += vector(below) * number / 4;  // two more vectors of the cycles over the lowest degree
  result.multigrid += below * 3 * 6 * 4;
  if (lowest == degree && aggregate_near_nodes(1, space)) {
    const AggregateMemory lines = memory_of_lines(space, material);
    result.coarse = lines.matrix;
    result.hierarchy = lines.solver;
    result.direct = lines.direct;
    return;
  }
  // Aggregates of up to 32 corners, 17 on average, each coupled to 27 including itself; their bases, and half of the
  // blocks, in double until they are rounded.
  const double pairs = 14 * strata.vertices / 17;
  result.coarse = pairs * 36 * bytes_of_entry;
  // Larger aggregates of eight aggregates, and the levels below: measured on boxes of 3e4 to 3e5 unknowns.
  const AggregateMemory unlike = memory_of_unlike(mesh, space, material, result.coarse, ranks);
  result.hierarchy = unlike.solver > 0 ? unlike.solver : result.coarse / 2;
  result.direct = unlike.direct;
}

/// Adds an assembled matrix, made of blocks of 9 values and column numbers, and algebraic multigrid on it. The latter
/// was measured on boxes of 1e4 to 5e5 unknowns of degree 1; products of distributed matrices need more memory than
/// products on one rank.
void add_matrix(MemoryEstimate& result, const Strata& strata, int degree, bool gamg, int ranks) {
  const double matrix = strata.couplings(degree) * 9 * bytes_of_entry;
  (degree > 1 ? result.matrix : result.coarse) = matrix;
  if (gamg) result.hierarchy = (ranks > 1 ? 7.5 : 2.4) * matrix;
}

/// Adds the data of BulkPressure, its tangent and MixedSolver, including all basis vectors of the last.
void add_pressures(MemoryEstimate& result, const CellCounts& cells, int degree, bool solver) {
  double pressures = 0;
  for (const CellCount& own : cells) {
    const double n = BulkPressure::functions(own.kind, degree);
    const auto points = static_cast<double>(Element(own.kind, degree).points().size());
    pressures += own.all * n * 8;
    result.operators += own.all * (n * (n + 1) / 2 + 5) * 8;
    result.points += own.all * points * bulk_point_size * 8;
  }
  result.points += 2 * pressures;
  if (solver)
    result.solver_vectors += 3 * result.vector + (2 * static_cast<double>(MixedSolver::max_vectors(degree)) + 4) *
                                                     (result.vector + pressures);
}

/// Adds the data of terms on the levels, and the blocks of all nodes that one level at a time collects before it keeps
/// those of only a few nodes.
void add_terms(MemoryEstimate& result, const Strata& strata, const TermSum& terms, int degree, int lowest,
               bool on_finest) {
  double collected = 0;
  for (const int at : level_degrees(degree, lowest)) {
    if (at == degree && degree > 1 && !on_finest) continue;
    const double own = terms.level_bytes(at);
    result.multigrid += own;
    if (own > 0) collected = std::max(collected, strata.nodes(at) * (6 + 1) * 8);
  }
  result.multigrid += collected;
}

/// Returns true if the aggregates keep softer bulk moduli (SoftBulk).
bool softens_moduli(const MaterialTable& material) {
  return any_above(multigrid::most_in_bulk, material) &&
         std::any_of(material.all().begin(), material.all().end(),
                     [](const Material& m) { return keeps_modulus(m.law, internal_tensors(m) > 0); });
}

}  // namespace

MemoryEstimate estimate_memory(const Mesh& mesh, const Space& space, const MaterialTable& material,
                               const TermSum& terms, const SolverChoice& choice, const KernelOptions& kernels,
                               Formulation formulation, int ranks) {
  const Strata strata = count(mesh);
  CellCounts cells;
  for (const CellBlock& block : space.blocks()) {
    CellCount& own = cells.emplace_back();
    own.kind = block.element.kind();
    own.all = static_cast<double>(block.last - block.first);
    for (PetscInt cell = block.first; cell < block.last; ++cell) {
      if (!space.mesh_cells().constant_jacobian(cell)) ++own.general;
      own.point_numbers += static_cast<double>(point_size(material[cell].law, internal_tensors(material[cell]) > 0));
    }
  }
  MemoryEstimate result;
  const int degree = space.degree(), lowest = choice.solver() == Solver::pmg ? lowest_degree(space) : 1;
  const auto nodes = static_cast<double>(space.local_nodes());
  result.vector = vector(static_cast<double>(space.owned_nodes()));
  // The tangent keeps the displacement and a work vector.
  result.operators = operator_bytes(cells, nodes, degree, 8) + vector(nodes) + result.vector + terms.bytes();
  const QuadratureStore store(space, material);
  result.internal = sizeof(PetscScalar) * static_cast<double>(store.size());
  if (store.follows_path()) {  // the tangent and the levels keep their own copies
    result.operators += result.internal;
    if (choice.solver() == Solver::pmg) result.multigrid += result.internal;
  }
  result.points = point_bytes(cells, degree, kernels.lean_points ? 4 : 8);
  if (choice.solver() == Solver::amg)
    add_matrix(result, strata, degree, choice.takes_gamg(), ranks);
  else if (choice.solver() == Solver::jacobi)
    result.solver_vectors = 2 * result.vector;
  else
    add_levels(result, strata, cells, mesh, space, lowest, material, softens_moduli(material),
               kernels.single_levels ? 4 : 8, ranks);
  const bool multigrid = choice.solver() == Solver::pmg;
  if (choice.solver() != Solver::jacobi) add_terms(result, strata, terms, degree, lowest, multigrid);
  if (formulation == Formulation::mixed) add_pressures(result, cells, degree, multigrid);
  if (!terms.symmetric()) result.solver_vectors += choice.basis_vectors() * result.vector;
  return result;
}

}  // namespace gearshift::solid
