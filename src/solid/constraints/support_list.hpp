#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/solid/space.hpp>

#include "solid/constraints/support_kinds.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace gearshift::solid {

/// A support of a face.
struct Support {
  std::string face;
  unsigned mask;                       ///< its components: bits 0, 1, 2
  Motion motion;                       ///< empty: it is at rest
  AddDirections directions = nullptr;  ///< that it holds besides the components, as rollers do
  PetscReal until = std::numeric_limits<PetscReal>::infinity();

  bool rollers() const { return directions != nullptr; }
};

/// Returns a distance in time that is wider than the distance at which steps end before a jump.
inline PetscReal time_resolution(PetscReal t) { return 16 * PETSC_MACHINE_EPSILON * std::abs(t); }

/// The supports in the order given, by their numbers, and which of them have ended. pass() records the time that the
/// motion has reached; nothing changes before end_due().
class SupportList {
 public:
  /// Adds a prescribed motion. @param mask its components: bits 0, 1, 2
  void add(std::string_view face, unsigned mask, Motion motion) {
    given_.push_back({std::string(face), mask, std::move(motion)});
  }
  /// Adds a support at rest.
  void add(std::string_view face, const SupportKind& kind) {
    given_.push_back({std::string(face), kind.components, {}, kind.directions});
  }
  /// Ends all supports given for the face at time t; returns true if there were any.
  bool release(std::string_view face, PetscReal t);

  int count() const { return static_cast<int>(given_.size()); }
  const Support& operator[](int number) const { return given_[static_cast<std::size_t>(number)]; }
  bool any_released() const;
  /// Returns true if no support moves.
  bool at_rest() const;
  /// Returns the faces under support, each once, in the order given.
  std::vector<std::string> faces() const;

  /// Returns true if a support has ended.
  bool over(const Support& given) const { return given.until <= ended_; }
  /// Records that a step has ended at t.
  void pass(PetscReal t);
  /// Ends the supports that have ended by then, or restores them after an earlier state has been loaded. Returns true
  /// if there were any.
  bool end_due();
  /// Returns the first end of a support later than t; infinite: there is none.
  PetscReal next_end(PetscReal t) const;
  /// Visits the data that pass() changes. OptionError if a support has ended in the loaded state that does not end
  /// here.
  void archive(Archive& state);

 private:
  std::vector<Support> given_;
  /// Supports with ends up to these times have ended, or are due to end.
  PetscReal ended_ = -std::numeric_limits<PetscReal>::infinity(), due_ = ended_;
};

}  // namespace gearshift::solid
