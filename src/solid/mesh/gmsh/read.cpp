#include "solid/mesh/gmsh/content.hpp"
#include "solid/mesh/gmsh/groups.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace gearshift::solid {
namespace {

class Reader {
 public:
  Reader(GmshBytes& bytes, std::int64_t most) : in_(&bytes), max_(most) { content_.cursor = in_; }

  GmshContent read();

 private:
  std::string section(const char* expected);
  void read_format();
  void read_elements();
  void read_elements_22();
  void read_elements_4();
  GmshElements& begin_run(const GmshRun& run);
  void take_element(GmshElements& elements, const GmshType& type, std::size_t offset, std::int64_t tag);
  void check_element_tags(std::size_t offset);

  GmshCursor in_;
  std::int64_t max_;
  GmshContent content_;
  GmshVersion version_ = GmshVersion::v41;
  GmshGroups groups_;
  std::vector<std::int64_t> element_tags_;
  std::optional<GmshNamesPlace> names_;       // read before the other sections
  std::vector<std::uint32_t> unused_;         // nodes of a point or line
  std::vector<std::vector<GmshEnds>*> ends_;  // of the groups of the current run of points or lines
};

/// Returns the next section's name; skips comments and names.
std::string Reader::section(const char* expected) {
  for (;;) {
    const std::string name(in_.word(expected));
    const bool read_before = names_ && in_.offset() == names_->begin + name.size() + 1;
    if (read_before) in_.move_to(names_->end);
    if (!read_before && name != "$Comments") return name;
    while (!read_before && in_.word("$EndComments") != "$EndComments") {
    }
  }
}

void Reader::read_format() {
  const auto format = in_.word("the version of the format");
  const std::size_t offset = in_.offset() - format.size() - 1;
  if (format == "2.2") {
    version_ = GmshVersion::v22;
  } else if (format == "4" || format == "4.0") {
    version_ = GmshVersion::v40;
  } else if (format != "4.1") {
    throw GmshDamage{offset, "the format is not 2.2, 4.0 or 4.1; save the mesh as MSH 4.1 (gmsh -format msh41)"};
  }
  const auto kind = in_.word_integer("the kind of file (0: ASCII, 1: binary)");
  const auto width = in_.word_integer("the size of sizes");
  if (kind != 0 && kind != 1)
    throw GmshDamage{offset, "the kind of file must be 0 (ASCII) or 1 (binary)" + std::string(write_again)};
  if (width != 8 && !(width == 4 && version_ == GmshVersion::v41))
    throw GmshDamage{offset, "sizes of " + std::to_string(width) + " bytes; 8 (or 4, in format 4.1) can be read" +
                                 std::string(write_again)};
  in_.set_widths(static_cast<int>(width), version_ == GmshVersion::v41);
  if (kind == 1) {
    const std::size_t at = in_.offset();
    in_.set_binary(false);
    const auto one = in_.integer("the number 1 in binary");
    if (one == 0x01000000) {
      in_.set_binary(true);
    } else if (one != 1) {
      throw GmshDamage{at, "the number 1 in binary is expected" + std::string(write_again)};
    }
  }
  in_.end_section("$EndMeshFormat");
}

GmshContent Reader::read() {
  const auto expect = [&](const std::string& name, const char* expected) {
    if (name != expected)
      throw GmshDamage{in_.offset() - std::min(in_.offset(), name.size() + 1),
                       "the section " + std::string(expected) + " is expected" +
                           (name[0] == '$' ? " where " + name.substr(0, 30) + " was found" : "") +
                           "; write the mesh again, with gmsh -format msh41 and without partitions"};
  };
  const std::string first = section("$MeshFormat");
  if (first[0] == '*')
    throw GmshDamage{0,
                     "this is an input file of CalculiX or Abaqus, not of Gmsh; convert it (meshio convert "
                     "--input-format abaqus --output-format gmsh), or mesh the geometry with gmsh -3"};
  expect(first, "$MeshFormat");
  read_format();
  names_ = groups_.find_names(in_);
  std::string name = section("$Nodes");
  if (version_ != GmshVersion::v22 && name == "$Nodes") {
    groups_.go_without_entities();
  } else if (version_ != GmshVersion::v22) {
    expect(name, "$Entities");
    groups_.read_entities(in_, version_, max_);
    in_.end_section("$EndEntities");
    name = section("$Nodes");
  }
  expect(name, "$Nodes");
  content_.nodes.read(in_, version_, groups_, max_);
  in_.end_section("$EndNodes");
  expect(section("$Elements"), "$Elements");
  read_elements();
  in_.end_section("$EndElements");
  content_.cursor = in_;
  content_.remarks = groups_.remarks();
  for (const auto& [dimension, elements] : {std::pair{2, &content_.faces}, std::pair{3, &content_.cells}})
    for (const GmshRun& run : elements->runs) {
      const std::size_t untagged = (in_.binary() ? 1u : 3u) + static_cast<std::size_t>(run.type->nodes);
      if (version_ != GmshVersion::v22 || run.numbers > untagged)
        content_.labels.try_emplace({dimension, run.physical, run.entity},
                                    groups_.labels_of(dimension, version_, run.physical, run.entity));
    }
  try {
    content_.periodic = section("the end") == "$Periodic";
  } catch (const GmshDamage&) {  // the rest of the file is not read
  }
  return std::move(content_);
}

/// Begins a run. For elements of dimension 0 and 1 only the ends of those in named groups are kept.
GmshElements& Reader::begin_run(const GmshRun& run) {
  const int dimension = gmsh_topology(run.type->shape).dimension;
  GmshElements& elements = dimension == 3 ? content_.cells : content_.faces;
  if (dimension < 2) {
    ends_.clear();
    for (const GmshLabel& label : groups_.labels_of(dimension, version_, run.physical, run.entity))
      ends_.push_back(&content_.curves[{label.name, label.value}]);
    return elements;
  }
  elements.runs.push_back(run);
  elements.runs.back().first = elements.count;
  elements.runs.back().first_node = elements.nodes.size();
  return elements;
}

void Reader::take_element(GmshElements& elements, const GmshType& type, std::size_t offset, std::int64_t tag) {
  element_tags_.push_back(tag);
  const bool kept = gmsh_topology(type.shape).dimension >= 2;
  if (!kept) unused_.clear();
  auto& nodes = kept ? elements.nodes : unused_;
  const std::size_t first = nodes.size();
  for (int i = 0; i < type.nodes; ++i) {
    const std::int64_t node = in_.tag("a node's tag", max_);
    const std::uint32_t place = content_.nodes.place(node);
    if (place == GmshNodes::none)
      throw GmshDamage{offset, "element " + std::to_string(tag) + " has the node " + std::to_string(node) +
                                   ", but the file does not contain it" + write_again};
    nodes.push_back(place);
  }
  for (std::size_t i = first; i < nodes.size(); ++i)
    for (std::size_t j = first; j < i; ++j)
      if (nodes[i] == nodes[j])
        throw GmshDamage{offset, "element " + std::to_string(tag) + " has the node " +
                                     std::to_string(content_.nodes.tag(nodes[i])) +
                                     " twice; repair the mesh (collapsed elements are not supported)"};
  if (!kept) {
    for (auto* ends : ends_) ends->push_back({nodes[0], nodes[type.nodes > 1 ? 1 : 0]});
    return;
  }
  ++elements.count;
  ++elements.runs.back().count;
}

void Reader::read_elements() {
  const std::size_t start = in_.offset();
  if (version_ == GmshVersion::v22) {
    read_elements_22();
  } else {
    read_elements_4();
  }
  check_element_tags(start);
}

void Reader::read_elements_22() {
  constexpr std::int32_t most_tags = 64;
  const std::size_t start = in_.offset();
  const std::int64_t count = in_.word_integer("the number of elements");
  if (count < 0) throw GmshDamage{start, "the number of elements is negative" + std::string(write_again)};
  in_.expect(count, 2 * in_.tag_bytes(), "elements", start);
  element_tags_.reserve(static_cast<std::size_t>(count));
  int dimension_before = -1;
  for (std::int64_t done = 0; done < count;) {
    // ASCII: tag, type, number of tags, tags, nodes; binary: type, elements, number of tags, followed by (tag, tags,
    // nodes).
    std::size_t offset = in_.offset();
    std::int64_t tag = in_.binary() ? 0 : in_.tag("an element's tag", max_);
    const GmshType& kind = readable_type(in_.integer("an element type"), offset);
    const std::int64_t members = in_.binary() ? in_.integer("a number of elements") : 1;
    if (members < 1 || members > count - done)
      throw GmshDamage{offset, "a block of " + std::to_string(members) + " elements where " +
                                   std::to_string(count - done) + " are left" + write_again};
    const std::int32_t tag_count = in_.integer("a number of tags");
    if (tag_count < 0 || tag_count > most_tags)
      throw GmshDamage{offset, "the number of tags is " + std::to_string(tag_count) + write_again};
    const int dimension = gmsh_topology(kind.shape).dimension;
    auto& elements = dimension == 3 ? content_.cells : content_.faces;
    for (std::int64_t i = 0; i < members; ++i, ++done) {
      if (in_.binary()) {
        offset = in_.offset();
        tag = in_.tag("an element's tag", max_);
      }
      std::array<std::int32_t, 2> tags{};  // the physical and the elementary one; others number partitions
      for (std::int32_t t = 0; t < tag_count; ++t) {
        const std::int32_t value = in_.integer("a tag");
        if (t < 2) tags[static_cast<std::size_t>(t)] = value;
      }
      const GmshRun run{.type = &kind,
                        .physical = tags[0],
                        .entity = tags[1],
                        .offset = offset,
                        .numbers = (in_.binary() ? 1u : 3u) + static_cast<std::size_t>(tag_count + kind.nodes)};
      const bool goes_on = dimension >= 2 && dimension == dimension_before && (i > 0 || !in_.binary()) &&
                           elements.runs.back().is_like(run);
      if (!goes_on) {
        groups_.use(dimension, run.physical);
        begin_run(run);
      }
      dimension_before = dimension;
      take_element(elements, kind, offset, tag);
    }
  }
}

void Reader::read_elements_4() {
  const std::size_t start = in_.offset();
  const std::int64_t blocks = in_.size("the number of blocks of elements", max_);
  const std::int64_t count = in_.size("the number of elements", max_);
  if (version_ == GmshVersion::v41)
    for (int i = 0; i < 2; ++i) (void)in_.size("the lowest or highest element tag", max_);
  in_.expect(count, 2 * in_.tag_bytes(), "elements", start);
  element_tags_.reserve(static_cast<std::size_t>(count));
  for (std::int64_t b = 0; b < blocks; ++b) {
    const GmshBlock block = groups_.read_block(in_, version_, "a block of elements", max_);
    const GmshType& kind = readable_type(block.third, block.offset);
    const int dimension = gmsh_topology(kind.shape).dimension;
    if (dimension != block.dimension)
      throw GmshDamage{block.offset, std::string(gmsh_topology(kind.shape).plural) + " in an entity of dimension " +
                                         std::to_string(block.dimension) + write_again};
    if (block.count > count - static_cast<std::int64_t>(element_tags_.size()))
      throw GmshDamage{block.offset, "the blocks hold more elements than the " + std::to_string(count) +
                                         " that are declared" + write_again};
    const auto numbers = static_cast<std::size_t>(1 + kind.nodes);
    in_.expect(block.count, numbers * in_.tag_bytes(), "elements", block.offset);
    if (block.count == 0) continue;
    groups_.use_entity(dimension, block.entity);
    GmshElements& elements =
        begin_run({.type = &kind, .entity = block.entity, .offset = in_.offset(), .numbers = numbers});
    for (std::int64_t i = 0; i < block.count; ++i) {
      const std::size_t offset = in_.offset();
      take_element(elements, kind, offset, in_.tag("an element's tag", max_));
    }
  }
  if (static_cast<std::int64_t>(element_tags_.size()) != count)
    throw GmshDamage{start, "the blocks hold " + std::to_string(element_tags_.size()) + " elements, " +
                                std::to_string(count) + " are declared" + write_again};
}

void Reader::check_element_tags(std::size_t offset) {
  const auto rising = std::adjacent_find(element_tags_.begin(), element_tags_.end(), std::greater_equal<>());
  if (rising == element_tags_.end()) return;
  std::sort(element_tags_.begin(), element_tags_.end());
  if (const auto twice = std::adjacent_find(element_tags_.begin(), element_tags_.end()); twice != element_tags_.end())
    throw GmshDamage{offset, "the element " + std::to_string(*twice) + " is listed twice" + write_again};
}

}  // namespace

GmshContent read_gmsh(GmshBytes& bytes, std::int64_t most) { return Reader(bytes, most).read(); }

}  // namespace gearshift::solid
