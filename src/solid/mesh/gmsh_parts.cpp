#include "solid/mesh/gmsh_parts.hpp"

#include <gearshift/solid/types.hpp>

#include "petsc/memory.hpp"
#include "petsc/ranks/hand_over.hpp"
#include "solid/mesh/distribution.hpp"
#include "solid/numerics/sort_unique.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <sstream>
#include <tuple>
#include <utility>

namespace gearshift::solid {

using petsc::check;

namespace {

/// Elements of one type and group, at least one.
struct Run {
  int type, physical, entity;
  std::int64_t count;
};

struct CurveEnds {
  std::uint32_t curve;
  GmshEnds ends;
};

/// Runs of cells and faces, nodes of the cells, of the faces, positions of nodes, their numbers, numbers of cells, ends
/// of the segments of curves.
using Parts = petsc::HandOver<Run, std::uint32_t, std::uint32_t, double, std::uint32_t, PetscInt, CurveEnds>;

int number_of(const GmshType* type) {
  int number = 0;
  while (gmsh_type(number) != type) ++number;
  return number;
}

/// The division of a file by its cells.
class Division {
 public:
  Division(const GmshContent& whole, const std::vector<int>& owners, int ranks)
      : whole_(whole),
        cells_(whole.cells.count),
        first_(static_cast<std::size_t>(ranks) + 1),
        local_(whole.nodes.count(), GmshNodes::none) {
    for (const int owner : owners) ++first_[static_cast<std::size_t>(owner) + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    auto place = first_;
    for (std::size_t cell = 0; cell < owners.size(); ++cell)
      cells_[place[static_cast<std::size_t>(owners[cell])]++] = static_cast<std::uint32_t>(cell);
    PetscInt next = 0;
    numbers_.resize(whole.cells.runs.size());
    for (const GmshShape shape : gmsh_cells)
      for (std::size_t r = 0; r < numbers_.size(); ++r)
        if (const GmshRun& run = whole.cells.runs[r]; run.type->shape == shape)
          next = (numbers_[r] = next) + static_cast<PetscInt>(run.count);
    for (const GmshRun& run : whole.faces.runs) {
      const auto labels = whole.labels.find({2, run.physical, run.entity});
      if (labels == whole.labels.end() || labels->second.empty()) continue;
      for (std::size_t face = run.first; face < run.first + run.count; ++face) {
        const auto [a, b] = whole.neighbours.of_elements[face];
        faces_.emplace_back(owners[a], face);
        if (b != GmshNodes::none && owners[b] != owners[a]) faces_.emplace_back(owners[b], face);
      }
    }
    std::sort(faces_.begin(), faces_.end());
  }

  Parts::Lists part(int rank) {
    Parts::Lists lists;
    auto& [runs, cells, faces, positions, nodes, numbers, curves] = lists;
    for (std::size_t i = first_[static_cast<std::size_t>(rank)]; i < first_[static_cast<std::size_t>(rank) + 1]; ++i) {
      const std::size_t cell = cells_[i];
      const GmshRun& run = whole_.cells.run(cell);
      add(runs, run, number_of(run.type));
      const std::uint32_t* const first = whole_.cells.nodes_of(run, cell);
      cells.insert(cells.end(), first, first + run.type->nodes);
      numbers.push_back(numbers_[static_cast<std::size_t>(&run - whole_.cells.runs.data())] +
                        static_cast<PetscInt>(cell - run.first));
    }
    nodes = cells;
    sort_unique(nodes);
    nodes.shrink_to_fit();  // hexahedra have eight times as many corners
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      local_[nodes[i]] = static_cast<std::uint32_t>(i);
      positions.insert(positions.end(), whole_.nodes.at(nodes[i]), whole_.nodes.at(nodes[i]) + 3);
    }
    for (auto& node : cells) node = local_[node];
    for (auto face = std::lower_bound(faces_.begin(), faces_.end(), std::pair{rank, std::size_t{0}});
         face != faces_.end() && face->first == rank; ++face) {
      const GmshRun& run = whole_.faces.run(face->second);
      const int corners = gmsh_topology(run.type->shape).corners;
      add(runs, run, corners - 1);  // Gmsh's types 2 and 3 are a triangle and a quadrangle of order 1
      for (int c = 0; c < corners; ++c) faces.push_back(local_[whole_.faces.nodes_of(run, face->second)[c]]);
    }
    std::uint32_t curve = 0;
    for (const auto& [name, all] : whole_.curves) {
      for (const GmshEnds& ends : all) {
        const std::uint32_t a = local_[ends[0]], b = local_[ends[1]];
        if (std::min(a, b) == GmshNodes::none) continue;
        curves.push_back({curve, {a == GmshNodes::none ? b : a, b == GmshNodes::none ? a : b}});
      }
      ++curve;
    }
    for (const std::uint32_t node : nodes) local_[node] = GmshNodes::none;
    return lists;
  }

 private:
  static void add(std::vector<Run>& runs, const GmshRun& run, int type) {
    if (runs.empty() || runs.back().type != type || runs.back().physical != run.physical ||
        runs.back().entity != run.entity)
      runs.push_back({type, run.physical, run.entity, 0});
    ++runs.back().count;
  }

  const GmshContent& whole_;
  std::vector<std::uint32_t> cells_;                // rank by rank, ascending
  std::vector<std::size_t> first_;                  // index of each rank's first cell
  std::vector<std::uint32_t> local_;                // the position of each node in the part that is being made
  std::vector<PetscInt> numbers_;                   // of the first cell of each run
  std::vector<std::pair<int, std::size_t>> faces_;  // the ranks that have each named face, ascending
};

/// The names of groups, as text: for each line the dimension (curves: 4, all labels in order: 5), the physical group,
/// the entity, the value and the name, which contains no line break.
std::string names_of(const GmshContent& whole) {
  std::ostringstream text;
  text.exceptions(std::ios::badbit);  // without memory a stream would leave out names
  for (const auto& [group, labels] : whole.labels)
    for (const GmshLabel& label : labels)
      text << group[0] << ' ' << group[1] << ' ' << group[2] << ' ' << label.value << ' ' << label.name << '\n';
  for (const auto& [label, ends] : whole.curves) text << "4 0 0 " << label.second << ' ' << label.first << '\n';
  for (const std::string& name : labels_of(whole)) text << "5 0 0 0 " << name << '\n';
  return text.str();
}

/// Reads the text of names_of(). Returns the curves in its order.
std::vector<std::vector<GmshEnds>*> read_names(const std::string& text, GmshPart& part) {
  std::vector<std::vector<GmshEnds>*> curves;
  std::istringstream lines(text);
  lines.exceptions(std::ios::badbit);
  int dimension = 0, physical = 0, entity = 0;
  std::int32_t value = 0;
  for (std::string name; lines >> dimension >> physical >> entity >> value;) {
    lines.ignore(1);
    std::getline(lines, name);
    if (dimension < 4) part.content.labels[{dimension, physical, entity}].push_back({name, value});
    if (dimension == 4) curves.push_back(&part.content.curves[{name, value}]);
    if (dimension == 5) part.labels.push_back(name);
  }
  return curves;
}

/// Returns a rank's part from what the first rank has sent.
GmshPart part_of(const std::string& names, Parts::Lists lists) {
  auto& [runs, cells, faces, positions, nodes, numbers, curves] = lists;
  GmshPart part;
  const auto of_curve = read_names(names, part);
  for (const CurveEnds& ends : curves) of_curve[ends.curve]->push_back(ends.ends);
  part.nodes = std::move(nodes);
  part.numbers = std::move(numbers);
  part.content.nodes = GmshNodes(std::move(positions));
  part.content.cells.nodes = std::move(cells);
  part.content.faces.nodes = std::move(faces);
  std::array<std::size_t, 4> first_node{};
  for (const Run& run : runs) {
    const GmshType* type = gmsh_type(run.type);
    const int dimension = gmsh_topology(type->shape).dimension;
    GmshElements& elements = dimension == 3 ? part.content.cells : part.content.faces;
    auto& first = first_node[static_cast<std::size_t>(dimension)];
    const auto count = static_cast<std::size_t>(run.count);
    elements.runs.push_back({.type = type,
                             .physical = run.physical,
                             .entity = run.entity,
                             .first = elements.count,
                             .count = count,
                             .first_node = first});
    elements.count += count;
    first += count * static_cast<std::size_t>(type->nodes);
  }
  return part;
}

/// Returns the rows of some cells in the graph of cells with common faces. Cells may have several common faces.
Graph rows_of(const GmshContent& whole, std::size_t first, std::size_t last) {
  Graph rows;
  auto of_run = whole.neighbours.across.begin();
  for (const GmshRun& run : whole.cells.runs) {
    const std::size_t sides = gmsh_topology(run.type->shape).faces.size(), begin = std::max(first, run.first);
    for (std::size_t cell = begin; cell < std::min(last, run.first + run.count); ++cell) {
      const auto of_cell = of_run + static_cast<std::ptrdiff_t>((cell - run.first) * sides);
      const auto end = of_cell + static_cast<std::ptrdiff_t>(sides);
      for (auto other = of_cell; other != end; ++other)
        if (*other != GmshNodes::none && std::find(of_cell, other, *other) == other)
          rows.neighbours.push_back(static_cast<PetscInt>(*other));
      rows.first.push_back(static_cast<PetscInt>(rows.neighbours.size()));
    }
    of_run += static_cast<std::ptrdiff_t>(run.count * sides);
  }
  return rows;
}

/// Graphs of more cells are divided by all ranks together. The memory for fewer, about 170 bytes for each, is less than
/// that of the program, and messages would take longer.
constexpr std::size_t most_on_first = 20'000;

/// Returns the rank of each cell, on the first rank. Collective.
std::vector<int> owners_of_cells(MPI_Comm comm, std::string_view prefix, const GmshContent* whole) {
  const auto ranks = static_cast<std::size_t>(petsc::ranks_of(comm));
  const auto first_of = [&](std::size_t rank) {
    const std::size_t count = whole->cells.count;
    return count > most_on_first ? rank * count / ranks : rank > 0 ? count : 0;
  };
  Graph rows;
  std::tie(rows.first, rows.neighbours) = petsc::HandOver<PetscInt, PetscInt>(comm).to_each<MeshError>([&](int rank) {
    const auto r = static_cast<std::size_t>(rank);
    Graph own = rows_of(*whole, first_of(r), first_of(r + 1));
    return std::tuple{std::move(own.first), std::move(own.neighbours)};
  });
  const std::vector<int> own = partition_graph(comm, prefix, std::move(rows));
  std::vector<int> owners, counts, starts;
  const std::string failure = petsc::failure_of([&] {
    if (whole) owners.resize(whole->cells.count);
    for (std::size_t rank = 0; whole && rank < ranks; ++rank) {
      starts.push_back(static_cast<int>(first_of(rank)));
      counts.push_back(static_cast<int>(first_of(rank + 1) - first_of(rank)));
    }
  });
  petsc::throw_if_any<MeshError>(comm, failure);
  check(MPI_Gatherv(own.data(), static_cast<int>(own.size()), MPI_INT, owners.data(), counts.data(), starts.data(),
                    MPI_INT, 0, comm));
  return owners;
}

}  // namespace

std::vector<std::string> labels_of(const GmshContent& content) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  const auto add_groups = [&](int dimension, const GmshElements& elements, std::initializer_list<GmshShape> shapes) {
    for_each_run(elements, shapes, [&](const GmshRun& run) {
      const auto labels = content.labels.find({dimension, run.physical, run.entity});
      if (labels != content.labels.end())
        for (const GmshLabel& label : labels->second) add(label.name);
    });
  };
  add_groups(3, content.cells, gmsh_cells);
  add_groups(2, content.faces, gmsh_faces);
  for (const auto& [label, ends] : content.curves) add(label.first);
  return names;
}

GmshPart divide(MPI_Comm comm, std::string_view prefix, std::shared_ptr<GmshContent> whole) {
  const auto on_first = [&](const auto& action) {
    petsc::throw_if_any<MeshError>(comm, whole ? petsc::failure_of(action) : std::string());
  };
  std::string names;
  on_first([&] { names = names_of(*whole); });
  petsc::broadcast(comm, names);
  const std::vector<int> owners = owners_of_cells(comm, prefix, whole.get());
  std::optional<Division> division;
  on_first([&] {
    whole->neighbours.across = {};
    division.emplace(*whole, owners, petsc::ranks_of(comm));
  });
  Parts::Lists lists = Parts(comm).to_each<MeshError>([&](int rank) { return division->part(rank); });
  division.reset();
  whole.reset();
  petsc::trim_memory();
  GmshPart part;
  petsc::on_each_rank<MeshError>(comm, [&] { part = part_of(names, std::move(lists)); });
  return part;
}

}  // namespace gearshift::solid
