#pragma once

/// @file
/// Physical names and entities of a Gmsh file.

#include "solid/mesh/gmsh/cursor.hpp"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gearshift::solid {

enum class GmshVersion { v22, v40, v41 };

/// The header of a block of nodes or elements of format 4.
struct GmshBlock {
  int dimension, entity;
  int third;  ///< nonzero if coordinates are parametric, or the element type
  std::int64_t count;
  std::size_t offset;
};

/// The label of a group: its name, or its tag in a file without names.
struct GmshLabel {
  std::string name;
  std::int32_t value;
};

/// The bytes of a section.
struct GmshNamesPlace {
  std::size_t begin, end;
};

/// The contents of the sections $PhysicalNames and $Entities. Functions throw GmshDamage.
class GmshGroups {
 public:
  /// Reads the section of names, wherever it follows in the file: names are needed before elements.
  std::optional<GmshNamesPlace> find_names(GmshCursor cursor);
  /// Reads the section $Entities of format 4; `most` is the largest PetscInt.
  void read_entities(GmshCursor& cursor, GmshVersion version, std::int64_t most);
  /// Accepts blocks of any entity, because there is no section of entities.
  void go_without_entities() { without_entities_ = true; }
  GmshBlock read_block(GmshCursor& cursor, GmshVersion version, const char* what, std::int64_t most);

  /// Records that a group has elements: elements of an entity of format 4, or of a physical tag of MSH 2.2.
  void use_entity(int dimension, int entity);
  void use(int dimension, std::int32_t physical);
  /// Returns the labels of elements of a dimension with this physical tag (MSH 2.2), or of this entity.
  std::vector<GmshLabel> labels_of(int dimension, GmshVersion version, int physical, int entity) const;
  /// Returns remarks on faces and cells in groups without a name, and on names without faces or cells.
  std::vector<std::string> remarks() const;

 private:
  void read_names(GmshCursor& cursor);
  using Key = std::pair<std::int64_t, std::int64_t>;  // dimension, physical tag
  const std::string* name(int dimension, std::int64_t tag) const;
  std::map<Key, std::string> names_;
  std::map<Key, std::vector<std::int32_t>> physical_;  // tags of an entity: dimension, entity
  std::set<Key> used_;
  std::array<std::vector<std::int32_t>, 4> entities_;  // sorted tags
  bool without_entities_ = false;
};

}  // namespace gearshift::solid
