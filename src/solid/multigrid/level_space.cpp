#include "solid/multigrid/level_space.hpp"

namespace gearshift::solid {

std::vector<int> level_degrees(int degree) {
  std::vector<int> degrees{degree};
  while (degrees.back() > 1) degrees.push_back((degrees.back() + 1) / 2);
  return degrees;
}

std::vector<LevelSpace> make_level_spaces(const Mesh& mesh, const Space& finest, const Supports& supports) {
  std::vector<LevelSpace> levels;
  for (const int degree : level_degrees(finest.degree()))
    levels.empty() ? levels.emplace_back(finest, supports) : levels.emplace_back(mesh, levels.front(), degree);
  return levels;
}

}  // namespace gearshift::solid
