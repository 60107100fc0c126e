#include "io/vtk_cell.hpp"

#include <gearshift/io/vtu.hpp>

#include <array>
#include <span>

namespace gearshift::io {
namespace {

constexpr std::uint8_t lagrange_tetrahedron = 71, lagrange_hexahedron = 72, lagrange_wedge = 73;

/// Computes out = (A x A x A) in, with the given number of components, on n^3 nodes, one direction after another.
void along_lines(const std::vector<double>& A, int n, std::size_t components, std::vector<double>& values,
                 std::vector<double>& work) {
  const auto size = static_cast<std::size_t>(n);
  for (std::size_t stride = 1, direction = 0; direction < 3; ++direction, stride *= size) {
    work.assign(values.size(), 0.0);
    for (std::size_t node = 0; node < size * size * size; ++node) {
      const std::size_t row = node / stride % size, base = node - row * stride;
      for (std::size_t m = 0; m < size; ++m)
        for (std::size_t c = 0; c < components; ++c)
          work[components * node + c] += A[row * size + m] * values[components * (base + m * stride) + c];
    }
    values.swap(work);
  }
}

/// Computes out = A in, with the given number of components, on the nodes of a cell.
void of_whole_cell(const std::vector<double>& A, std::size_t components, std::vector<double>& values,
                   std::vector<double>& work) {
  const std::size_t size = values.size() / components;
  work.assign(values.size(), 0.0);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j)
      for (std::size_t c = 0; c < components; ++c)
        work[components * i + c] += A[i * size + j] * values[components * j + c];
  values.swap(work);
}

}  // namespace

int vtk_hexahedron_index(int i, int j, int k, int p) {
  const bool on_i = i == 0 || i == p, on_j = j == 0 || j == p, on_k = k == 0 || k == p;
  const int borders = on_i + on_j + on_k;
  const int m = p - 1;  // nodes inside an edge
  // The order around the square 0-1-2-3 of VTK's linear hexahedron.
  const int corner = i != 0 ? (j != 0 ? 2 : 1) : (j != 0 ? 3 : 0);
  if (borders == 3) return corner + (k != 0 ? 4 : 0);
  int offset = 8;
  if (borders == 2) {
    if (!on_i) return offset + (i - 1) + (j != 0 ? 2 * m : 0) + (k != 0 ? 4 * m : 0);
    if (!on_j) return offset + (j - 1) + (i != 0 ? m : 3 * m) + (k != 0 ? 4 * m : 0);
    return offset + 8 * m + (k - 1) + m * corner;
  }
  offset += 12 * m;
  const int face = m * m;
  if (borders == 1) {
    if (on_i) return offset + (j - 1) + m * (k - 1) + (i != 0 ? face : 0);
    if (on_j) return offset + 2 * face + (i - 1) + m * (k - 1) + (j != 0 ? face : 0);
    return offset + 4 * face + (i - 1) + m * (j - 1) + (k != 0 ? face : 0);
  }
  return offset + 6 * face + (i - 1) + m * ((j - 1) + m * (k - 1));
}

int vtk_tetrahedron_index(int node, int p) {
  // Positions of Element's edges 01 02 03 12 13 23 and faces 023 013 012 123.
  static constexpr std::array<int, 6> edges{0, 2, 3, 1, 4, 5};
  static constexpr std::array<int, 4> faces{2, 0, 3, 1};
  if (node < 4) return node;
  const int inside = p - 1, edge = inside > 0 ? (node - 4) / inside : 0;
  if (edge >= 6) return 4 + 6 * inside + faces[static_cast<std::size_t>(node - 4 - 6 * inside)];
  const int i = (node - 4) % inside;
  const bool backwards = edge == 1;
  return 4 + inside * edges[static_cast<std::size_t>(edge)] + (backwards ? inside - 1 - i : i);
}

int vtk_wedge_index(int node, int p) {
  if (p == 1) return node;
  // Positions of the element's vertices and edges 01 02 12, layer by layer.
  static constexpr std::array<std::array<int, 6>, 3> layers{
      {{0, 1, 2, 6, 8, 7}, {12, 13, 14, 15, 17, 16}, {3, 4, 5, 9, 11, 10}}};
  return layers[static_cast<std::size_t>(node / 6)][static_cast<std::size_t>(node % 6)];
}

VtkCell::VtkCell(const solid::Element& element) {
  switch (element.kind()) {
    case solid::CellKind::hexahedron:
      make_hexahedron(element);
      break;
    case solid::CellKind::tetrahedron:
      make_tetrahedron(element);
      break;
    case solid::CellKind::wedge:
      make_wedge(element);
      break;
  }
}

void VtkCell::make_hexahedron(const solid::Element& element) {
  const int p = element.degree(), n = p + 1;
  const auto size = static_cast<std::size_t>(n);
  const auto position = [p](int i) { return 2.0 * i / p - 1.0; };
  type = lagrange_hexahedron;
  line = n;
  to_equidistant.resize(size * size);
  for (std::size_t i = 0; i < size; ++i)
    solid::lagrange(element.line().nodes, position(static_cast<int>(i)),
                    std::span(to_equidistant).subspan(i * size, size));
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        equidistant.push_back({position(i), position(j), position(k)});
        order.push_back(vtk_hexahedron_index(i, j, k, p));
      }
}

void VtkCell::make_tetrahedron(const solid::Element& element) {
  const auto& nodes = element.nodes();
  const int p = element.degree();
  type = lagrange_tetrahedron;
  equidistant = nodes;
  std::size_t node = 4;
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = a + 1; b < 4; ++b)
      for (int i = 1; i < p; ++i, ++node)
        for (std::size_t d = 0; d < 3; ++d) equidistant[node][d] = ((p - i) * nodes[a][d] + i * nodes[b][d]) / p;
  to_equidistant.resize(nodes.size() * nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    element.values(equidistant[i], std::span(to_equidistant).subspan(i * nodes.size(), nodes.size()));
    order.push_back(vtk_tetrahedron_index(static_cast<int>(i), p));
  }
}

/// At degrees 1 and 2, the only ones, the element's nodes are equidistant.
void VtkCell::make_wedge(const solid::Element& element) {
  type = lagrange_wedge;
  equidistant = element.nodes();
  for (std::size_t i = 0; i < equidistant.size(); ++i)
    order.push_back(vtk_wedge_index(static_cast<int>(i), element.degree()));
}

void VtkCell::transform(std::size_t components, std::vector<double>& values, std::vector<double>& work) const {
  if (to_equidistant.empty()) return;
  line > 0 ? along_lines(to_equidistant, line, components, values, work)
           : of_whole_cell(to_equidistant, components, values, work);
}

}  // namespace gearshift::io
