/// Gmsh files: any bytes are refused with their position, or contain cells that fit together. tests/solid/gmsh.cpp
/// checks that PETSc reads accepted files unchanged.

#include "fuzz/target.hpp"
#include "solid/mesh/gmsh/check.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

using gearshift::test::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto verdict = gearshift::solid::check_gmsh(bytes, INT32_MAX);
  const std::string& text = verdict.refusal;
  if (text.empty()) {
    const auto& bodies = verdict.bodies;
    require(!bodies.empty() && bodies.back() > 0, "an accepted mesh has cells");
    require(std::accumulate(bodies.begin(), bodies.end(), std::size_t{0}) <= size, "cells take bytes");
    return 0;
  }
  const bool line = text.starts_with("line "), byte = text.starts_with("byte ");
  require(line || byte, "a refusal begins with its place: " + text);
  const std::size_t place = std::stoul(text.substr(5)),
                    lines = 1 + static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\n'));
  require(line ? place >= 1 && place <= lines : place <= size, "the place is within the file: " + text);
  return 0;
}
