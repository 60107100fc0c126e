#include "solid/terms/contact/pair/contact_facets.hpp"

#include "petsc/queries.hpp"
#include "petsc/ranks/exchange.hpp"
#include "solid/terms/contact/constants.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace gearshift::solid {

ContactFacets::ContactFacets(const Space& space, const Contact& contact) : space_(space) {
  for (const CellBlock& block : space.blocks())
    for (int face = 0; face < block.element.faces(); ++face) {
      auto shape = std::make_shared<const FacetShape>(block.element, face);
      auto& place = shapes_[shape->is_triangle() ? 1 : 0];
      if (!place) place = std::move(shape);
    }
  std::vector<std::vector<std::vector<int>>> ordered;  // [block][face]
  for (const CellBlock& block : space.blocks()) {
    auto& faces = ordered.emplace_back();
    for (int face = 0; face < block.element.faces(); ++face)
      faces.push_back(FacetShape::ordered_nodes(block.element, face));
  }
  std::map<std::pair<PetscInt, int>, Sides> found;  // each facet once, if faces overlap
  const auto collect = [&](const std::vector<std::string>& names, Sides side) {
    for (const std::string& name : names)
      for (const CellFace& face : space.mesh_cells().face(name)) found[{face.cell, face.face}] |= side;
  };
  collect(contact.faces, contact.with_itself ? first_side | second_side : first_side);
  collect(contact.with, second_side);
  for (const auto& [place, sides] : found) {
    const auto [cell, face] = place;
    const std::vector<int>& order = ordered[space.block_of(cell)][static_cast<std::size_t>(face)];
    Facet& facet = facets_.emplace_back();
    facet.cell = cell;
    facet.sides = sides;
    facet.shape = &shape(Element(space.element(cell).kind(), 1).face_nodes(face).size() == 3);
    for (const int i : order) facet.nodes.push_back(space.cell_nodes(cell)[static_cast<std::size_t>(i)]);
  }
}

std::size_t ContactFacets::most_nodes() const {
  std::size_t most = 0;
  for (const auto& shape : shapes_)
    if (shape) most = std::max(most, shape->nodes());
  return most;
}

/// The owner of an edge's first node compares the facets that have the edge.
std::vector<Borders> ContactFacets::borders() const {
  struct Edge {
    std::array<PetscInt, 2> ends;
    Vec3 normal, middle;  // of the facet
  };
  PetscLayout layout = nullptr;
  petsc::check(PetscLayoutCreate(space_.comm(), &layout));
  petsc::check(PetscLayoutSetLocalSize(layout, space_.owned_nodes()));
  petsc::check(PetscLayoutSetUp(layout));
  std::map<int, std::vector<Edge>> edges;
  std::map<int, std::vector<std::pair<std::size_t, int>>> places;
  for (std::size_t f = 0; f < count(); ++f) {
    const FacetShape& own = *facets_[f].shape;
    std::vector<Vec3> at, modes(own.nodes());
    for (std::size_t i = 0; i < own.nodes(); ++i) at.push_back(X(f, i));
    own.to_modes(at, modes.data());
    const FacetJet<Vec3> middle = own.polynomial(modes.data(), own.centre());
    const Vec3 area = cross(middle.slopes[0], middle.slopes[1]);
    for (int k = 0; k < own.sides(); ++k) {
      const PetscInt a = global(f, own.corner_node(k)), b = global(f, own.corner_node(k + 1));
      PetscMPIInt owner = 0;
      petsc::check(PetscLayoutFindOwner(layout, std::min(a, b), &owner));
      edges[owner].push_back({{std::min(a, b), std::max(a, b)}, (1 / norm(area)) * area, middle.value});
      places[owner].push_back({f, k});
    }
  }
  petsc::check(PetscLayoutDestroy(&layout));
  const auto received = petsc::exchange(space_.comm(), edges);
  std::map<std::array<PetscInt, 2>, std::vector<const Edge*>> of;
  for (const auto& [rank, list] : received)
    for (const Edge& edge : list) of[edge.ends].push_back(&edge);
  enum Kind : char { plain, rim, ridge };
  std::map<int, std::vector<Kind>> replies;
  for (const auto& [rank, list] : received)
    for (const Edge& edge : list) {
      const auto& same = of[edge.ends];
      const bool convex = same.size() == 2 && dot(same[0]->normal, same[1]->normal) < contact::sharp &&
                          dot(same[1]->middle - same[0]->middle, same[0]->normal) < 0;
      replies[rank].push_back(same.size() == 1 ? rim : convex ? ridge : plain);
    }
  std::vector<Borders> result(count());
  for (const auto& [rank, kinds] : petsc::exchange(space_.comm(), replies))
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      const auto [f, k] = places[rank][i];
      SideBits& bits = kinds[i] == rim ? result[f].rims : result[f].ridges;
      if (kinds[i] != plain) bits = static_cast<SideBits>(bits | 1 << k);
    }
  return result;
}

}  // namespace gearshift::solid
