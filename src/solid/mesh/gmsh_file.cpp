#include "solid/mesh/gmsh_file.hpp"

#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

namespace gearshift::solid {
namespace {

struct ElementType {
  int dimension = -1;
  int nodes = 0;
};

/// Gmsh's element types up to order 2 and the common ones of order 3 (Gmsh manual, "Low order elements").
ElementType element_type(int type) {
  static const std::map<int, ElementType> known{
      {1, {1, 2}},   {2, {2, 3}},   {3, {2, 4}},   {4, {3, 4}},  {5, {3, 8}},   {6, {3, 6}},
      {7, {3, 5}},   {8, {1, 3}},   {9, {2, 6}},   {10, {2, 9}}, {11, {3, 10}}, {12, {3, 27}},
      {13, {3, 18}}, {14, {3, 14}}, {15, {0, 1}},  {16, {2, 8}}, {17, {3, 20}}, {18, {3, 15}},
      {19, {3, 13}}, {26, {1, 4}},  {36, {2, 16}}, {92, {3, 64}}};
  const auto found = known.find(type);
  return found == known.end() ? ElementType{} : found->second;
}

using Name = std::pair<int, int>;  // dimension, physical tag

std::string clash(const std::string& path, int dimension, int tag, const std::string& name) {
  return "mesh file '" + path + "': the elementary tag " + std::to_string(tag) + " (dimension " +
         std::to_string(dimension) + ") equals the physical tag of '" + name +
         "', and PETSc would put both under that name; save the mesh as MSH 4.1 (gmsh -format msh41), or give physical "
         "tags above all elementary ones in the .geo file, as in Physical Surface(\"" +
         name + "\", 101)";
}

}  // namespace

std::string refuse_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return "mesh file '" + path + "' cannot be opened; check -dm_plex_filename and the working directory";
  std::string line;
  if (!std::getline(file, line)) return "mesh file '" + path + "' is empty; check -dm_plex_filename";
  if (line.rfind("$MeshFormat", 0) != 0) return {};
  double version = 0;
  int binary = 0;
  file >> version >> binary;
  if (version < 2 || version >= 3) return {};
  std::map<Name, std::string> names;
  while (std::getline(file, line)) {
    if (line.rfind("$PhysicalNames", 0) == 0) {
      int count = 0;
      file >> count;
      for (int i = 0; i < count; ++i) {
        int dimension = 0, tag = 0;
        std::string name;
        file >> dimension >> tag;
        std::getline(file, name);
        const auto first = name.find('"'), last = name.rfind('"');
        if (first != std::string::npos && last > first) name = name.substr(first + 1, last - first - 1);
        names[{dimension, tag}] = name;
      }
    } else if (line.rfind("$Elements", 0) == 0) {
      break;
    }
  }
  std::int64_t count = 0;
  file >> count;
  std::getline(file, line);
  const auto check = [&](int type, int physical, int elementary) -> std::string {
    const int dimension = element_type(type).dimension;
    const auto found = names.find({dimension, elementary});
    if (found == names.end() || physical == elementary) return {};
    return clash(path, dimension, elementary, found->second);
  };
  if (binary == 0) {
    for (std::int64_t i = 0; i < count && std::getline(file, line); ++i) {
      std::istringstream words(line);
      int number = 0, type = 0, tags = 0, physical = 0, elementary = 0;
      words >> number >> type >> tags;
      if (tags < 2) continue;
      words >> physical >> elementary;
      if (auto text = check(type, physical, elementary); !text.empty()) return text;
    }
    return {};
  }
  for (std::int64_t done = 0; done < count && file;) {
    std::array<std::int32_t, 3> header{};  // type, elements, tags
    file.read(reinterpret_cast<char*>(header.data()), sizeof header);
    const int nodes = element_type(header[0]).nodes;
    if (!file || nodes == 0 || header[1] < 1 || header[2] < 0 || header[2] > 64) break;  // unknown: left to PETSc
    std::vector<std::int32_t> element(static_cast<std::size_t>(1 + header[2] + nodes));
    for (int e = 0; e < header[1] && file; ++e, ++done) {
      file.read(reinterpret_cast<char*>(element.data()), static_cast<std::streamsize>(element.size() * 4));
      if (header[2] < 2) continue;
      if (auto text = check(header[0], element[1], element[2]); !text.empty()) return text;
    }
  }
  return {};
}

}  // namespace gearshift::solid
