#include "solid/constraints/node_normals.hpp"

#include "solid/element/vectors.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace gearshift::solid {

namespace {

constexpr double smooth = 0.1;  // eigenvalue ratio tan^2(35 degrees / 2)

/// n n' in the order 00 01 02 11 12 22
using Square = std::array<double, 6>;

/// Returns the image of a direction of the reference cell.
Vec3 image(const std::array<Vec3, 3>& J, const Vec3& direction) {
  return {dot(J[0], direction), dot(J[1], direction), dot(J[2], direction)};
}

/// Adds the facet's normals at its nodes to the sums.
void add_facet(const Space& space, const CellFace& face, std::span<Square> sums) {
  const Element& element = space.element(face.cell);
  const Element corners(element.kind(), 1);
  const auto tangents = element.face_tangents(face.face);
  const auto nodes = space.cell_nodes(face.cell);
  for (const int i : space.face_nodes(face)) {
    const auto node = static_cast<std::size_t>(i);
    const Vec3& xi = element.nodes()[node];
    const auto J = space.jacobian(face.cell, xi);
    const Vec3 area = cross(image(J, tangents[0]), image(J, tangents[1]));
    const double size = std::sqrt(dot(area, area));
    if (!(size > 0)) continue;  // the face of the cell has no area there
    std::vector<Vec3> sight;    // towards the facet's corners
    for (const int corner : corners.face_nodes(face.face)) {
      const Vec3 way = image(J, corners.nodes()[static_cast<std::size_t>(corner)] - xi);
      if (const double length = std::sqrt(dot(way, way)); length > 0) sight.push_back((1 / length) * way);
    }
    double angle = 0;
    for (const Vec3& a : sight)
      for (const Vec3& b : sight) angle = std::max(angle, std::acos(std::clamp(dot(a, b), -1.0, 1.0)));
    const Vec3 n = (1 / size) * area;
    Square& sum = sums[static_cast<std::size_t>(nodes[node])];
    std::size_t k = 0;
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t d = c; d < 3; ++d) sum[k++] += angle * n[c] * n[d];
  }
}

/// Sums the values of all ranks, on owners and ghosts.
void add_over_ranks(const Space& space, std::vector<Square>& sums) {
  std::vector<PetscReal> three(3 * sums.size());
  PetscReal* const ghosts = three.data() + 3 * space.owned_nodes();
  for (const std::size_t first : {0U, 3U}) {
    for (std::size_t node = 0; node < sums.size(); ++node)
      for (std::size_t k = 0; k < 3; ++k) three[3 * node + k] = sums[node][first + k];
    space.add_ghosts_begin(ghosts, three.data());
    space.add_ghosts_end(ghosts, three.data());
    space.ghosts_begin(three.data(), ghosts);
    space.ghosts_end(three.data(), ghosts);
    for (std::size_t node = 0; node < sums.size(); ++node)
      for (std::size_t k = 0; k < 3; ++k) sums[node][first + k] = three[3 * node + k];
  }
}

/// Returns the eigenvectors of the significant eigenvalues, that of the largest eigenvalue first.
std::vector<Vec3> main_directions(const Square& s) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> parts(
      (Eigen::Matrix3d() << s[0], s[1], s[2], s[1], s[3], s[4], s[2], s[4], s[5]).finished());
  std::vector<Vec3> result;
  for (Eigen::Index i = 2; i >= 0 && parts.eigenvalues()[i] > smooth * parts.eigenvalues()[2]; --i) {
    const Eigen::Vector3d n = parts.eigenvectors().col(i);
    result.push_back({n[0], n[1], n[2]});
  }
  return result;
}

/// Returns a vector without its components along orthonormal directions.
Vec3 without(Vec3 x, const std::vector<Vec3>& directions) {
  for (const Vec3& n : directions) x = x - dot(n, x) * n;
  return x;
}

/// Chooses directions of single faces that span the directions of all faces.
NodeNormals choose(const std::vector<std::pair<std::size_t, Square>>& of_faces) {
  Square all{};
  for (const auto& [face, square] : of_faces)
    for (std::size_t k = 0; k < 6; ++k) all[k] += square[k];
  const std::vector<Vec3> span = main_directions(all);
  std::vector<std::pair<std::size_t, Vec3>> candidates;
  for (const auto& [face, square] : of_faces)
    for (const Vec3& n : main_directions(square)) candidates.emplace_back(face, n - without(n, span));
  for (const Vec3& n : span) candidates.emplace_back(of_faces.back().first, n);
  NodeNormals result;
  std::vector<Vec3> taken;  // the chosen directions, made orthonormal
  while (taken.size() < span.size()) {
    constexpr double as_good = 1 + 1e-6;  // the first of equal candidates is chosen, independent of rounding
    double best = 0;
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const Vec3 rest = without(candidates[i].second, taken);
      if (const double size = std::sqrt(dot(rest, rest)); size > best * as_good) {
        best = size;
        chosen = i;
      }
    }
    const auto& [face, n] = candidates[chosen];
    taken.push_back((1 / best) * without(n, taken));
    result.directions.push_back((1 / std::sqrt(dot(n, n))) * n);
    result.faces.push_back(face);
  }
  return result;
}

}  // namespace

std::map<PetscInt, NodeNormals> node_normals(const Space& space, const std::vector<std::string>& faces) {
  std::map<PetscInt, std::vector<std::pair<std::size_t, Square>>> squares;
  std::vector<Square> sums;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    sums.assign(static_cast<std::size_t>(space.local_nodes()), Square{});
    for (const CellFace& face : space.face(faces[f])) add_facet(space, face, sums);
    add_over_ranks(space, sums);
    for (std::size_t node = 0; node < sums.size(); ++node)
      if (sums[node][0] + sums[node][3] + sums[node][5] > 0)
        squares[static_cast<PetscInt>(node)].emplace_back(f, sums[node]);
  }
  std::map<PetscInt, NodeNormals> result;
  for (const auto& [node, of_faces] : squares) result.emplace(node, choose(of_faces));
  return result;
}

}  // namespace gearshift::solid
