#include "app/coupling_mesh.hpp"

#include <gearshift/petsc/views.hpp>

#include "petsc/duplicate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace gearshift::app {

using petsc::check;
using petsc::ReadView;
using petsc::WriteView;
using solid::Vec3;

namespace {

using Triangle = std::array<PetscInt, 3>;

std::size_t entry(PetscInt node, std::size_t component) { return 3 * static_cast<std::size_t>(node) + component; }

/// Whether a node of a tetrahedron or wedge is one of its vertices.
bool is_vertex(const solid::Element& element, int node) {
  const Vec3& xi = element.nodes()[static_cast<std::size_t>(node)];
  const bool end = element.kind() != solid::CellKind::wedge || std::abs(xi[2]) == 1;
  return end && std::all_of(xi.begin(), xi.end(), [](double x) { return std::round(x) == x; });
}

/// A face's quadrilaterals and triangles as triangles of local nodes: of hexahedra all cells of the grid of nodes, of
/// others the corners of the face itself.
std::vector<Triangle> triangles_of(const solid::Space& space, const solid::CellFace& face) {
  const auto cell = space.cell_nodes(face.cell);
  const auto on_face = space.face_nodes(face);
  const auto node = [&](std::size_t i) { return cell[static_cast<std::size_t>(on_face[i])]; };
  std::vector<Triangle> triangles;
  if (space.element(face.cell).kind() != solid::CellKind::hexahedron) {
    std::vector<PetscInt> corners;
    for (std::size_t i = 0; i < on_face.size(); ++i)
      if (is_vertex(space.element(face.cell), on_face[i])) corners.push_back(node(i));
    triangles.push_back({corners[0], corners[1], corners.back()});
    if (corners.size() == 4) triangles.push_back({corners[0], corners[3], corners[2]});  // two above two
    return triangles;
  }
  const auto n = static_cast<std::size_t>(space.degree());
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t first = i + (n + 1) * j;
      const std::array corners{node(first), node(first + 1), node(first + n + 2), node(first + n + 1)};
      triangles.push_back({corners[0], corners[1], corners[2]});
      triangles.push_back({corners[0], corners[2], corners[3]});
    }
  return triangles;
}

std::vector<Triangle> triangles_of(const solid::Space& space, const std::vector<std::string>& faces) {
  std::vector<Triangle> all;
  for (const std::string& name : faces)
    for (const solid::CellFace& face : space.face(name)) {
      const auto some = triangles_of(space, face);
      all.insert(all.end(), some.begin(), some.end());
    }
  return all;
}

class NodesAsVertices : public CouplingMesh {
 public:
  NodesAsVertices(const solid::Body& body, const std::vector<std::string>& faces)
      : space_(body.space()), faces_(faces), nodes_(body.face_nodes(faces)) {
    for (const PetscInt node : nodes_) {
      const Vec3& X = space_.coordinates()[static_cast<std::size_t>(node)];
      places_.insert(places_.end(), X.begin(), X.end());
    }
  }

  std::vector<int> connectivity() const override {
    std::map<PetscInt, int> vertex_of;
    for (std::size_t i = 0; i < nodes_.size(); ++i) vertex_of[nodes_[i]] = static_cast<int>(i);
    std::vector<int> corners;
    for (const Triangle& triangle : triangles_of(space_, faces_))
      if (std::all_of(triangle.begin(), triangle.end(), [&](PetscInt node) { return vertex_of.contains(node); }))
        for (const PetscInt node : triangle) corners.push_back(vertex_of[node]);
    return corners;
  }

  void read(Vec field, std::span<double> values) const override {
    const ReadView entries(field);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c) values[3 * i + c] = entries[entry(nodes_[i], c)];
  }

  void add_forces(std::span<const double> values, Vec forces) const override {
    const WriteView entries(forces);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c) entries[entry(nodes_[i], c)] += values[3 * i + c];
  }

  void set_tractions(std::span<const double> values, Vec tractions) const override {
    check(VecZeroEntries(tractions));
    add_forces(values, tractions);
  }

 private:
  const solid::Space& space_;
  std::vector<std::string> faces_;
  std::vector<PetscInt> nodes_;
};

/// The values of all ranks, in their order.
std::vector<double> gathered(MPI_Comm comm, const std::vector<double>& own) {
  int size = 1, count = static_cast<int>(own.size());
  MPI_Comm_size(comm, &size);
  std::vector<int> counts(static_cast<std::size_t>(size)), starts(counts.size() + 1);
  MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
  std::partial_sum(counts.begin(), counts.end(), starts.begin() + 1);
  std::vector<double> all(static_cast<std::size_t>(starts.back()));
  MPI_Allgatherv(own.data(), count, MPI_DOUBLE, all.data(), counts.data(), starts.data(), MPI_DOUBLE, comm);
  return all;
}

/// Numbers coordinates from below; those that differ by no more than round-off of numbers of this size have the same
/// number.
std::vector<int> ranked(const std::vector<double>& x, double size) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return x[i] < x[j]; });
  std::vector<int> numbers(x.size());
  for (std::size_t i = 1; i < order.size(); ++i)
    numbers[order[i]] = numbers[order[i - 1]] + (x[order[i]] - x[order[i - 1]] > 1e-9 * size ? 1 : 0);
  return numbers;
}

/// Every rank knows all lines, which are few; a line belongs to the first rank that has a node of it.
class LinesAsVertices : public CouplingMesh {
 public:
  LinesAsVertices(const solid::Body& body, const std::vector<std::string>& faces)
      : space_(body.space()), faces_(faces), nodes_(body.face_nodes(faces)) {
    const std::vector<double> areas = nodal_areas(body);
    std::vector<double> x, y, own_rank(nodes_.size(), rank());
    double size = 0;  // along z, too: a face may lie at x = 0
    for (const PetscInt node : nodes_) {
      const Vec3& X = space_.coordinates()[static_cast<std::size_t>(node)];
      x.push_back(X[0]);
      y.push_back(X[1]);
      for (const double coordinate : X) size = std::max(size, std::abs(coordinate));
    }
    MPI_Allreduce(MPI_IN_PLACE, &size, 1, MPI_DOUBLE, MPI_MAX, space_.comm());
    x = gathered(space_.comm(), x);
    y = gathered(space_.comm(), y);
    const std::vector<double> area = gathered(space_.comm(), areas), owner = gathered(space_.comm(), own_rank);
    const std::vector<int> column = ranked(x, size), row = ranked(y, size);
    std::map<std::pair<int, int>, std::size_t> line_at;
    std::vector<double> line_area, line_nodes;
    PetscInt own = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto [found, first] = line_at.try_emplace({column[i], row[i]}, line_area.size());
      const std::size_t line = found->second;
      if (first) {
        line_area.push_back(0);
        line_nodes.push_back(0);
        vertex_of_line_.push_back(owner[i] == rank() ? static_cast<int>(places_.size() / 2) : -1);
        if (owner[i] == rank()) places_.insert(places_.end(), {x[i], y[i]});
      }
      line_area[line] += area[i];
      ++line_nodes[line];
      if (owner[i] == rank()) {
        line_of_[nodes_[static_cast<std::size_t>(own)]] = line;
        lines_.push_back(line);
        ++own;
      }
    }
    // Corners of quadratic triangles have no part of a face.
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      weights_.push_back(line_area[lines_[i]] > 0 ? areas[i] / line_area[lines_[i]] : 1 / line_nodes[lines_[i]]);
    sums_.resize(2 * line_area.size());
  }

  std::vector<int> connectivity() const override {
    std::set<std::pair<int, int>> edges;  // a triangle has two nodes on one line
    const auto vertex = [&](PetscInt node) {
      const auto line = line_of_.find(node);
      return line == line_of_.end() ? -1 : vertex_of_line_[line->second];
    };
    for (const Triangle& triangle : triangles_of(space_, faces_))
      for (std::size_t i = 0; i < 3; ++i) {
        const int a = vertex(triangle[i]), b = vertex(triangle[(i + 1) % 3]);
        if (a >= 0 && b >= 0 && a != b) edges.insert(std::minmax(a, b));
      }
    std::vector<int> ends;
    for (const auto& [a, b] : edges) ends.insert(ends.end(), {a, b});
    return ends;
  }

  void read(Vec field, std::span<double> values) const override {
    std::fill(sums_.begin(), sums_.end(), 0);
    {
      const ReadView entries(field);
      for (std::size_t i = 0; i < nodes_.size(); ++i)
        for (std::size_t c = 0; c < 2; ++c) sums_[2 * lines_[i] + c] += weights_[i] * entries[entry(nodes_[i], c)];
    }
    add_up();
    for_own([&](std::size_t line_entry, std::size_t vertex_entry) { values[vertex_entry] = sums_[line_entry]; });
  }

  void add_forces(std::span<const double> values, Vec forces) const override {
    spread(values);
    const WriteView entries(forces);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      for (std::size_t c = 0; c < 2; ++c) entries[entry(nodes_[i], c)] += weights_[i] * sums_[2 * lines_[i] + c];
  }

  void set_tractions(std::span<const double> values, Vec tractions) const override {
    spread(values);
    check(VecZeroEntries(tractions));
    const WriteView entries(tractions);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      for (std::size_t c = 0; c < 2; ++c) entries[entry(nodes_[i], c)] = sums_[2 * lines_[i] + c];
  }

 private:
  int rank() const {
    int rank = 0;
    MPI_Comm_rank(space_.comm(), &rank);
    return rank;
  }

  /// The part of the faces that each of nodes_ has [length^2].
  std::vector<double> nodal_areas(const solid::Body& body) const {
    const auto ones = petsc::duplicate(space_.layout()), sums = petsc::duplicate(space_.layout());
    check(VecSet(ones.get(), 1));
    check(VecZeroEntries(sums.get()));
    body.traction_integral(faces_)(ones.get(), sums.get());
    const ReadView entries(sums.get());
    std::vector<double> areas;
    for (const PetscInt node : nodes_) areas.push_back(std::max(0.0, entries[entry(node, 0)]));
    return areas;
  }

  void add_up() const {
    MPI_Allreduce(MPI_IN_PLACE, sums_.data(), static_cast<int>(sums_.size()), MPI_DOUBLE, MPI_SUM, space_.comm());
  }

  void spread(std::span<const double> values) const {
    std::fill(sums_.begin(), sums_.end(), 0);
    for_own([&](std::size_t line_entry, std::size_t vertex_entry) { sums_[line_entry] = values[vertex_entry]; });
    add_up();
  }

  template <class Visit>
  void for_own(Visit&& visit) const {
    for (std::size_t line = 0; line < vertex_of_line_.size(); ++line)
      if (const int vertex = vertex_of_line_[line]; vertex >= 0)
        for (std::size_t c = 0; c < 2; ++c) visit(2 * line + c, 2 * static_cast<std::size_t>(vertex) + c);
  }

  const solid::Space& space_;
  std::vector<std::string> faces_;
  std::vector<PetscInt> nodes_;
  std::vector<std::size_t> lines_;           // of nodes_
  std::vector<double> weights_;              // of nodes_ among those of their line
  std::vector<int> vertex_of_line_;          // -1: another rank's
  std::map<PetscInt, std::size_t> line_of_;  // of a node
  mutable std::vector<double> sums_;         // two for each line
};

}  // namespace

std::unique_ptr<CouplingMesh> CouplingMesh::make(const solid::Body& body, const std::vector<std::string>& faces,
                                                 int dimensions) {
  if (dimensions == 2) return std::make_unique<LinesAsVertices>(body, faces);
  return std::make_unique<NodesAsVertices>(body, faces);
}

}  // namespace gearshift::app
