#include "solid/mesh/gmsh/bodies.hpp"

#include "solid/numerics/points.hpp"
#include "solid/numerics/sets.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace gearshift::solid {
namespace {

constexpr double cell_width = 1e-7;

using NodeSets = Sets<std::uint32_t>;

std::size_t count_coincident(const GmshContent& content, NodeSets& sets, const std::vector<bool>& is_corner) {
  Extent box;
  for (std::size_t i = 0; i < is_corner.size(); ++i) {
    const double* x = content.nodes.at(i);
    if (is_corner[i]) box.add({x[0], x[1], x[2]});
  }
  const double extent = box.edge(box.longest());
  if (!(extent > 0 && extent < INFINITY)) return 0;
  struct Corner {
    std::array<std::int32_t, 3> cell;
    std::uint32_t body;
    auto operator<=>(const Corner&) const = default;
  };
  std::vector<Corner> corners;
  for (std::size_t i = 0; i < is_corner.size(); ++i) {
    if (!is_corner[i]) continue;
    Corner corner{{}, sets.find(static_cast<std::uint32_t>(i))};
    for (std::size_t c = 0; c < 3; ++c)
      corner.cell[c] =
          static_cast<std::int32_t>(std::lround((content.nodes.at(i)[c] - box.low[c]) / extent / cell_width));
    corners.push_back(corner);
  }
  std::sort(corners.begin(), corners.end());
  std::size_t result = 0;
  for (auto first = corners.begin(); first != corners.end();) {
    const auto last = std::find_if(first, corners.end(), [&](const Corner& c) { return c.cell != first->cell; });
    if (first->body != std::prev(last)->body) result += static_cast<std::size_t>(last - first);
    first = last;
  }
  return result;
}

}  // namespace

GmshBodies find_bodies(const GmshContent& content) {
  NodeSets sets(content.nodes.count());
  std::vector<bool> is_corner(content.nodes.count(), false);
  const auto each = [&](const auto& visit) {
    for (const GmshRun& run : content.cells.runs)
      for (std::size_t cell = run.first; cell < run.first + run.count; ++cell)
        visit(content.cells.nodes_of(run, cell), gmsh_topology(run.type->shape).corners);
  };
  each([&](const std::uint32_t* nodes, int corners) {
    for (int i = 0; i < corners; ++i) {
      is_corner[nodes[i]] = true;
      if (i > 0) sets.join(nodes[0], nodes[i]);
    }
  });
  std::vector<std::size_t> cells(content.nodes.count(), 0);
  each([&](const std::uint32_t* nodes, int) { ++cells[sets.find(nodes[0])]; });
  GmshBodies result;
  for (const std::size_t count : cells)
    if (count > 0) result.cells.push_back(count);
  std::sort(result.cells.begin(), result.cells.end(), std::greater<>());
  if (result.cells.size() > 1) result.coincident = count_coincident(content, sets, is_corner);
  return result;
}

}  // namespace gearshift::solid
