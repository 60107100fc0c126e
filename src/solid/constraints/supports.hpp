#pragma once

/// @file
/// Clamps, rollers and prescribed motion.

#include <gearshift/solid/space.hpp>

#include "solid/constraints/constraints.hpp"
#include "solid/constraints/node_directions.hpp"
#include "solid/constraints/support_list.hpp"

#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace gearshift::solid {

/// The constrained entries of a space and their motion, by a list of supports. If an entry has several supports, the
/// one given last applies; if another one requires a different displacement, a warning is printed, once. Rollers, which
/// hold directions such as the normals of faces, hold the components that no other support gives: some of their entries
/// are constrained and depend() on others. Supports that end change nothing before apply_changes().
class Supports {
 public:
  /// The supports. They are given before set_up().
  SupportList& list() { return list_; }
  const SupportList& list() const { return list_; }

  /// Must be called once. Collective. MeshError for unknown faces.
  void set_up(const Space& space);

  /// Returns the same supports on another space of the mesh. Collective.
  Supports on(const Space& space) const {
    Supports other;
    other.list_ = list_;
    other.set_up(space);
    return other;
  }

  /// Ends or restores the supports that are due (SupportList::end_due()). Collective.
  void apply_changes();
  /// Returns the number of times that apply_changes() has changed the supports.
  int changes() const { return changes_; }

  /// Returns the resulting map u = C w. The reference stays valid when supports end.
  const Constraints& constraints() const { return constraints_; }
  /// Returns the number of the support that a constrained entry follows.
  std::size_t support_of(std::size_t entry) const { return static_cast<std::size_t>(support_[entry]); }
  /// Returns true if rollers constrain an entry.
  bool on_rollers(std::size_t entry) const { return constraints_.held(entry) && list_[support_[entry]].rollers(); }
  /// Returns true if a local node never moves along `direction`, whose components below `flat` are ignored.
  bool stays(std::size_t node, Vec3 direction, double flat) const;
  /// Calls add(number among list().faces(), owned node, force) for the forces of the supports, where `reactions` is R:
  /// each entry counts for the support that it follows, and forces of rollers are split along the directions of their
  /// supports.
  void visit_reactions(const PetscScalar* reactions,
                       const std::function<void(std::size_t, std::size_t, const Vec3&)>& add) const;
  /// Returns true if supports, at rest or moving, prevent every rigid motion. Collective.
  bool hold_body() const;
  /// Returns true if supports at rest prevent every rigid motion. Collective.
  bool fix_body() const { return list_.at_rest() && hold_body(); }
  /// Writes s g, s g', s g'' at time t. NaN throws Error on all ranks. Collective.
  void prescribe(PetscReal t, PetscReal s, Vec q, Vec v, Vec a);

 private:
  /// An owned entry that two supports claim, one or both of which move.
  struct Rivals {
    std::size_t entry;
    int obeyed, ignored;
  };
  /// Returns the roller at a place of NodeDirections::supports.
  const Support& roller(std::size_t place) const { return list_[rollers_[place]]; }
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
  SupportList list_;
  int changes_ = 0;
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
