#pragma once

/// @file
/// Clamps, rollers and prescribed motion.

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/solid/space.hpp>

#include "solid/constraints/constraints.hpp"
#include "solid/constraints/node_directions.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gearshift::solid {

/// The constrained entries and their motion. If an entry has several supports, the one given last applies; if another
/// one requires a different displacement, a warning is printed, once. Rollers, which hold directions such as the
/// normals of faces, hold the components that no other support gives: some of their entries are constrained and
/// depend() on others.
///
/// Supports may end during the motion: pass() records the time that the motion has reached; apply_changes() removes the
/// supports that have ended by then, or restores them after an earlier state has been loaded. Nothing changes in
/// between.
class Supports {
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
  bool any_released() const {
    return std::any_of(given_.begin(), given_.end(), [](const Given& given) { return std::isfinite(given.until); });
  }

  /// Must be called once. Collective. MeshError for unknown faces.
  void set_up(const Space& space);

  /// Returns the same supports on another space of the mesh. Collective.
  Supports on(const Space& space) const {
    Supports other;
    other.given_ = given_;
    other.ended_ = ended_;
    other.set_up(space);
    return other;
  }

  /// Records that a step has ended at t.
  void pass(PetscReal t);
  /// Applies the changes that pass() and archive() have made due. Collective.
  void apply_changes();
  /// Returns the number of times that apply_changes() has changed the supports.
  int changes() const { return changes_; }
  /// Returns the first end of a support later than t; infinite: there is none.
  PetscReal next_end(PetscReal t) const;
  /// Visits the data that pass() changes. OptionError if a support has ended in the loaded state that does not end
  /// here.
  void archive(Archive& state);

  /// Returns the resulting map u = C w. The reference stays valid when supports end.
  const Constraints& constraints() const { return constraints_; }
  /// Return the number of supports, and the number of the support that a constrained entry follows.
  std::size_t count() const { return given_.size(); }
  std::size_t support_of(std::size_t entry) const { return static_cast<std::size_t>(support_[entry]); }
  /// Returns true if rollers constrain an entry.
  bool on_rollers(std::size_t entry) const {
    return constraints_.held(entry) && given_[static_cast<std::size_t>(support_[entry])].rollers();
  }
  /// Returns true if a local node never moves along `direction`, whose components below `flat` are ignored.
  bool stays(std::size_t node, Vec3 direction, double flat) const;
  /// Returns the faces under support, each once, in the order given.
  std::vector<std::string> faces() const;
  /// Calls add(number among faces(), owned node, force) for the forces of the supports, where `reactions` is R: each
  /// entry counts for the support that it follows, and forces of rollers are split along the directions of their
  /// supports.
  void visit_reactions(const PetscScalar* reactions,
                       const std::function<void(std::size_t, std::size_t, const Vec3&)>& add) const;
  /// Returns true if no support moves.
  bool at_rest() const {
    return std::none_of(given_.begin(), given_.end(),
                        [this](const Given& given) { return given.motion && !over(given); });
  }
  /// Returns true if supports, at rest or moving, prevent every rigid motion. Collective.
  bool hold_body() const;
  /// Returns true if supports at rest prevent every rigid motion. Collective.
  bool fix_body() const { return at_rest() && hold_body(); }
  /// Writes s g, s g', s g'' at time t. NaN throws Error on all ranks. Collective.
  void prescribe(PetscReal t, PetscReal s, Vec q, Vec v, Vec a);

 private:
  static constexpr PetscReal never = std::numeric_limits<PetscReal>::infinity();
  struct Given {
    std::string face;
    unsigned mask;
    Motion motion;
    AddDirections directions = nullptr;
    PetscReal until = never;

    bool rollers() const { return directions != nullptr; }
  };
  /// An owned entry that two supports claim, one or both of which move.
  struct Rivals {
    std::size_t entry;
    int obeyed, ignored;
  };
  /// Returns the roller at a place of NodeDirections::supports.
  const Given& roller(std::size_t place) const { return given_[static_cast<std::size_t>(rollers_[place])]; }
  /// Returns true if a support has ended.
  bool over(const Given& given) const { return given.until <= ended_; }
  void find_entries();
  /// Adds the entries held by rollers to support_; returns the entries that depend on others. Collective.
  std::vector<DependentEntry> find_dependent();
  /// Returns for each node the greatest number of a support for which `counts`(node, number) is true; -1: none.
  /// Collective.
  std::vector<int> last_at_nodes(const std::function<bool(std::size_t, int)>& counts) const;
  /// Returns the same number for each entry, among supports that constrain it and for which `counts`(entry, number) is
  /// true.
  std::vector<int> last_support(const std::function<bool(std::size_t, int)>& counts) const;
  void find_rivals();
  PetscReal displacement(int support, PetscReal t, std::size_t entry) const;
  void warn_of_contradictions(PetscReal t);

  const Space* space_ = nullptr;
  PetscReal ended_ = -never, due_ = -never;  // supports with ends up to these times have ended, or are due to end
  int changes_ = 0;
  std::vector<Given> given_;
  std::vector<Rivals> rivals_;
  /// True if some rank has rivals, and no warning has been given; unknown before the first prescribe().
  std::optional<bool> may_contradict_;
  PetscReal size_ = 0;  // of the body, if there may be contradictions
  std::vector<int> support_;
  mutable std::optional<bool> holds_;  // result of hold_body(), computed at the first call, so never on coarse levels
  std::map<PetscInt, NodeDirections> directions_;  // of local nodes on rollers; their supports are places in rollers_
  std::vector<int> rollers_;                       // the numbers of rollers that have not ended
  Constraints constraints_;
};

}  // namespace gearshift::solid
