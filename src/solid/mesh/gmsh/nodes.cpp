#include "solid/mesh/gmsh/nodes.hpp"

#include <algorithm>

namespace gearshift::solid {

void GmshNodes::read(GmshCursor& cursor, GmshVersion version, GmshGroups& groups, std::int64_t most) {
  const std::size_t start = cursor.offset();
  if (version == GmshVersion::v22) {
    const std::int64_t count = cursor.word_integer("the number of nodes");
    if (count < 0) throw GmshDamage{start, "the number of nodes is negative" + std::string(write_again)};
    reserve(cursor, count, start, most);
    read_block(cursor, version, count, most, 0);
  } else {
    const std::int64_t blocks = cursor.size("the number of blocks of nodes", most);
    const std::int64_t count = cursor.size("the number of nodes", most);
    if (version == GmshVersion::v41) {
      const std::int64_t lowest = cursor.size("the lowest node tag", most);
      if (cursor.size("the highest node tag", most - 1) < lowest)
        throw GmshDamage{start, "the highest node tag is below the lowest" + std::string(write_again)};
    }
    reserve(cursor, count, start, most);
    for (std::int64_t b = 0; b < blocks; ++b) {
      const GmshBlock block = groups.read_block(cursor, version, "a block of nodes", most);
      if (block.count > count - static_cast<std::int64_t>(tags_.size()))
        throw GmshDamage{block.offset, "the blocks hold more nodes than the " + std::to_string(count) +
                                           " that are declared" + write_again};
      read_block(cursor, version, block.count, most, block.third != 0 ? block.dimension : 0);
    }
    if (static_cast<std::int64_t>(tags_.size()) != count)
      throw GmshDamage{start, "the blocks hold " + std::to_string(tags_.size()) + " nodes, " + std::to_string(count) +
                                  " are declared" + write_again};
  }
  map(start);
}

void GmshNodes::reserve(const GmshCursor& cursor, std::int64_t count, std::size_t offset, std::int64_t most) {
  cursor.expect(count, cursor.tag_bytes() + 3 * cursor.real_bytes(), "nodes", offset);
  if (count == 0) throw GmshDamage{offset, "the file has no nodes; generate the mesh before it is saved (gmsh -3)"};
  if (const std::int64_t limit = std::min<std::int64_t>(most, none - 1); count > limit)
    throw GmshDamage{offset, std::to_string(count) + " nodes: the maximum is " + std::to_string(limit) +
                                 "; read a coarser mesh and refine it (-dm_refine)" +
                                 (most > INT32_MAX ? "" : ", or use a PETSc configured with --with-64-bit-indices")};
  tags_.reserve(static_cast<std::size_t>(count));
  coordinates_.reserve(3 * static_cast<std::size_t>(count));
}

void GmshNodes::read_block(GmshCursor& cursor, GmshVersion version, std::int64_t count, std::int64_t most,
                           int parameters) {
  const auto tag = [&] { tags_.push_back(cursor.tag("a node's tag", most - 1)); };
  const auto point = [&] {
    for (int c = 0; c < 3; ++c) coordinates_.push_back(cursor.real("a coordinate"));
    for (int p = 0; p < parameters; ++p) (void)cursor.real("a parametric coordinate");
  };
  if (version == GmshVersion::v41) {
    for (std::int64_t i = 0; i < count; ++i) tag();
    for (std::int64_t i = 0; i < count; ++i) point();
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    tag();
    point();
  }
}

void GmshNodes::map(std::size_t offset) {
  const auto [low, high] = std::minmax_element(tags_.begin(), tags_.end());
  lowest_ = *low;
  const std::int64_t range = *high - *low + 1, nodes = static_cast<std::int64_t>(tags_.size());
  if (range > 64 * nodes + 10'000'000)
    throw GmshDamage{offset, std::to_string(nodes) + " nodes have tags from " + std::to_string(*low) + " to " +
                                 std::to_string(*high) + ", too far apart; renumber the nodes (gmsh: Mesh.Renumber)"};
  places_.assign(static_cast<std::size_t>(range), none);
  for (std::size_t i = 0; i < tags_.size(); ++i) {
    auto& place = places_[static_cast<std::size_t>(tags_[i] - lowest_)];
    if (place != none)
      throw GmshDamage{offset, "the node " + std::to_string(tags_[i]) + " is listed twice" + write_again};
    place = static_cast<std::uint32_t>(i);
  }
}

}  // namespace gearshift::solid
