#include "solid/mesh/gmsh/content.hpp"

#include <algorithm>
#include <iterator>

namespace gearshift::solid {

const GmshRun& GmshElements::run(std::size_t element) const {
  return *std::prev(std::upper_bound(runs.begin(), runs.end(), element,
                                     [](std::size_t value, const GmshRun& run) { return value < run.first; }));
}

bool GmshContent::has(GmshShape shape) const {
  return std::any_of(cells.runs.begin(), cells.runs.end(),
                     [&](const GmshRun& run) { return run.type->shape == shape; });
}

GmshContent::Place GmshContent::place(const GmshElements& elements, std::size_t element) const {
  const GmshRun& run = elements.run(element);
  GmshCursor at = cursor;
  at.move_to(run.offset);
  at.skip_tags((element - run.first) * run.numbers);
  const std::size_t offset = at.offset();
  return {offset, at.tag("an element's tag", INT64_MAX)};
}

std::string GmshContent::name(const GmshElements& elements, std::size_t element) const {
  const Place found = place(elements, element);
  return "element " + std::to_string(found.tag) + " (" + gmsh_place(cursor.bytes(), found.offset) + ")";
}

void GmshContent::refuse(const GmshElements& elements, std::size_t element, const std::string& text) const {
  const Place found = place(elements, element);
  throw GmshDamage{found.offset, "element " + std::to_string(found.tag) + text};
}

const GmshType& readable_type(std::int64_t number, std::size_t offset) {
  const GmshType* found = gmsh_type(number);
  if (number == 18 || number == 19)
    throw GmshDamage{offset, std::string(number == 18 ? "wedges of 15 nodes" : "pyramids of 13 nodes") +
                                 "; elements need nodes on their faces: save the mesh with complete elements (gmsh "
                                 "-setnumber Mesh.SecondOrderIncomplete 0)"};
  if (!found)
    throw GmshDamage{offset, "the element type " + std::to_string(number) +
                                 " is unknown; save the mesh with order 1 or 2 and complete elements"};
  if (found->order > 2)
    throw GmshDamage{offset, "elements of order " + std::to_string(found->order) +
                                 "; orders 1 and 2 are supported: save the mesh with gmsh -order 2"};
  return *found;
}

}  // namespace gearshift::solid
