
#include "app/coupling/mesh.hpp"
#include "app/coupling/triangles.hpp"
#include "petsc/queries.hpp"

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

/// Numbers coordinates in ascending order. Coordinates that differ only by round-off of numbers of magnitude `size` get
/// the same number.
std::vector<int> ranked(const std::vector<double>& x, double size) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return x[i] < x[j]; });
  std::vector<int> numbers(x.size());
  for (std::size_t i = 1; i < order.size(); ++i)
    numbers[order[i]] = numbers[order[i - 1]] + (x[order[i]] - x[order[i - 1]] > 1e-9 * size ? 1 : 0);
  return numbers;
}

/// A coupling mesh in two dimensions. Every rank stores all lines, because they are few; a line belongs to the first
/// rank that has a node of it.
class LinesAsVertices : public CouplingMesh {
 public:
  LinesAsVertices(const solid::Body& body, const std::vector<std::string>& faces, bool connected)
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
    x = petsc::gathered(space_.comm(), x);
    y = petsc::gathered(space_.comm(), y);
    const std::vector<double> area = petsc::gathered(space_.comm(), areas),
                              owner = petsc::gathered(space_.comm(), own_rank);
    const std::vector<int> column = ranked(x, size), row = ranked(y, size);
    std::map<std::pair<int, int>, std::size_t> line_at;
    std::vector<double> line_area, line_nodes;
    std::vector<std::array<double, 2>> line_place;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto [found, first] = line_at.try_emplace({column[i], row[i]}, line_area.size());
      const std::size_t line = found->second;
      if (first) {
        line_area.push_back(0);
        line_nodes.push_back(0);
        line_place.push_back({x[i], y[i]});
        vertex_of_line_.push_back(-1);
        if (owner[i] == rank()) add_vertex(line, line_place.back());
      }
      line_area[line] += area[i];
      ++line_nodes[line];
      if (owner[i] == rank()) lines_.push_back(line);
    }
    // Corners of quadratic triangles have a share of zero in the area of a face.
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      weights_.push_back(line_area[lines_[i]] > 0 ? areas[i] / line_area[lines_[i]] : 1 / line_nodes[lines_[i]]);
    sums_.resize(2 * line_area.size());
    own_vertices_ = static_cast<int>(places_.size() / 2);
    if (!connected) return;
    find_edges();
    for (const auto& ends : edges_)
      for (const std::size_t line : ends)
        if (vertex_of_line_[line] < 0) add_vertex(line, line_place[line]);
  }

  std::vector<int> connectivity() const override {
    std::vector<int> ends;
    for (const auto& edge : edges_)
      for (const std::size_t line : edge) ends.push_back(vertex_of_line_[line]);
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
    for_vertices([&](std::size_t line, int vertex) {
      for (std::size_t c = 0; c < 2; ++c) values[at(vertex, c)] = sums_[2 * line + c];
    });
  }

  void add_forces(std::span<const double> values, Vec forces) const override {
    spread(values, true);
    const WriteView entries(forces);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      for (std::size_t c = 0; c < 2; ++c) entries[entry(nodes_[i], c)] += weights_[i] * sums_[2 * lines_[i] + c];
  }

  void set_tractions(std::span<const double> values, Vec tractions) const override {
    spread(values, false);
    check(VecZeroEntries(tractions));
    const WriteView entries(tractions);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      for (std::size_t c = 0; c < 2; ++c) entries[entry(nodes_[i], c)] = sums_[2 * lines_[i] + c];
  }

 private:
  double rank() const { return petsc::rank_of(space_.comm()); }

  /// Returns the share of each of nodes_ in the area of the faces [length^2].
  std::vector<double> nodal_areas(const solid::Body& body) const {
    const auto ones = petsc::duplicate(space_.layout()), sums = petsc::duplicate(space_.layout());
    check(VecSet(ones.get(), 1));
    body.traction_integral(faces_)(ones.get(), sums.get());
    const ReadView entries(sums.get());
    std::vector<double> areas;
    for (const PetscInt node : nodes_) areas.push_back(std::max(0.0, entries[entry(node, 0)]));
    return areas;
  }

  void add_up() const {
    MPI_Allreduce(MPI_IN_PLACE, sums_.data(), static_cast<int>(sums_.size()), MPI_DOUBLE, MPI_SUM, space_.comm());
  }

  /// Sets sums_ on all ranks: for each line the value of its vertex or, if `copies`, the sum of the values of this
  /// vertex and of its copies on other ranks.
  void spread(std::span<const double> values, bool copies) const {
    std::fill(sums_.begin(), sums_.end(), 0);
    for_vertices([&](std::size_t line, int vertex) {
      if (!copies && vertex >= own_vertices_) return;
      for (std::size_t c = 0; c < 2; ++c) sums_[2 * line + c] = values[at(vertex, c)];
    });
    add_up();
  }

  template <class Visit>
  void for_vertices(Visit&& visit) const {
    for (std::size_t line = 0; line < vertex_of_line_.size(); ++line)
      if (vertex_of_line_[line] >= 0) visit(line, vertex_of_line_[line]);
  }

  static std::size_t at(int vertex, std::size_t component) { return 2 * static_cast<std::size_t>(vertex) + component; }

  void add_vertex(std::size_t line, const std::array<double, 2>& place) {
    vertex_of_line_[line] = static_cast<int>(places_.size() / 2);
    places_.insert(places_.end(), place.begin(), place.end());
  }

  /// Finds the edges on this rank's faces. Cells on top of each other have the same edges, which the first rank keeps.
  void find_edges() {
    std::vector<PetscReal> line_of(3 * static_cast<std::size_t>(space_.local_nodes()), -1);
    for (std::size_t i = 0; i < nodes_.size(); ++i) line_of[entry(nodes_[i], 0)] = static_cast<PetscReal>(lines_[i]);
    PetscReal* ghosts = line_of.data() + 3 * space_.owned_nodes();
    space_.node_exchange().ghosts_begin(line_of.data(), ghosts);
    space_.node_exchange().ghosts_end(line_of.data(), ghosts);
    std::set<Edge> found;  // a triangle may have two nodes on one line
    for (const Triangle& triangle : triangles_of(space_, faces_))
      for (std::size_t i = 0; i < 3; ++i) {
        const PetscReal a = line_of[entry(triangle[i], 0)], b = line_of[entry(triangle[(i + 1) % 3], 0)];
        if (a != b) found.insert({static_cast<std::size_t>(std::min(a, b)), static_cast<std::size_t>(std::max(a, b))});
      }
    std::vector<double> own;
    for (const auto& [a, b] : found) own.insert(own.end(), {static_cast<double>(a), static_cast<double>(b), rank()});
    const std::vector<double> all = petsc::gathered(space_.comm(), own);
    std::set<Edge> seen;
    for (std::size_t i = 0; i < all.size(); i += 3) {
      const Edge edge{static_cast<std::size_t>(all[i]), static_cast<std::size_t>(all[i + 1])};
      if (seen.insert(edge).second && all[i + 2] == rank()) edges_.push_back(edge);
    }
  }

  using Edge = std::array<std::size_t, 2>;  // lines

  const solid::Space& space_;
  std::vector<std::string> faces_;
  std::vector<PetscInt> nodes_;
  std::vector<std::size_t> lines_;    // of nodes_
  std::vector<double> weights_;       // of nodes_ in their lines
  std::vector<int> vertex_of_line_;   // -1: only on other ranks
  int own_vertices_ = 0;              // copies of other ranks' vertices follow
  std::vector<Edge> edges_;           // that this rank passes to preCICE
  mutable std::vector<double> sums_;  // two for each line
};

}  // namespace

std::unique_ptr<CouplingMesh> make_coupling_lines(const solid::Body& body, const std::vector<std::string>& faces,
                                                  bool connected) {
  return std::make_unique<LinesAsVertices>(body, faces, connected);
}

}  // namespace gearshift::app
