#include "solid/mesh/gmsh/types.hpp"

namespace gearshift::solid {
namespace {

constexpr GmshEdge line_edges[] = {{0, 1}};
constexpr GmshEdge triangle_edges[] = {{0, 1}, {1, 2}, {2, 0}};
constexpr GmshEdge quadrangle_edges[] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
constexpr GmshEdge tetrahedron_edges[] = {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {3, 2}, {3, 1}};
constexpr GmshEdge hexahedron_edges[] = {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3},
                                         {2, 6}, {3, 7}, {4, 5}, {4, 7}, {5, 6}, {6, 7}};
constexpr GmshEdge wedge_edges[] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 4}, {2, 5}, {3, 4}, {3, 5}, {4, 5}};
constexpr GmshEdge pyramid_edges[] = {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 4}, {2, 3}, {2, 4}, {3, 4}};

constexpr GmshFace triangle_faces[] = {{3, {0, 1, 2, 0}}};
constexpr GmshFace quadrangle_faces[] = {{4, {0, 1, 2, 3}}};
constexpr GmshFace tetrahedron_faces[] = {{3, {0, 2, 1, 0}}, {3, {0, 1, 3, 0}}, {3, {0, 3, 2, 0}}, {3, {3, 1, 2, 0}}};
constexpr GmshFace hexahedron_faces[] = {{4, {0, 3, 2, 1}}, {4, {0, 1, 5, 4}}, {4, {0, 4, 7, 3}},
                                         {4, {1, 2, 6, 5}}, {4, {2, 3, 7, 6}}, {4, {4, 5, 6, 7}}};
// The faces with a central node come first.
constexpr GmshFace wedge_faces[] = {
    {4, {0, 1, 4, 3}}, {4, {0, 3, 5, 2}}, {4, {1, 2, 5, 4}}, {3, {0, 2, 1, 0}}, {3, {3, 4, 5, 0}}};
constexpr GmshFace pyramid_faces[] = {
    {4, {0, 3, 2, 1}}, {3, {0, 1, 4, 0}}, {3, {1, 2, 4, 0}}, {3, {2, 3, 4, 0}}, {3, {3, 0, 4, 0}}};

constexpr GmshTopology topologies[] = {
    {"point", "points", 0, 1, {}, {}},
    {"segment", "lines", 1, 2, line_edges, {}},
    {"triangle", "triangles", 2, 3, triangle_edges, triangle_faces},
    {"quadrilateral", "quadrangles", 2, 4, quadrangle_edges, quadrangle_faces},
    {"tetrahedron", "tetrahedra", 3, 4, tetrahedron_edges, tetrahedron_faces},
    {"hexahedron", "hexahedra", 3, 8, hexahedron_edges, hexahedron_faces},
    {"triangular_prism", "wedges", 3, 6, wedge_edges, wedge_faces},
    {"pyramid", "pyramids", 3, 5, pyramid_edges, pyramid_faces},
};

struct Row {
  int number;
  GmshType type;
};

using enum GmshShape;

constexpr Row rows[] = {
    {1, {line, 1, 2}},          {2, {triangle, 1, 3}},      {3, {quadrangle, 1, 4}},    {4, {tetrahedron, 1, 4}},
    {5, {hexahedron, 1, 8}},    {6, {wedge, 1, 6}},         {7, {pyramid, 1, 5}},       {8, {line, 2, 3}},
    {9, {triangle, 2, 6}},      {10, {quadrangle, 2, 9}},   {11, {tetrahedron, 2, 10}}, {12, {hexahedron, 2, 27}},
    {13, {wedge, 2, 18}},       {14, {pyramid, 2, 14}},     {15, {point, 0, 1}},        {16, {quadrangle, 2, 8}},
    {17, {hexahedron, 2, 20}},  {21, {triangle, 3, 10}},    {23, {triangle, 4, 15}},    {25, {triangle, 5, 21}},
    {26, {line, 3, 4}},         {27, {line, 4, 5}},         {28, {line, 5, 6}},         {29, {tetrahedron, 3, 20}},
    {30, {tetrahedron, 4, 35}}, {31, {tetrahedron, 5, 56}}, {36, {quadrangle, 3, 16}},  {37, {quadrangle, 4, 25}},
    {38, {quadrangle, 5, 36}},  {90, {wedge, 3, 40}},       {91, {wedge, 4, 75}},       {92, {hexahedron, 3, 64}},
    {93, {hexahedron, 4, 125}}, {94, {hexahedron, 5, 216}}, {106, {wedge, 5, 126}},     {118, {pyramid, 3, 30}},
    {119, {pyramid, 4, 55}},    {120, {pyramid, 5, 91}},
};

constexpr int most = 128;

constexpr std::array<std::uint8_t, most> places = [] {
  std::array<std::uint8_t, most> result{};
  for (std::uint8_t i = 0; i < std::size(rows); ++i)
    result[static_cast<std::size_t>(rows[i].number)] = static_cast<std::uint8_t>(i + 1);
  return result;
}();

}  // namespace

const GmshType* gmsh_type(std::int64_t number) {
  if (number < 0 || number >= most) return nullptr;
  const int place = places[static_cast<std::size_t>(number)];
  return place == 0 ? nullptr : &rows[place - 1].type;
}

const GmshTopology& gmsh_topology(GmshShape shape) { return topologies[static_cast<std::size_t>(shape)]; }

}  // namespace gearshift::solid
