#include "solid/terms/contact/pair/body_of_nodes.hpp"

#include "petsc/queries.hpp"
#include "petsc/ranks/agree.hpp"
#include "solid/operator/exchange/halo.hpp"

#include <algorithm>
#include <numeric>

namespace gearshift::solid {

/// The parts of this rank are found by union of sets; their numbers then pass from rank to rank until none changes.
std::vector<PetscInt> body_of_nodes(const Space& space) {
  const auto count = static_cast<std::size_t>(space.local_nodes()),
             owned = static_cast<std::size_t>(space.owned_nodes());
  std::vector<std::size_t> parents(count);
  std::iota(parents.begin(), parents.end(), std::size_t{0});
  const auto root = [&](std::size_t node) {
    while (parents[node] != node) node = parents[node] = parents[parents[node]];
    return node;
  };
  for (PetscInt cell = 0; cell < space.cells(); ++cell) {
    const auto nodes = space.cell_nodes(cell);
    for (const PetscInt node : nodes)
      parents[root(static_cast<std::size_t>(node))] = root(static_cast<std::size_t>(nodes[0]));
  }
  std::vector<double> numbers(3 * count), least(count);  // the exchange has three numbers for each node
  for (std::size_t i = 0; i < count; ++i) least[i] = static_cast<double>(space.global_node_numbers()[i]);
  Halo<double> halo(space);
  for (bool changed = true; changed;) {
    const std::vector<double> before = least;
    for (std::size_t i = 0; i < count; ++i) least[root(i)] = std::min(least[root(i)], before[i]);
    for (std::size_t i = 0; i < count; ++i) numbers[3 * i] = least[root(i)];
    halo.gather_begin(numbers.data() + 3 * owned);
    halo.gather_end([&](PetscInt node, const std::array<double, 3>& number) {
      double& own = numbers[3 * static_cast<std::size_t>(node)];
      own = std::min(own, number[0]);
    });
    halo.spread_begin(numbers.data());
    halo.spread_end(numbers.data() + 3 * owned);
    for (std::size_t i = 0; i < count; ++i) least[i] = numbers[3 * i];
    changed = !petsc::all(space.comm(), least == before);
  }
  std::vector<PetscInt> bodies;
  for (const double number : least) bodies.push_back(static_cast<PetscInt>(number));
  return bodies;
}

}  // namespace gearshift::solid
