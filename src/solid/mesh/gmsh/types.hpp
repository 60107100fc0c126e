#pragma once

/// @file
/// Gmsh's element types: dimension, order, nodes, and the positions of corners, edges and faces among the nodes (Gmsh
/// manual, "Node ordering").

#include <array>
#include <cstdint>
#include <span>

namespace gearshift::solid {

enum class GmshShape : std::uint8_t { point, line, triangle, quadrangle, tetrahedron, hexahedron, wedge, pyramid };

/// An edge: two corners. The edge's index is the position of the node between them among the second-order nodes.
struct GmshEdge {
  std::uint8_t from, to;
};

/// A face: its corners as seen from outside, counterclockwise (3 or 4).
struct GmshFace {
  std::uint8_t count;
  std::array<std::uint8_t, 4> corners;
};

/// The topology of a shape.
struct GmshTopology {
  const char* name;
  const char* plural;  ///< in English
  int dimension;
  int corners;
  std::span<const GmshEdge> edges;  ///< second-order node corners + i lies on edge i
  std::span<const GmshFace> faces;  ///< node corners + edges + i lies on face i, if the face has such a node
};

struct GmshType {
  GmshShape shape;
  int order;  ///< 0 for points
  int nodes;
};

/// Returns the type, or null for unknown numbers.
const GmshType* gmsh_type(std::int64_t number);

const GmshTopology& gmsh_topology(GmshShape shape);

}  // namespace gearshift::solid
