#include "solid/space/cell_order.hpp"

#include "solid/numerics/points.hpp"

#include <algorithm>
#include <numeric>

namespace gearshift::solid {
namespace {

/// If possible, the size of a part is a multiple of the widest batch.
constexpr std::ptrdiff_t unit = 8;

void bisect(std::span<const Vec3> centres, std::span<PetscInt> part) {
  const auto count = static_cast<std::ptrdiff_t>(part.size());
  if (count < 2) return;
  const auto centre = [&](PetscInt cell) -> const Vec3& { return centres[static_cast<std::size_t>(cell)]; };
  Extent box;
  for (const PetscInt cell : part) box.add(centre(cell));
  const std::size_t axis = box.longest(1.0001);
  std::ptrdiff_t half = count / 2;
  if (half > unit) half = (half + unit / 2) / unit * unit;
  const auto before = [&](PetscInt a, PetscInt b) {
    const PetscReal x = centre(a)[axis], y = centre(b)[axis];
    return x != y ? x < y : a < b;
  };
  std::nth_element(part.begin(), part.begin() + half, part.end(), before);
  bisect(centres, part.first(static_cast<std::size_t>(half)));
  bisect(centres, part.subspan(static_cast<std::size_t>(half)));
}

}  // namespace

std::vector<PetscInt> compact_order(std::span<const Vec3> centres) {
  std::vector<PetscInt> order(centres.size());
  std::iota(order.begin(), order.end(), 0);
  bisect(centres, order);
  return order;
}

}  // namespace gearshift::solid
