#pragma once

/// @file
/// Small meshes in all of Gmsh's formats. Uses neither PETSc nor MPI.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace gearshift::solid::test {

/// A box of 3 x 2 x 2 hexahedra, or with each hexahedron divided into six tetrahedra or two wedges; regions "lower" and
/// "upper", faces "left" and "right".
struct GmshSample {
  struct Element {
    int dimension, type, physical, entity;
    std::vector<int> nodes;  ///< node indices from 0
  };
  struct Name {
    int dimension, tag;
    std::string text;
  };
  std::vector<std::array<double, 3>> nodes;
  std::vector<std::int64_t> tags;  ///< tags of the nodes
  std::vector<Element> elements;   ///< elements of the same dimension, type and entity are contiguous
  std::vector<Name> names;

  void add(Element element);
  std::size_t count(int dimension, int physical = 0) const;
};

/// Gmsh's type of the cells: 5, 17, 12 (hexahedra of 8, 20, 27 nodes), 4, 11 (tetrahedra of 4, 10), 6, 13 (wedges of 6,
/// 18); or 506, 1213: hexahedra with wedges to their right; 406, 1113: tetrahedra above wedges.
GmshSample gmsh_sample(int cell_type);

struct GmshFormat {
  const char* version;  ///< 2.2, 4.0 or 4.1
  bool binary = false;
  bool swapped = false;  ///< reversed byte order
  int size = 8;          ///< size of integers of type size_t in 4.1
};
constexpr GmshFormat gmsh_formats[] = {{"2.2"}, {"4.0"}, {"4.1"}, {"2.2", true}, {"4.0", true}, {"4.1", true}};
constexpr int gmsh_cell_types[] = {5, 17, 12, 4, 11, 6, 13, 506, 1213, 406, 1113};

std::string write_gmsh(const GmshSample& sample, const GmshFormat& format);

}  // namespace gearshift::solid::test
