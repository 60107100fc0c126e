/// Functions for the partner of a coupled problem: nodes on faces, and forces on them.

#include "petsc/queries.hpp"
#include "solid/body/impl.hpp"
#include "solid/terms/nodal_loads.hpp"
#include "solid/terms/surface.hpp"

#include <cmath>
#include <list>
#include <memory>
#include <utility>
#include <vector>

namespace gearshift::solid {

void Body::add_nodal_forces(NodalForces forces) {
  impl_->before_set_up("add_nodal_forces");
  impl_->planned_terms.push_back([forces = std::move(forces)](const Space& space, const MaterialTable&) {
    return std::make_unique<NodalLoads>(space, forces);
  });
}

std::vector<PetscInt> Body::face_nodes(const std::vector<std::string>& faces) const {
  const Space& space = impl_->space;
  const auto marks = petsc::duplicate(space.layout());
  GhostValues ghosts;
  {
    NodalSum sum(space, marks.get(), ghosts);
    for (const std::string& name : faces)
      for (const CellFace& face : space.mesh_cells().face(name))
        for (const int i : space.element(face.cell).face_nodes(face.face))
          sum.add(space.cell_nodes(face.cell)[static_cast<std::size_t>(i)], {1, 0, 0});
    sum.finish();
  }
  const petsc::ReadView marked(marks.get());
  std::vector<PetscInt> nodes;
  for (PetscInt node = 0; node < space.owned_nodes(); ++node)
    if (marked[3 * static_cast<std::size_t>(node)] > 0) nodes.push_back(node);
  return nodes;
}

Body::TractionIntegral Body::traction_integral(const std::vector<std::string>& faces) const {
  struct Parts {
    std::list<Surface> surfaces;
    GhostValues known, added;
  };
  const auto parts = std::make_shared<Parts>();
  for (const std::string& name : faces) parts->surfaces.emplace_back(impl_->space, name);
  return [parts, &space = impl_->space](Vec tractions, Vec forces) {
    const NodalValues T(space, tractions, nullptr, parts->known);
    NodalSum sum(space, forces, parts->added);
    for (const Surface& surface : parts->surfaces)
      for (const Surface::Facet& facet : surface.facets())
        for (std::size_t q = 0; q < facet.points(); ++q) {
          const Vec3 area = facet.point(q).vector_area();
          facet.add(q, std::sqrt(dot(area, area)) * facet.value(q, T), sum);
        }
    sum.finish();
  };
}

}  // namespace gearshift::solid
