#pragma once

/// @file
/// Access to nodal vectors for terms that act on a few cells or faces: ghosts included, without copying the whole
/// vector.

#include <gearshift/petsc/views.hpp>

#include "solid/constraints/supports.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace gearshift::solid {

/// Reads a Vec at local nodes; entries that `held` constrains read as 0, and so does a null Vec. Collective.
class NodalValues {
 public:
  NodalValues(const Space& space, Vec x, const Supports* held = nullptr)
      : held_(held), owned_nodes_(static_cast<std::size_t>(space.owned_nodes())) {
    if (!x) return;
    view_.emplace(x);
    ghosts_.resize(3 * static_cast<std::size_t>(space.ghost_nodes()));
    space.ghosts_begin(view_->span().data(), ghosts_.data());
    space.ghosts_end(view_->span().data(), ghosts_.data());
  }

  Vec3 operator[](PetscInt node) const {
    const auto n = static_cast<std::size_t>(node);
    Vec3 value{};
    for (std::size_t c = 0; view_ && c < 3; ++c)
      if (!held_ || !held_->held(3 * n + c))
        value[c] = n < owned_nodes_ ? (*view_)[3 * n + c] : ghosts_[3 * (n - owned_nodes_) + c];
    return value;
  }

 private:
  const Supports* held_;
  std::size_t owned_nodes_;
  std::optional<petsc::ReadView> view_;
  std::vector<PetscReal> ghosts_;
};

/// Adds to a Vec at local nodes, except to entries that `held` constrains. finish() is collective.
class NodalSum {
 public:
  NodalSum(const Space& space, Vec out, const Supports* held = nullptr)
      : space_(space), held_(held), view_(out), ghosts_(3 * static_cast<std::size_t>(space.ghost_nodes())) {}

  void add(PetscInt node, const Vec3& value) {
    const auto n = static_cast<std::size_t>(node), owned = static_cast<std::size_t>(space_.owned_nodes());
    for (std::size_t c = 0; c < 3; ++c)
      if (!held_ || !held_->held(3 * n + c)) (n < owned ? view_[3 * n + c] : ghosts_[3 * (n - owned) + c]) += value[c];
  }
  /// Sends the contributions of ghosts to their owners.
  void finish() {
    space_.add_ghosts_begin(ghosts_.data(), view_.span().data());
    space_.add_ghosts_end(ghosts_.data(), view_.span().data());
  }

 private:
  const Space& space_;
  const Supports* held_;
  petsc::WriteView view_;
  std::vector<PetscReal> ghosts_;
};

}  // namespace gearshift::solid
