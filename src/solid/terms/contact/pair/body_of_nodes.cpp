#include "solid/terms/contact/pair/body_of_nodes.hpp"

#include "petsc/queries.hpp"
#include "petsc/ranks/agree.hpp"
#include "solid/numerics/sets.hpp"
#include "solid/operator/exchange/halo.hpp"

#include <algorithm>

namespace gearshift::solid {

/// The parts of this rank are found by union of sets; their numbers then pass from rank to rank until none changes.
std::vector<PetscInt> body_of_nodes(const Space& space) {
  const auto count = static_cast<std::size_t>(space.local_nodes()),
             owned = static_cast<std::size_t>(space.owned_nodes());
  Sets<PetscInt> parts(count);
  for (PetscInt cell = 0; cell < space.cells(); ++cell) {
    const auto nodes = space.cell_nodes(cell);
    for (const PetscInt node : nodes) parts.join(nodes[0], node);
  }
  std::vector<double> numbers(3 * count), least(count);  // the exchange has three numbers for each node
  for (std::size_t i = 0; i < count; ++i) least[i] = static_cast<double>(space.global_node_numbers()[i]);
  Halo<double> halo(space);
  for (bool changed = true; changed;) {
    const std::vector<double> before = least;
    const auto of_part = [&](std::size_t i) -> double& { return least[index(parts.find(static_cast<PetscInt>(i)))]; };
    for (std::size_t i = 0; i < count; ++i) of_part(i) = std::min(of_part(i), before[i]);
    for (std::size_t i = 0; i < count; ++i) numbers[3 * i] = of_part(i);
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
