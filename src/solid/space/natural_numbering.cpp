#include "solid/space/natural_numbering.hpp"

#include "petsc/queries.hpp"
#include "solid/space/combine_over_ranks.hpp"

#include <petscdmplex.h>
#include <petscsf.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace gearshift::solid {

using petsc::check;

namespace {

/// Returns the numbers of the rank's cells before the mesh was distributed.
std::vector<PetscInt> natural_cells(const Mesh& mesh, const Space& space) {
  std::vector<PetscInt> cells(static_cast<std::size_t>(space.cells()));
  for (std::size_t cell = 0; cell < cells.size(); ++cell)
    cells[cell] = mesh.cell_number(space.mesh_cells().point(static_cast<PetscInt>(cell)));
  return cells;
}

petsc::Handle<IS> numbering_of(MPI_Comm comm, const std::vector<PetscInt>& entries) {
  petsc::Handle<IS> result;
  check(ISCreateGeneral(comm, static_cast<PetscInt>(entries.size()), entries.data(), PETSC_COPY_VALUES, result.out()));
  return result;
}

/// Returns the first natural number of each cell's entries, given the number of entries of each cell.
std::vector<PetscInt> first_numbers(MPI_Comm comm, PetscInt global_cells, const std::vector<PetscInt>& cells,
                                    const std::vector<PetscInt>& counts) {
  PetscLayout layout = nullptr;
  petsc::Handle<PetscSF> by_number;
  check(PetscLayoutCreate(comm, &layout));
  check(PetscLayoutSetSize(layout, global_cells));
  check(PetscLayoutSetUp(layout));
  check(PetscSFCreate(comm, by_number.out()));
  check(PetscSFSetGraphLayout(by_number.get(), layout, static_cast<PetscInt>(cells.size()), nullptr, PETSC_COPY_VALUES,
                              cells.data()));
  PetscInt share = 0, sum = 0;
  check(PetscLayoutGetLocalSize(layout, &share));
  check(PetscLayoutDestroy(&layout));
  std::vector<PetscInt> of_all(static_cast<std::size_t>(share)), of_own(cells.size());
  check(PetscSFReduceBegin(by_number.get(), MPIU_INT, counts.data(), of_all.data(), MPI_REPLACE));
  check(PetscSFReduceEnd(by_number.get(), MPIU_INT, counts.data(), of_all.data(), MPI_REPLACE));
  for (PetscInt& count : of_all) {
    const PetscInt begin = sum;
    sum += count;
    count = begin;
  }
  const PetscInt before = petsc::sum_before(comm, sum);
  for (PetscInt& begin : of_all) begin += before;
  check(PetscSFBcastBegin(by_number.get(), MPIU_INT, of_all.data(), of_own.data(), MPI_REPLACE));
  check(PetscSFBcastEnd(by_number.get(), MPIU_INT, of_all.data(), of_own.data(), MPI_REPLACE));
  return of_own;
}

}  // namespace

petsc::Handle<IS> number_naturally(const Mesh& mesh, const Space& space) {
  if (!mesh.has_cell_numbers()) return {};
  const auto nodes = static_cast<std::size_t>(space.local_nodes()),
             owned = static_cast<std::size_t>(space.owned_nodes());
  std::size_t per_cell = 0;
  for (const CellBlock& block : space.blocks()) per_cell = std::max(per_cell, block.nodes_per_cell());
  const std::vector<PetscInt> cells = natural_cells(mesh, space);

  // The lowest cell that touches each node, and the node's number within it.
  constexpr auto none = std::numeric_limits<std::int64_t>::max();
  std::vector<std::int64_t> touch(nodes, none);
  const auto key = [&](std::size_t cell, std::size_t place) {
    return static_cast<std::int64_t>(cells[cell]) * static_cast<std::int64_t>(per_cell) +
           static_cast<std::int64_t>(place);
  };
  const auto for_each = [&](auto&& visit) {
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      const auto of_cell = space.cell_nodes(static_cast<PetscInt>(cell));
      for (std::size_t i = 0; i < of_cell.size(); ++i) visit(cell, i, static_cast<std::size_t>(of_cell[i]));
    }
  };
  for_each(
      [&](std::size_t cell, std::size_t i, std::size_t node) { touch[node] = std::min(touch[node], key(cell, i)); });
  combine_over_ranks(space, MPIU_INT64, MPI_MIN, touch);

  // The rank of that cell numbers the node and sends the number to the node's owner.
  std::vector<PetscInt> counts(cells.size()), numbers(nodes, -1);
  for_each([&](std::size_t cell, std::size_t i, std::size_t node) { counts[cell] += touch[node] == key(cell, i); });
  std::vector<PetscInt> next = first_numbers(space.comm(), mesh.global_cells(), cells, counts);
  for_each([&](std::size_t cell, std::size_t i, std::size_t node) {
    if (touch[node] == key(cell, i)) numbers[node] = next[cell]++;
  });
  check(PetscSFReduceBegin(space.node_sf(), MPIU_INT, numbers.data() + owned, numbers.data(), MPI_MAX));
  check(PetscSFReduceEnd(space.node_sf(), MPIU_INT, numbers.data() + owned, numbers.data(), MPI_MAX));

  std::vector<PetscInt> entries(3 * owned);
  for (std::size_t entry = 0; entry < entries.size(); ++entry)
    entries[entry] = 3 * numbers[entry / 3] + static_cast<PetscInt>(entry % 3);
  return numbering_of(space.comm(), entries);
}

petsc::Handle<IS> number_by_cells(const Mesh& mesh, const Space& space,
                                  const std::function<PetscInt(PetscInt)>& count) {
  if (!mesh.has_cell_numbers()) return {};
  const std::vector<PetscInt> cells = natural_cells(mesh, space);
  std::vector<PetscInt> counts(cells.size()), entries;
  for (std::size_t cell = 0; cell < cells.size(); ++cell) counts[cell] = count(static_cast<PetscInt>(cell));
  const std::vector<PetscInt> first = first_numbers(space.comm(), mesh.global_cells(), cells, counts);
  for (std::size_t cell = 0; cell < cells.size(); ++cell)
    for (PetscInt i = 0; i < counts[cell]; ++i) entries.push_back(first[cell] + i);
  return numbering_of(space.comm(), entries);
}

}  // namespace gearshift::solid
