#include "solid/multigrid/level_space.hpp"

namespace gearshift::solid {

std::vector<int> level_degrees(int degree, int lowest) {
  std::vector<int> degrees{degree};
  while (degrees.back() > lowest) degrees.push_back((degrees.back() + 1) / 2);
  return degrees;
}

std::vector<LevelSpace> make_level_spaces(const Mesh& mesh, const Space& finest, const Supports& supports, int lowest) {
  std::vector<LevelSpace> levels;
  for (const int degree : level_degrees(finest.degree(), lowest))
    levels.empty() ? levels.emplace_back(finest, supports) : levels.emplace_back(mesh, levels.front(), degree);
  return levels;
}

}  // namespace gearshift::solid
