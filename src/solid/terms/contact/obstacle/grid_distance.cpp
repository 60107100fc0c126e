/// Obstacles from STL files.

#include "solid/terms/contact/constants.hpp"
#include "solid/terms/contact/obstacle/closed_surface.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <sstream>
#include <unordered_map>

namespace gearshift::solid {

namespace {

using Corners = ClosedSurface::Corners;

/// Binary files may also begin with "solid".
bool begins_as_text(std::string_view bytes) { return bytes.starts_with("solid") && bytes.find("facet") < 1000; }

/// Returns the triangles of an STL file.
std::vector<Corners> read_stl(std::string_view bytes) {
  std::vector<Corners> triangles;
  std::uint32_t count = 0;
  constexpr std::size_t head = 84, record = 50;
  if (bytes.size() >= head) std::memcpy(&count, bytes.data() + 80, sizeof count);
  if (bytes.size() >= head && count > 0 && bytes.size() >= head + record * count && !begins_as_text(bytes)) {
    for (std::uint32_t i = 0; i < count; ++i) {
      std::array<float, 9> corners{};
      std::memcpy(corners.data(), bytes.data() + head + record * i + 12, sizeof corners);
      Corners& triangle = triangles.emplace_back();
      for (std::size_t c = 0; c < 9; ++c) triangle[c / 3][c % 3] = corners[c];
    }
    return triangles;
  }
  std::istringstream words{std::string(bytes)};
  std::size_t corner = 0;
  for (std::string word; words >> word;) {
    if (word != "vertex") continue;
    if (corner % 3 == 0) triangles.emplace_back();
    Vec3& x = triangles.back()[corner++ % 3];
    if (!(words >> x[0] >> x[1] >> x[2])) throw OptionError("the STL file is damaged: a vertex needs three numbers");
  }
  if (triangles.empty() || corner % 3 != 0)
    throw OptionError("the file has no triangles: it is not an STL file, text or binary, or it is damaged");
  return triangles;
}

/// The cubic spline through the distances at the points of an unbounded grid. They are computed where they are needed
/// first. Its coefficients are (-f[i-1] + 8 f[i] - f[i+1]) / 6 along each axis, which is exact for cubic polynomials
/// (I. Schoenberg's quasi-interpolation).
class GridDistance {
 public:
  explicit GridDistance(ClosedSurface surface) : surface_(std::move(surface)) {
    const Extent& box = surface_.extent();
    const double thickness = std::min({box.edge(0), box.edge(1), box.edge(2)});
    step_ = std::min(box.edge(box.longest()) / contact::intervals, thickness / contact::fewest_intervals);
  }

  Distance at(const Vec3& x) {
    const double beyond = std::sqrt(squared_distance_to(surface_.extent(), x));
    if (!(beyond <= contact::far_from_surface * step_)) return surface_.exact(x);
    std::array<std::array<double, 4>, 3> N{}, N1{}, N2{};  // the four splines along each axis, and derivatives
    Index first{};
    for (std::size_t c = 0; c < 3; ++c) {
      const double s = (x[c] - surface_.extent().low[c]) / step_, whole = std::floor(s), u = s - whole, r = 1 - u;
      first[c] = static_cast<std::int64_t>(whole) - 1;
      N[c] = {r * r * r / 6, 2.0 / 3 - u * u + u * u * u / 2, 2.0 / 3 - r * r + r * r * r / 2, u * u * u / 6};
      N1[c] = {-r * r / 2, -2 * u + 1.5 * u * u, 2 * r - 1.5 * r * r, u * u / 2};
      N2[c] = {r, 3 * u - 2, 3 * r - 2, u};
    }
    Distance result;
    auto& H = result.curvature;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j)
        for (std::size_t k = 0; k < 4; ++k) {
          const double f =
              coefficient({first[0] + static_cast<std::int64_t>(i), first[1] + static_cast<std::int64_t>(j),
                           first[2] + static_cast<std::int64_t>(k)});
          result.d += f * N[0][i] * N[1][j] * N[2][k];
          result.normal[0] += f * N1[0][i] * N[1][j] * N[2][k];
          result.normal[1] += f * N[0][i] * N1[1][j] * N[2][k];
          result.normal[2] += f * N[0][i] * N[1][j] * N1[2][k];
          H[0] += f * N2[0][i] * N[1][j] * N[2][k];
          H[1] += f * N1[0][i] * N1[1][j] * N[2][k];
          H[2] += f * N1[0][i] * N[1][j] * N1[2][k];
          H[3] += f * N[0][i] * N2[1][j] * N[2][k];
          H[4] += f * N[0][i] * N1[1][j] * N1[2][k];
          H[5] += f * N[0][i] * N[1][j] * N2[2][k];
        }
    for (double& slope : result.normal) slope /= step_;
    for (double& entry : H) entry /= step_ * step_;
    return result;
  }

 private:
  using Index = std::array<std::int64_t, 3>;
  struct Hash {
    std::size_t operator()(const Index& i) const {
      return static_cast<std::size_t>(i[0]) * 73856093 ^ static_cast<std::size_t>(i[1]) * 19349663 ^
             static_cast<std::size_t>(i[2]) * 83492791;
    }
  };
  using Values = std::unordered_map<Index, double, Hash>;

  double value(const Index& i) {
    const auto [found, added] = values_.emplace(i, 0);
    if (added) {
      Vec3 x;
      for (std::size_t c = 0; c < 3; ++c) x[c] = surface_.extent().low[c] + step_ * static_cast<double>(i[c]);
      found->second = surface_.distance(x);
    }
    return found->second;
  }

  double coefficient(const Index& i) {
    constexpr std::array<double, 3> weights{-1.0 / 6, 8.0 / 6, -1.0 / 6};
    if (const auto found = coefficients_.find(i); found != coefficients_.end()) return found->second;
    double sum = 0;
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3; ++b)
        for (std::size_t c = 0; c < 3; ++c)
          sum += weights[a] * weights[b] * weights[c] *
                 value({i[0] + static_cast<std::int64_t>(a) - 1, i[1] + static_cast<std::int64_t>(b) - 1,
                        i[2] + static_cast<std::int64_t>(c) - 1});
    return coefficients_[i] = sum;
  }

  ClosedSurface surface_;
  double step_;
  Values values_, coefficients_;
};

}  // namespace

Obstacle closed_surface(std::string_view stl) {
  const auto grid = std::make_shared<GridDistance>(ClosedSurface(read_stl(stl)));
  return [grid](PetscReal, const Vec3& x) { return grid->at(x); };
}

}  // namespace gearshift::solid
