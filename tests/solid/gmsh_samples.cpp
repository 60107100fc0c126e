#include "solid/gmsh_samples.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <sstream>
#include <tuple>

namespace gearshift::solid::test {
namespace {

constexpr std::array<int, 3> cells = {3, 2, 2};

int grid_node(const std::array<int, 3>& at, int order) {
  return at[0] + (order * cells[0] + 1) * (at[1] + (order * cells[1] + 1) * at[2]);
}

using Place = std::array<int, 3>;

Place middle(const std::vector<Place>& corners, std::initializer_list<int> of) {
  Place sum{};
  for (const int i : of)
    for (std::size_t c = 0; c < 3; ++c) sum[c] += corners[static_cast<std::size_t>(i)][c];
  for (auto& x : sum) x /= static_cast<int>(of.size());
  return sum;
}

/// Appends the second-order nodes after the corners (Gmsh manual, "Node ordering").
void complete(std::vector<Place>& n, int type) {
  const auto add = [&](std::initializer_list<std::initializer_list<int>> list) {
    for (const auto& of : list) n.push_back(middle(n, of));
  };
  if (type == 11) add({{0, 1}, {1, 2}, {2, 0}, {3, 0}, {3, 2}, {3, 1}});
  if (type == 13)
    add({{0, 1},
         {0, 2},
         {0, 3},
         {1, 2},
         {1, 4},
         {2, 5},
         {3, 4},
         {3, 5},
         {4, 5},
         {0, 1, 3, 4},
         {0, 2, 3, 5},
         {1, 2, 4, 5}});
  if (type == 9) add({{0, 1}, {1, 2}, {2, 0}});
  if (type == 16 || type == 10) add({{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  if (type == 10) add({{0, 1, 2, 3}});
  if (type == 17 || type == 12)
    add({{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3}, {2, 6}, {3, 7}, {4, 5}, {4, 7}, {5, 6}, {6, 7}});
  if (type == 12)
    add({{0, 1, 2, 3}, {0, 1, 4, 5}, {0, 3, 4, 7}, {1, 2, 5, 6}, {2, 3, 6, 7}, {4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7}});
}

/// Writes text or binary numbers.
class Writer {
 public:
  explicit Writer(const GmshFormat& format) : format_(format) {}
  void text(const std::string& line) { out_ += line; }
  void integer(std::int64_t value) { put(static_cast<std::int32_t>(value)); }
  void size(std::int64_t value) {
    if (format_.size == 4) return integer(value);
    put(value);
  }
  void real(double value) { put(value); }
  void end_line() {
    if (!format_.binary) out_.back() = '\n';
  }
  std::string take() { return std::move(out_); }

 private:
  template <class Number>
  void put(Number value) {
    if (format_.binary) {
      std::array<char, sizeof value> raw;
      std::memcpy(raw.data(), &value, sizeof value);
      if (format_.swapped) std::reverse(raw.begin(), raw.end());
      out_.append(raw.data(), raw.size());
      return;
    }
    std::ostringstream text;
    text.precision(17);
    text << value << ' ';
    out_ += text.str();
  }
  const GmshFormat& format_;
  std::string out_;
};

using Blocks = std::vector<std::pair<const GmshSample::Element*, std::int64_t>>;  // first of each block, count

Blocks blocks_of(const GmshSample& sample) {
  Blocks blocks;
  for (const auto& e : sample.elements) {
    const auto* last = blocks.empty() ? nullptr : blocks.back().first;
    if (last && std::tie(last->type, last->entity, last->physical) == std::tie(e.type, e.entity, e.physical)) {
      ++blocks.back().second;
    } else {
      blocks.emplace_back(&e, 1);
    }
  }
  return blocks;
}

void write_22(const GmshSample& sample, const GmshFormat& format, Writer& out) {
  out.text("$Nodes\n" + std::to_string(sample.nodes.size()) + "\n");
  for (std::size_t i = 0; i < sample.nodes.size(); ++i) {
    out.integer(sample.tags[i]);
    for (const double x : sample.nodes[i]) out.real(x);
    out.end_line();
  }
  out.text("$EndNodes\n$Elements\n" + std::to_string(sample.elements.size()) + "\n");
  std::int64_t tag = 0;
  for (const auto& [first, count] : blocks_of(sample)) {
    if (format.binary)
      for (const std::int64_t number : {std::int64_t{first->type}, count, std::int64_t{2}}) out.integer(number);
    for (const auto* e = first; e != first + count; ++e) {
      out.integer(++tag);
      if (!format.binary)
        for (const int number : {e->type, 2}) out.integer(number);
      for (const int number : {e->physical, e->entity}) out.integer(number);
      for (const int node : e->nodes) out.integer(sample.tags[static_cast<std::size_t>(node)]);
      out.end_line();
    }
  }
  out.text("$EndElements\n");
}

void write_4(const GmshSample& sample, const GmshFormat& format, Writer& out) {
  const bool v41 = std::string(format.version) == "4.1";
  std::array<std::map<int, int>, 4> entities;  // for each dimension: entity -> physical tag
  for (const auto& e : sample.elements) entities[static_cast<std::size_t>(e.dimension)][e.entity] = e.physical;
  out.text("$Entities\n");
  for (const auto& list : entities) out.size(static_cast<std::int64_t>(list.size()));
  out.end_line();
  for (std::size_t d = 0; d < 4; ++d)
    for (const auto& [entity, physical] : entities[d]) {
      out.integer(entity);
      for (int i = 0; i < (v41 && d == 0 ? 3 : 6); ++i) out.real(i < 3 ? 0 : 3);
      out.size(physical ? 1 : 0);
      if (physical) out.integer(physical);
      if (d > 0) out.size(0);
      out.end_line();
    }
  const auto block = [&](int dimension, int entity, int third, std::int64_t count) {
    for (const int number : {v41 ? dimension : entity, v41 ? entity : dimension, third}) out.integer(number);
    out.size(count);
    out.end_line();
  };
  const auto total = static_cast<std::int64_t>(sample.nodes.size());
  const auto [low, high] = std::minmax_element(sample.tags.begin(), sample.tags.end());
  out.text("$EndEntities\n$Nodes\n");
  for (const std::int64_t number : {std::int64_t{2}, total}) out.size(number);
  if (v41)
    for (const std::int64_t number : {*low, *high}) out.size(number);
  out.end_line();
  const std::size_t half = sample.nodes.size() / 2;
  for (std::size_t b = 0; b < 2; ++b) {
    const std::size_t first = b == 0 ? 0 : half, last = b == 0 ? half : sample.nodes.size();
    block(3, static_cast<int>(b) + 1, 0, static_cast<std::int64_t>(last - first));
    const auto tag = [&](std::size_t i) {
      if (v41) {
        out.size(sample.tags[i]);
      } else {
        out.integer(sample.tags[i]);
      }
    };
    const auto point = [&](std::size_t i) {
      for (const double x : sample.nodes[i]) out.real(x);
      out.end_line();
    };
    for (std::size_t i = first; v41 && i < last; ++i) {
      tag(i);
      out.end_line();
    }
    for (std::size_t i = first; i < last; ++i) {
      if (!v41) tag(i);
      point(i);
    }
  }
  const Blocks blocks = blocks_of(sample);
  out.text("$EndNodes\n$Elements\n");
  out.size(static_cast<std::int64_t>(blocks.size()));
  const auto elements = static_cast<std::int64_t>(sample.elements.size());
  out.size(elements);
  if (v41)
    for (const std::int64_t number : {std::int64_t{1}, elements}) out.size(number);
  out.end_line();
  std::int64_t element = 0;
  for (const auto& [first, count] : blocks) {
    block(first->dimension, first->entity, first->type, count);
    const auto put = [&](std::int64_t number) {
      if (v41) {
        out.size(number);
      } else {
        out.integer(number);
      }
    };
    for (const auto* e = first; e != first + count; ++e) {
      put(++element);
      for (const int node : e->nodes) put(sample.tags[static_cast<std::size_t>(node)]);
      out.end_line();
    }
  }
  out.text("$EndElements\n");
}

}  // namespace

void GmshSample::add(Element element) { elements.push_back(std::move(element)); }

std::size_t GmshSample::count(int dimension, int physical) const {
  return static_cast<std::size_t>(std::count_if(elements.begin(), elements.end(), [&](const Element& e) {
    return e.dimension == dimension && (physical == 0 || e.physical == physical);
  }));
}

GmshSample gmsh_sample(int types) {
  const int cell_type = types > 100 ? types / 100 : types, wedge_type = types > 100 ? types % 100 : types;
  const bool tetrahedra = cell_type == 4 || cell_type == 11, wedges = wedge_type == 6 || wedge_type == 13;
  const int order = cell_type < 7 ? 1 : 2;
  const int triangle = order == 1 ? 2 : 9, quadrangle = order == 1 ? 3 : cell_type == 17 ? 16 : 10;
  GmshSample sample;
  sample.names = {{2, 103, "left"}, {2, 104, "right"}, {3, 101, "lower"}, {3, 102, "upper"}};
  std::map<Place, int> used;
  std::array<std::vector<GmshSample::Element>, 4> groups;  // left, right, lower, upper
  const auto element = [&](int group, std::vector<Place> corners, int type) {
    complete(corners, type);
    GmshSample::Element result{
        group < 2 ? 2 : 3, type, std::array{103, 104, 101, 102}[static_cast<std::size_t>(group)], group % 2 + 1, {}};
    for (const Place& place : corners) {
      used.emplace(place, 0);
      result.nodes.push_back(grid_node(place, order));
    }
    groups[static_cast<std::size_t>(group)].push_back(std::move(result));
  };
  for (int z = 0; z < cells[2]; ++z)
    for (int y = 0; y < cells[1]; ++y)
      for (int x = 0; x < cells[0]; ++x) {
        const int group = 2 + z;
        const auto at = [&](int i, int j, int k) { return Place{order * (x + i), order * (y + j), order * (z + k)}; };
        const bool wedge_here = wedges && (types < 100 || (tetrahedra ? z == 0 : x > 0));
        if (wedge_here)
          for (const int j : {0, 1})
            element(group, {at(0, 0, 0), at(1, j, 0), at(1 - j, 1, 0), at(0, 0, 1), at(1, j, 1), at(1 - j, 1, 1)},
                    wedge_type);
        if (wedge_here || !tetrahedra) {
          if (!wedge_here)
            element(group,
                    {at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0), at(0, 0, 1), at(1, 0, 1), at(1, 1, 1),
                     at(0, 1, 1)},
                    cell_type);
          for (const int side : {0, 1})
            if (x == side * (cells[0] - 1))
              element(side, {at(side, 0, 0), at(side, 1, 0), at(side, 1, 1), at(side, 0, 1)}, quadrangle);
          continue;
        }
        // Kuhn's subdivision: a path from (0, 0, 0) to (1, 1, 1) for each order of the directions.
        std::array<std::size_t, 3> path{0, 1, 2};
        bool even = true;
        do {
          std::array<int, 3> step{};
          std::vector<Place> corners{at(0, 0, 0)};
          for (const std::size_t c : path) {
            step[c] = 1;
            corners.push_back(at(step[0], step[1], step[2]));
          }
          even = (path[0] < path[1]) == ((path[1] < path[2]) == (path[0] < path[2]));
          if (!even) std::swap(corners[1], corners[2]);
          element(group, corners, cell_type);
        } while (std::next_permutation(path.begin(), path.end()));
        for (const int side : {0, 1})
          if (x == side * (cells[0] - 1))
            for (const int j : {0, 1}) element(side, {at(side, 0, 0), at(side, j, 1 - j), at(side, 1, 1)}, triangle);
      }
  for (auto& group : groups) {
    std::stable_sort(group.begin(), group.end(), [](const auto& a, const auto& b) { return a.type < b.type; });
    for (auto& e : group) sample.elements.push_back(std::move(e));
  }
  // Keeps only used nodes, in the order of the grid.
  std::map<int, int> number;
  for (auto& [place, unused] : used) number[grid_node(place, order)] = 0;
  for (auto& [grid, index] : number) {
    index = static_cast<int>(sample.nodes.size());
    const int nx = order * cells[0] + 1, ny = order * cells[1] + 1;
    const std::array<int, 3> at{grid % nx, grid / nx % ny, grid / nx / ny};
    sample.nodes.push_back({1.0 * at[0] / order, 1.0 * at[1] / order, 1.0 * at[2] / order});
    sample.tags.push_back(index + 1);
  }
  for (auto& e : sample.elements)
    for (int& node : e.nodes) node = number[node];
  return sample;
}

std::string write_gmsh(const GmshSample& sample, const GmshFormat& format) {
  Writer out(format);
  out.text(std::string("$MeshFormat\n") + format.version + (format.binary ? " 1 " : " 0 ") +
           std::to_string(format.size) + "\n");
  if (format.binary) {
    out.integer(1);
    out.text("\n");
  }
  out.text("$EndMeshFormat\n$PhysicalNames\n" + std::to_string(sample.names.size()) + "\n");
  for (const auto& name : sample.names)
    out.text(std::to_string(name.dimension) + " " + std::to_string(name.tag) + " \"" + name.text + "\"\n");
  out.text("$EndPhysicalNames\n");
  if (std::string(format.version) == "2.2") {
    write_22(sample, format, out);
  } else {
    write_4(sample, format, out);
  }
  return out.take();
}

}  // namespace gearshift::solid::test
