#pragma once

/// @file
/// Meshes of several boxes without common nodes.

#include "boxes.hpp"

#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace gearshift::solid::test {

/// One box of an assembly; its faces are called NAME_xmin, ..., its region is NAME.
struct Part {
  std::string name;
  Filling cells = Filling::hexahedra;
  std::array<int, 3> count{1, 1, 1};
  GmshBox::Map map;  ///< from the unit cube
  int order = 1;
};

/// Returns the box between two corners.
inline GmshBox::Map between(const Vec3& low, const Vec3& high) {
  return [low, high](const Vec3& X) {
    Vec3 x{};
    for (std::size_t c = 0; c < 3; ++c) x[c] = low[c] + (high[c] - low[c]) * X[c];
    return x;
  };
}

inline Mesh assembly(const std::vector<Part>& parts) {
  std::ostringstream names, nodes, elements;
  std::size_t node_count = 0, element_count = 0, tag_count = 0;
  for (const Part& part : parts) {
    std::istringstream text(GmshBox(part.cells, part.count, part.order, part.map).bytes());
    std::size_t count = 0, own_nodes = 0;
    std::string line;
    const auto go_to = [&](const char* heading) {
      while (line != heading) std::getline(text, line);
      text >> count;
    };
    go_to("$PhysicalNames");
    std::size_t most_tag = 0;
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t dimension = 0, tag = 0;
      std::string name;
      text >> dimension >> tag >> name;
      name = name.substr(1, name.size() - 2);
      names << dimension << ' ' << tag + tag_count << " \"" << part.name << (dimension == 3 ? "" : "_" + name)
            << "\"\n";
      most_tag = std::max(most_tag, tag);
    }
    go_to("$Nodes");
    own_nodes = count;
    std::getline(text, line);
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t number = 0;
      text >> number;
      std::getline(text, line);
      nodes << number + node_count << line << '\n';
    }
    go_to("$Elements");
    std::getline(text, line);
    for (std::size_t i = 0; i < count; ++i) {
      std::getline(text, line);
      std::istringstream fields(line);
      std::size_t number = 0, type = 0, two = 0, tag = 0, entity = 0, node = 0;
      fields >> number >> type >> two >> tag >> entity;
      elements << ++element_count << ' ' << type << " 2 " << tag + tag_count << ' ' << entity + tag_count;
      while (fields >> node) elements << ' ' << node + node_count;
      elements << '\n';
    }
    node_count += own_nodes;
    tag_count += most_tag;
  }
  std::ostringstream all;
  all << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n"
      << 7 * parts.size() << '\n'
      << names.str() << "$EndPhysicalNames\n$Nodes\n"
      << node_count << '\n'
      << nodes.str() << "$EndNodes\n$Elements\n"
      << element_count << '\n'
      << elements.str() << "$EndElements\n";
  return read(Written(all.str()));
}

}  // namespace gearshift::solid::test
