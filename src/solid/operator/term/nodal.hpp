#pragma once

/// @file
/// Access to nodal vectors for terms that act on a few cells or faces: ghosts included, without copying the whole
/// vector.

#include <gearshift/petsc/views.hpp>
#include <gearshift/solid/space.hpp>

#include <optional>
#include <vector>

namespace gearshift::solid {

/// Values at a rank's ghosts, three per node; the storage is reused.
using GhostValues = std::vector<PetscReal>;

/// Reads a Vec at local nodes; a null Vec reads as 0.
class NodalValues {
 public:
  /// @param known the values at the ghosts if an exchange has already fetched them, otherwise nullptr. @param ghosts
  /// storage for them otherwise; must outlive this object. Collective.
  NodalValues(const Space& space, Vec x, const PetscReal* known, GhostValues& ghosts)
      : owned_nodes_(static_cast<std::size_t>(space.owned_nodes())), ghosts_(known) {
    if (!x) return;
    view_.emplace(x);
    if (known) return;
    ghosts.resize(3 * static_cast<std::size_t>(space.ghost_nodes()));
    space.node_exchange().ghosts_begin(view_->span().data(), ghosts.data());
    space.node_exchange().ghosts_end(view_->span().data(), ghosts.data());
    ghosts_ = ghosts.data();
  }

  Vec3 operator[](PetscInt node) const {
    const auto n = static_cast<std::size_t>(node);
    Vec3 value{};
    for (std::size_t c = 0; view_ && c < 3; ++c)
      value[c] = n < owned_nodes_ ? (*view_)[3 * n + c] : ghosts_[3 * (n - owned_nodes_) + c];
    return value;
  }

 private:
  std::size_t owned_nodes_;
  std::optional<petsc::ReadView> view_;
  const PetscReal* ghosts_;
};

/// Adds to a Vec at local nodes. finish() is collective.
class NodalSum {
 public:
  /// @param ghosts storage; must outlive this object
  NodalSum(const Space& space, Vec out, GhostValues& ghosts)
      : space_(space), owned_nodes_(static_cast<std::size_t>(space.owned_nodes())), view_(out), ghosts_(ghosts) {
    ghosts.assign(3 * static_cast<std::size_t>(space.ghost_nodes()), 0.0);
  }

  void add(PetscInt node, const Vec3& value) {
    const auto n = static_cast<std::size_t>(node);
    for (std::size_t c = 0; c < 3; ++c)
      (n < owned_nodes_ ? view_[3 * n + c] : ghosts_[3 * (n - owned_nodes_) + c]) += value[c];
  }
  /// Sends the contributions of ghosts to their owners.
  void finish() {
    space_.node_exchange().add_ghosts_begin(ghosts_.data(), view_.span().data());
    space_.node_exchange().add_ghosts_end(ghosts_.data(), view_.span().data());
  }

 private:
  const Space& space_;
  std::size_t owned_nodes_;
  petsc::WriteView view_;
  GhostValues& ghosts_;
};

}  // namespace gearshift::solid
