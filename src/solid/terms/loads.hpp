#pragma once

/// @file
/// External forces of a body as nodal vectors.

#include "solid/material/material_table.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace gearshift::solid {

/// Gravity and dead tractions, integrated once per new time (only once if they do not depend on it).
class Loads {
 public:
  struct Traction {
    std::string face;
    Field field;
    bool steady;
  };

  void set_gravity(Field field, bool steady) {
    gravity_ = std::move(field);
    gravity_steady_ = steady;
  }
  void add_traction(std::string_view face, Field field, bool steady) {
    tractions_.push_back({std::string(face), std::move(field), steady});
  }
  /// Whether some load does not depend on t.
  bool has_steady() const {
    return (gravity_ && gravity_steady_) ||
           std::any_of(tractions_.begin(), tractions_.end(), [](const Traction& t) { return t.steady; });
  }
  bool empty() const { return !gravity_ && tractions_.empty(); }

  /// To be called once; both must outlive the loads. Collective.
  void set_up(const Space& space, const MaterialTable& material);

  /// The nodal forces at time t (borrowed, valid until another time is asked for). Collective. NaN or infinity in a
  /// load throws Error on all ranks.
  Vec at(PetscReal t);

 private:
  void integrate(PetscReal t, bool steady);
  const Space* space_ = nullptr;
  Field gravity_;
  bool gravity_steady_ = false;
  std::vector<Traction> tractions_;
  const MaterialTable* material_ = nullptr;
  std::vector<PetscReal> local_;
  petsc::Handle<Vec> steady_, total_;
  PetscReal time_ = std::numeric_limits<PetscReal>::quiet_NaN();
  bool has_moving_ = false;
};

}  // namespace gearshift::solid
