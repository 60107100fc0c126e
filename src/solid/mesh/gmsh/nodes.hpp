#pragma once

/// @file
/// The nodes of a Gmsh file.

#include "solid/mesh/gmsh/groups.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace gearshift::solid {

/// The section $Nodes. Functions throw GmshDamage.
class GmshNodes {
 public:
  GmshNodes() = default;
  /// Nodes without tags, given by three coordinates each.
  explicit GmshNodes(std::vector<double> coordinates) : coordinates_(std::move(coordinates)) {}

  /// Reads the section; `most` is the largest PetscInt.
  void read(GmshCursor& cursor, GmshVersion version, GmshGroups& groups, std::int64_t most);

  std::size_t count() const { return coordinates_.size() / 3; }
  std::int64_t tag(std::size_t place) const { return tags_[place]; }
  const double* at(std::size_t place) const { return coordinates_.data() + 3 * place; }

  /// Frees the memory of tags.
  void forget_tags() {
    tags_ = {};
    places_ = {};
  }

  static constexpr std::uint32_t none = UINT32_MAX;
  /// Returns the position of a tag in the file's list, or none.
  std::uint32_t place(std::int64_t tag) const {
    const std::int64_t i = tag - lowest_;
    return i >= 0 && i < static_cast<std::int64_t>(places_.size()) ? places_[static_cast<std::size_t>(i)] : none;
  }

 private:
  void reserve(const GmshCursor& cursor, std::int64_t count, std::size_t offset, std::int64_t most);
  /// `parameters` is the number of parametric coordinates of each node, which are not kept.
  void read_block(GmshCursor& cursor, GmshVersion version, std::int64_t count, std::int64_t most, int parameters);
  void map(std::size_t offset);
  std::vector<std::int64_t> tags_;
  std::vector<double> coordinates_;
  std::vector<std::uint32_t> places_;  // the position of tag lowest_ + i
  std::int64_t lowest_ = 0;
};

}  // namespace gearshift::solid
