#include "solid/mesh/gmsh/groups.hpp"

#include <algorithm>

namespace gearshift::solid {
namespace {

/// Returns the group of a physical tag; elements with a negative tag belong to the group with reversed orientation.
std::int32_t group_of(std::int32_t tag) { return tag < 0 && tag > INT32_MIN ? -tag : tag; }

/// Returns the name up to its last colon, as PETSc names groups.
std::string name_in(std::string_view line, std::size_t offset) {
  const auto damage = [&](const std::string& what) { return GmshDamage{offset, what}; };
  const auto last = line.rfind('"');
  if (line.empty() || line[0] != '"' || last == 0)
    throw damage("a physical name in quotation marks, one space after its tag, is expected" + std::string(write_again));
  std::string name(line.substr(1, last - 1));
  if (name.empty()) throw damage("a physical name is empty; give it one or more letters");
  for (const char c : name)
    if (c == '"' || static_cast<unsigned char>(c) < ' ')
      throw damage("the physical name holds a quotation mark or a control character; rename it");
  if (const auto colon = name.rfind(':'); colon != std::string::npos) name.resize(colon);
  if (name.empty()) throw damage("a physical name is used up to its last colon, and that part is empty; rename it");
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

std::optional<GmshNamesPlace> GmshGroups::find_names(GmshCursor cursor) {
  constexpr std::string_view head = "\n$PhysicalNames", foot = "$EndPhysicalNames";
  GmshBytes& bytes = cursor.bytes();
  auto before = bytes.find(head, cursor.offset() - 1);
  // Names in a comment are not meant.
  for (auto from = cursor.offset() - 1; before != GmshBytes::npos;) {
    const auto comment = bytes.find("\n$Comments", from, before);
    if (comment == GmshBytes::npos) break;
    from = bytes.find("\n$EndComments", comment);
    if (before < from) before = bytes.find(head, from);
  }
  if (before == GmshBytes::npos) return {};
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
      const std::int64_t physical = cursor.size("the number of an entity's physical tags", most);
      for (std::int64_t p = 0; p < physical; ++p)
        physical_[{dimension, entities_[d].back()}].push_back(group_of(cursor.integer("a physical tag")));
      if (dimension == 0) continue;
      const std::size_t offset = cursor.offset();
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
  const auto known = [&](const std::vector<std::int32_t>& tags) {
    return std::binary_search(tags.begin(), tags.end(), block.entity);
  };
  if (!possible || !(without_entities_ || known(entities_[static_cast<std::size_t>(block.dimension)]))) {
    throw GmshDamage{block.offset, std::string(what) + ": there is no entity " + std::to_string(block.entity) +
                                       " of dimension " + std::to_string(block.dimension) + write_again};
  }
  return block;
}

const std::string* GmshGroups::name(int dimension, std::int64_t tag) const {
  const auto found = names_.find({dimension, tag});
  return found == names_.end() ? nullptr : &found->second;
}

void GmshGroups::use(int dimension, std::int32_t physical) { used_.emplace(dimension, group_of(physical)); }

void GmshGroups::use_entity(int dimension, int entity) {
  const auto found = physical_.find({dimension, entity});
  if (found == physical_.end()) return;
  for (const std::int32_t tag : found->second) use(dimension, tag);
}

std::vector<GmshLabel> GmshGroups::labels_of(int dimension, GmshVersion version, int physical, int entity) const {
  std::vector<std::int32_t> tags{group_of(physical)};
  if (version != GmshVersion::v22) {
    const auto found = physical_.find({dimension, entity});
    tags = found == physical_.end() ? std::vector<std::int32_t>{} : found->second;
  }
  std::vector<GmshLabel> labels;
  if (names_.empty() && !tags.empty() && dimension >= 2)
    labels.push_back({dimension == 3 ? "Cell Sets" : "Face Sets", tags.front()});
  for (const std::int32_t tag : tags)
    if (const std::string* found = name(dimension, tag)) labels.push_back({*found, tag});
  return labels;
}

std::vector<std::string> GmshGroups::remarks() const {
  std::vector<std::string> result;
  if (names_.empty()) return result;  // groups are then identified by their tags
  if (without_entities_)
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

}  // namespace gearshift::solid
