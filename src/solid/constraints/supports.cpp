#include "solid/constraints/supports.hpp"

#include <gearshift/petsc/views.hpp>

#include "petsc/agree.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace gearshift::solid {

using petsc::check;

void Supports::set_up(const Space& space) {
  space_ = &space;
  support_.assign(3 * static_cast<std::size_t>(space.local_nodes()), -1);
  for (std::size_t s = 0; s < given_.size(); ++s)
    for (const auto& [cell, face] : space.face(given_[s].face)) {
      const auto nodes = space.cell_nodes(cell);
      for (const int i : space.face_nodes(face))
        for (std::size_t c = 0; c < 3; ++c)
          if (given_[s].mask & (1U << c)) {
            int& entry = support_[3 * static_cast<std::size_t>(nodes[static_cast<std::size_t>(i)]) + c];
            entry = std::max(entry, static_cast<int>(s));
          }
    }
  // Owners hear of what other ranks hold, then tell everybody.
  std::vector<int> component(static_cast<std::size_t>(space.local_nodes()));
  const auto owned = static_cast<std::size_t>(space.owned_nodes());
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::size_t node = 0; node < component.size(); ++node) component[node] = support_[3 * node + c];
    int* roots = component.data();
    int* leaves = component.data() + owned;
    check(PetscSFReduceBegin(space.exchange(), MPI_INT, leaves, roots, MPI_MAX));
    check(PetscSFReduceEnd(space.exchange(), MPI_INT, leaves, roots, MPI_MAX));
    check(PetscSFBcastBegin(space.exchange(), MPI_INT, roots, leaves, MPI_REPLACE));
    check(PetscSFBcastEnd(space.exchange(), MPI_INT, roots, leaves, MPI_REPLACE));
    for (std::size_t node = 0; node < component.size(); ++node) support_[3 * node + c] = component[node];
  }
  std::vector<PetscInt> global;
  for (std::size_t entry = 0; entry < 3 * owned; ++entry)
    if (support_[entry] >= 0) {
      entries_.push_back(static_cast<PetscInt>(entry));
      global.push_back(3 * space.first_node() + static_cast<PetscInt>(entry));
    }
  check(ISCreateGeneral(space.comm(), static_cast<PetscInt>(global.size()), global.data(), PETSC_COPY_VALUES,
                        constrained_.out()));
}

void Supports::prescribe(PetscReal t, PetscReal s, Vec q, Vec v, Vec a) const {
  std::string failure;
  {
    petsc::WriteView q_values(q), v_values(v), a_values(a);
    MotionValue value;
    PetscInt evaluated_node = -1;
    int evaluated_support = -1;
    for (const PetscInt index : entries_) {
      const auto entry = static_cast<std::size_t>(index), c = entry % 3;
      const Given& given = given_[static_cast<std::size_t>(support_[entry])];
      if (!given.motion) {
        q_values[entry] = v_values[entry] = a_values[entry] = 0;
        continue;
      }
      if (index / 3 != evaluated_node || support_[entry] != evaluated_support) {
        evaluated_node = index / 3;
        evaluated_support = support_[entry];
        value = given.motion(t, space_->coordinates()[entry / 3]);
      }
      if (failure.empty() &&
          !(std::isfinite(value.g[c]) && std::isfinite(value.g_t[c]) && std::isfinite(value.g_tt[c]))) {
        const Vec3& X = space_->coordinates()[entry / 3];
        std::ostringstream text;
        text << "the prescribed motion of '" << given.face << "' (component " << c
             << ") is not finite: g, g', g'' = " << value.g[c] << ", " << value.g_t[c] << ", " << value.g_tt[c]
             << " at t = " << t << ", X = (" << X[0] << ", " << X[1] << ", " << X[2] << "); check its expression there";
        failure = text.str();
      }
      q_values[entry] = s * value.g[c];
      v_values[entry] = s * value.g_t[c];
      a_values[entry] = s * value.g_tt[c];
    }
  }
  petsc::throw_if_any<Error>(space_->comm(), failure);
}

}  // namespace gearshift::solid
