#include "bench/solve/robust_cases.hpp"

namespace gearshift::bench {
namespace {

/// Selects about a third of all cells, the same ones on any number of ranks.
bool at_random(const std::array<int, 3>& cell) {
  const double phase = std::sin(12.9898 * cell[0] + 78.233 * cell[1] + 37.719 * cell[2] + 1) * 43758.5453;
  return phase - std::floor(phase) < 0.3;
}

Case composite(std::string name, Pattern stiff, double most) {
  Case result;
  result.name = std::move(name) + ", 1e3 / 1e6";
  result.wanted = most > 2 ? "2 / 3 times" : "2 / 2 times";
  result.stiff = std::move(stiff);
  result.most = {2, most};
  result.relative = true;
  return result;
}

Case nearly_incompressible(double nu, double most, double max_time, bool mixed) {
  Case result;
  const std::string poisson = std::to_string(nu);
  result.name = "nu " + poisson.substr(0, poisson.find_last_not_of('0') + 1) + (mixed ? ", mixed" : "");
  result.wanted = std::to_string(static_cast<int>(most)) + ", time " + std::to_string(static_cast<int>(max_time));
  result.most = {most};
  result.nu = nu;
  result.max_time = max_time;
  result.least_degree = 2;
  if (mixed) result.formulation = solid::Formulation::mixed;
  return result;
}

Case shaped(std::string name, const Shape& shape, double most) {
  Case result;
  result.name = std::move(name);
  result.wanted = most > 0 ? std::to_string(static_cast<int>(most)) : "-";
  result.shape = shape;
  if (most > 0) result.most = {most};
  return result;
}

}  // namespace

std::vector<Case> robust_cases() {
  using Cell = std::array<int, 3>;
  Case alike = shaped("homogeneous", {}, 0);
  std::vector<Case> result{
      alike,
      composite(
          "layers one cell thick, along", [](const Cell& c) { return c[2] % 2 == 1; }, 2),
      composite(
          "layers one cell thick, across", [](const Cell& c) { return c[0] % 2 == 1; }, 2),
      composite(
          "layers two cells thick, along", [](const Cell& c) { return c[2] / 2 % 2 == 1; }, 2),
      composite(
          "layers two cells thick, across", [](const Cell& c) { return c[0] / 2 % 2 == 1; }, 2),
      composite(
          "fibres one cell thick", [](const Cell& c) { return c[1] % 2 == 0 && c[2] % 2 == 0; }, 3),
      composite(
          "blocks of one cell", [](const Cell& c) { return c[0] % 2 + c[1] % 2 + c[2] % 2 == 3; }, 3),
      composite(
          "blocks of two cells", [](const Cell& c) { return c[0] / 2 % 2 + c[1] / 2 % 2 + c[2] / 2 % 2 == 3; }, 3),
      composite("random cells, a third", at_random, 3),
  };
  for (const bool mixed : {false, true}) {
    result.push_back(nearly_incompressible(0.49, 25, 3, mixed));
    result.push_back(nearly_incompressible(0.499, 30, 5, mixed));
    result.push_back(nearly_incompressible(0.4999, 40, 10, mixed));
  }
  for (const auto& [ratio, most] : {std::pair{10.0, 25.0}, {100.0, 40.0}}) {
    const std::string slender = " 1:" + std::to_string(static_cast<int>(ratio));
    result.push_back(shaped("flat cells" + slender + ", plate", {{ratio, ratio, 1}, {1, 1, 1}}, most));
    result.push_back(shaped("flat cells" + slender + ", cube", {{1, 1, 1}, {1, 1, ratio}}, most));
    result.push_back(shaped("long cells" + slender + ", beam", {{ratio, 1, 1}, {1, 1, 1}}, most));
  }
  result.push_back(shaped("plate one cell thick, 1:100", {{1, 1, 0.01}, {1, 1, 1}, {0, 0, 1}}, 40));
  result.push_back(shaped("graded 100:1 along every axis", {{1, 1, 1}, {1, 1, 1}, {0, 0, 0}, true}, 30));
  return result;
}

}  // namespace gearshift::bench
