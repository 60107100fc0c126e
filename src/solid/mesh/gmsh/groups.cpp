#include "solid/mesh/gmsh/groups.hpp"

#include <algorithm>
#include <utility>

namespace gearshift::solid {
namespace {

constexpr std::size_t longest_name = 127;  // Gmsh manual; PETSc's buffer has 130 characters
constexpr std::int64_t max_tags = 16;      // maximum per entity in PETSc's reader

constexpr const char* kinds[] = {"Point", "Curve", "Surface", "Volume"};

/// Returns the name as PETSc's reader reads it: up to the last colon.
std::string name_in(std::string_view line, std::size_t offset) {
  const auto damage = [&](const std::string& what) { return GmshDamage{offset, what}; };
  const auto last = line.rfind('"');
  if (line.empty() || line[0] != '"' || last == 0)
    throw damage("a physical name in quotation marks, one space after its tag, is expected" + std::string(write_again));
  std::string name(line.substr(1, last - 1));
  if (name.empty()) throw damage("a physical name is empty; give it one or more letters");
  if (name.size() > longest_name)
    throw damage("the physical name has " + std::to_string(name.size()) + " characters; the maximum is " +
                 std::to_string(longest_name));
  for (const char c : name)
    if (c == '"' || static_cast<unsigned char>(c) < ' ')
      throw damage("the physical name holds a quotation mark or a control character; rename it");
  if (const auto colon = name.rfind(':'); colon != std::string::npos) name.resize(colon);
  if (name.empty()) throw damage("PETSc uses a physical name up to its last colon, and that part is empty; rename it");
  for (const char* own : {"depth", "celltype", "marker", "Cell Sets", "Face Sets", "Edge Sets", "Vertex Sets"})
    if (name == own) throw damage("the physical name '" + name + "' is one of PETSc's own labels; rename it");
  return name;
}

}  // namespace

void GmshGroups::read_names(GmshCursor& cursor) {
  const std::size_t start = cursor.offset();
  const std::int64_t count = cursor.word_integer("the number of physical names");
  if (count < 0) throw GmshDamage{start, "the number of physical names is " + std::to_string(count) + write_again};
  cursor.expect(count, 7, "physical names", start);
  std::map<std::pair<std::int64_t, std::string>, std::int64_t> tags;  // dimension and name
  for (std::int64_t i = 0; i < count; ++i) {
    cursor.skip_space();
    const std::size_t offset = cursor.offset();
    const std::int64_t dimension = cursor.word_integer("the dimension of a physical name");
    const std::int64_t tag = cursor.word_integer("a physical tag");
    if (dimension < 0 || dimension > 3)
      throw GmshDamage{offset, "a physical name has dimension " + std::to_string(dimension) + write_again};
    if (tag <= 0 || tag > INT32_MAX)
      throw GmshDamage{offset,
                       "the physical tag " + std::to_string(tag) + " is not between 1 and 2147483647" + write_again};
    const std::string name = name_in(cursor.line("a physical name"), offset);
    const auto [same_tag, is_new] = names_.emplace(Key{dimension, tag}, name);
    if (!is_new)
      throw GmshDamage{offset, "the physical tag " + std::to_string(tag) + " of dimension " +
                                   std::to_string(dimension) + " has the names '" + same_tag->second + "' and '" +
                                   name + "'; give each group a separate tag"};
    if (const auto [same_name, new_name] = tags.emplace(std::pair{dimension, name}, tag); !new_name)
      throw GmshDamage{offset, "the physical name '" + name + "' (up to the last colon) is used for the tags " +
                                   std::to_string(same_name->second) + " and " + std::to_string(tag) +
                                   " of dimension " + std::to_string(dimension) + "; give each group a separate name"};
  }
}

std::optional<GmshNamesPlace> GmshGroups::read_names_behind(GmshCursor cursor) {
  constexpr std::string_view head = "\n$PhysicalNames", foot = "$EndPhysicalNames";
  const auto before = cursor.bytes().find(head, cursor.offset());
  if (before == std::string_view::npos) return {};
  cursor.move_to(before + head.size());
  read_names(cursor);
  return GmshNamesPlace{before + 1, cursor.end_section(foot) + foot.size()};
}

void GmshGroups::read_entities(GmshCursor& cursor, GmshVersion version, std::int64_t most) {
  std::array<std::int64_t, 4> counts{};
  const std::size_t start = cursor.offset();
  for (auto& count : counts) count = cursor.size("the number of entities", most);
  for (int dimension = 0; dimension < 4; ++dimension) {
    const auto d = static_cast<std::size_t>(dimension);
    const std::size_t reals = version == GmshVersion::v41 && dimension == 0 ? 3 : 6;
    cursor.expect(counts[d], cursor.integer_bytes() + reals * cursor.real_bytes() + cursor.size_bytes(), "entities",
                  start);
    for (std::int64_t i = 0; i < counts[d]; ++i) {
      entities_[d].push_back(cursor.integer("the tag of an entity"));
      for (std::size_t r = 0; r < reals; ++r) (void)cursor.real("the extent of an entity");
      std::size_t offset = cursor.offset();
      const std::int64_t physical = cursor.size("the number of an entity's physical tags", most);
      if (physical > max_tags)
        throw GmshDamage{offset, "an entity has " + std::to_string(physical) + " physical tags; PETSc reads up to " +
                                     std::to_string(max_tags) + ": put it in fewer groups"};
      for (std::int64_t p = 0; p < physical; ++p) {
        offset = cursor.offset();
        const std::int32_t tag = cursor.integer("a physical tag");
        check_physical(dimension, tag, offset);
        physical_[{dimension, entities_[d].back()}].push_back(tag);
      }
      if (dimension == 0) continue;
      offset = cursor.offset();
      const std::int64_t bounding = cursor.size("the number of entities that bound one", most);
      cursor.expect(bounding, cursor.integer_bytes(), "bounding entities", offset);
      for (std::int64_t b = 0; b < bounding; ++b) (void)cursor.integer("the tag of a bounding entity");
    }
    auto& tags = entities_[d];
    std::sort(tags.begin(), tags.end());
    if (const auto twice = std::adjacent_find(tags.begin(), tags.end()); twice != tags.end())
      throw GmshDamage{start, "the entity " + std::to_string(*twice) + " of dimension " + std::to_string(dimension) +
                                  " is listed twice" + write_again};
  }
}

GmshBlock GmshGroups::read_block(GmshCursor& cursor, GmshVersion version, const char* what, std::int64_t most) {
  GmshBlock block{};
  block.offset = cursor.offset();
  block.dimension = cursor.integer(what);
  block.entity = cursor.integer(what);
  if (version == GmshVersion::v40) std::swap(block.dimension, block.entity);
  block.third = cursor.integer(what);
  block.count = cursor.size("the length of a block", most);
  const bool possible = block.dimension >= 0 && block.dimension <= 3;
  auto* tags = possible ? &entities_[static_cast<std::size_t>(block.dimension)] : nullptr;
  const bool known = possible && std::binary_search(tags->begin(), tags->end(), block.entity);
  if (possible && !known && from_blocks_) {
    tags->insert(std::lower_bound(tags->begin(), tags->end(), block.entity), block.entity);
  } else if (!known) {
    throw GmshDamage{block.offset, std::string(what) + ": there is no entity " + std::to_string(block.entity) +
                                       " of dimension " + std::to_string(block.dimension) + write_again};
  }
  return block;
}

std::string GmshGroups::entities_section(const GmshCursor& cursor, GmshVersion version) const {
  std::string text = "$Entities\n";
  for (const auto& tags : entities_)
    cursor.append(text, static_cast<std::int64_t>(tags.size()), cursor.binary() ? cursor.size_bytes() : 8);
  for (std::size_t d = 0; d < entities_.size(); ++d)
    for (const std::int32_t tag : entities_[d]) {
      cursor.append(text, tag, 4);
      for (int real = 0; real < (version == GmshVersion::v41 && d == 0 ? 3 : 6); ++real) cursor.append(text, 0, 8);
      for (int list = 0; list < (d == 0 ? 1 : 2); ++list) cursor.append(text, 0, cursor.size_bytes());
    }
  return text + "\n$EndEntities\n";
}

const std::string* GmshGroups::name(int dimension, std::int64_t tag) const {
  const auto found = names_.find({dimension, tag});
  return found == names_.end() ? nullptr : &found->second;
}

void GmshGroups::use_entity(int dimension, int entity) {
  const auto found = physical_.find({dimension, entity});
  if (found == physical_.end()) return;
  for (const std::int32_t tag : found->second) use(dimension, tag);
}

std::vector<GmshLabel> GmshGroups::labels_of(int dimension, GmshVersion version, int physical, int entity) const {
  std::vector<std::int32_t> tags{physical};
  if (version != GmshVersion::v22) {
    const auto found = physical_.find({dimension, entity});
    tags = found == physical_.end() ? std::vector<std::int32_t>{} : found->second;
  }
  std::vector<GmshLabel> labels;
  if (names_.empty() && !tags.empty() && dimension == 2) labels.push_back({"Face Sets", tags.front()});
  for (const std::int32_t tag : tags)
    if (const std::string* found = name(dimension, tag)) labels.push_back({*found, tag});
  return labels;
}

std::vector<std::string> GmshGroups::remarks() const {
  std::vector<std::string> result;
  if (names_.empty()) return result;  // PETSc then identifies groups by their tags
  if (from_blocks_)
    return {
        "the file has no section $Entities, which joins physical names to elements: its names define no faces and "
        "regions; save the mesh with that section, or as MSH 2.2"};
  const auto dimension_of = [](const Key& key) { return " (dimension " + std::to_string(key.first); };
  for (const auto& [key, name] : names_)
    if (key.first >= 2 && !used_.contains(key))
      result.push_back("the physical name '" + name + "'" + dimension_of(key) + ", tag " + std::to_string(key.second) +
                       ") has no elements: the mesh has no " + (key.first == 2 ? "face" : "region") + " of this name");
  for (const Key& key : used_)
    if (key.first >= 2 && key.second != 0 && !names_.contains(key))
      result.push_back("the physical group " + std::to_string(key.second) + dimension_of(key) +
                       ") has no name and cannot be used, since other groups have names");
  return result;
}

void GmshGroups::check_physical(int dimension, std::int64_t tag, std::size_t offset) const {
  if (tag >= 0) return;
  if (const std::string* found = name(dimension, -tag))
    throw GmshDamage{offset, "the physical tag " + std::to_string(tag) +
                                 " is negative, and PETSc would not assign its "
                                 "elements to '" +
                                 *found + "'; remove the minus sign in Physical " + kinds[dimension] + "(\"" + *found +
                                 "\")"};
}

void GmshGroups::check_other_tag(int dimension, std::int64_t physical, std::int64_t tag, bool elementary,
                                 std::size_t offset) const {
  if (physical == tag) return;
  const std::string* found = name(dimension, tag);
  if (!found) return;
  if (!elementary)
    throw GmshDamage{offset, "a partition's tag " + std::to_string(tag) + " equals the physical tag of '" + *found +
                                 "', and PETSc would label the element with that name; save the mesh "
                                 "without partitions"};
  throw GmshDamage{
      offset,
      "the elementary tag " + std::to_string(tag) + " (dimension " + std::to_string(dimension) +
          ") equals the physical tag of '" + *found +
          "', and PETSc would label both with that name; save the mesh as MSH 4.1 (gmsh -format msh41), or give "
          "physical tags above all elementary ones in the .geo file, as in Physical " +
          kinds[dimension] + "(\"" + *found + "\", 101)"};
}

}  // namespace gearshift::solid
