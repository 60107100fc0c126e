#pragma once

/// @file
/// Clamps, rollers and prescribed motion.

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/solid/space.hpp>

#include "solid/constraints/constraints.hpp"
#include "solid/constraints/node_normals.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gearshift::solid {

/// Which entries are constrained, and how they move. Of several supports of an entry the last one given is obeyed;
/// where another one asks for a different displacement, a warning says so, once. Rollers along the normals of faces
/// hold what no other support gives: of their entries some are constrained and depend() on others.
///
/// Supports may end on the way: pass() tells how far the motion has come, settle() lets go of those that have ended by
/// then, or takes hold of them again where a state from before is restored. In between nothing changes.
class Supports {
 public:
  /// @param mask constrained components: bits 0, 1, 2; an empty `motion` holds them at 0.
  void add(std::string_view face, unsigned mask, Motion motion) {
    given_.push_back({std::string(face), mask, std::move(motion)});
  }
  /// Nodes of the face stay in the plane that touches the undeformed face there, or on the line of its edge.
  void add_rollers(std::string_view face) { given_.push_back({std::string(face), 0, {}, true}); }
  /// What was given for the face ends at time t; whether anything was.
  bool release(std::string_view face, PetscReal t);
  bool any_released() const {
    return std::any_of(given_.begin(), given_.end(), [](const Given& given) { return std::isfinite(given.until); });
  }

  /// To be called once. Collective. MeshError for unknown faces.
  void set_up(const Space& space);

  /// The same supports on another space of the mesh. Collective.
  Supports on(const Space& space) const {
    Supports other;
    other.given_ = given_;
    other.ended_ = ended_;
    other.set_up(space);
    return other;
  }

  /// A step has ended at t.
  void pass(PetscReal t);
  /// Does what pass() and archive() have made due. Collective.
  void settle();
  /// How often settle() has changed the supports.
  int changes() const { return changes_; }
  /// The end, later than t, that comes first; infinite: none does.
  PetscReal next_end(PetscReal t) const;
  /// Visits what pass() changes. OptionError where a support has ended that does not end here.
  void archive(Archive& state);

  /// Returns the resulting map u = C w. The reference stays valid when supports end.
  const Constraints& constraints() const { return constraints_; }
  /// The number of supports, and that of the one which a constrained entry follows.
  std::size_t count() const { return given_.size(); }
  std::size_t support_of(std::size_t entry) const { return static_cast<std::size_t>(support_[entry]); }
  /// Whether rollers along normals constrain an entry.
  bool on_rollers(std::size_t entry) const {
    return constraints_.held(entry) && given_[static_cast<std::size_t>(support_[entry])].rollers;
  }
  /// Returns true if a local node never moves along `direction`, whose components below `flat` do not count.
  bool stays(std::size_t node, Vec3 direction, double flat) const;
  /// The faces under support, each once, in the order given.
  std::vector<std::string> faces() const;
  /// Calls add(number among faces(), owned node, force) for what supports exert where R is `reactions`: each entry
  /// counts for the support that it follows, and forces of rollers for the faces whose normals they are parts along.
  void visit_reactions(const PetscScalar* reactions,
                       const std::function<void(std::size_t, std::size_t, const Vec3&)>& add) const;
  /// Whether no support moves.
  bool at_rest() const {
    return std::none_of(given_.begin(), given_.end(),
                        [this](const Given& given) { return given.motion && !over(given); });
  }
  /// Returns true if supports, at rest or moving, leave no rigid motion open. Collective.
  bool hold_body() const;
  /// Returns true if supports at rest do. Collective.
  bool fix_body() const { return at_rest() && hold_body(); }
  /// Writes s g, s g', s g'' at time t. NaN throws Error on all ranks. Collective.
  void prescribe(PetscReal t, PetscReal s, Vec q, Vec v, Vec a);

 private:
  static constexpr PetscReal never = std::numeric_limits<PetscReal>::infinity();
  struct Given {
    std::string face;
    unsigned mask;
    Motion motion;
    bool rollers = false;
    PetscReal until = never;
  };
  /// An owned entry that two supports claim, at least one of which moves.
  struct Rivals {
    std::size_t entry;
    int obeyed, ignored;
  };
  /// Those of NodeNormals::faces.
  const Given& roller(std::size_t place) const { return given_[static_cast<std::size_t>(rollers_[place])]; }
  /// Whether a support has ended.
  bool over(const Given& given) const { return given.until <= ended_; }
  void find_entries();
  /// Adds what rollers along normals hold to support_; returns the entries that then depend on others. Collective.
  std::vector<DependentEntry> find_dependent();
  /// The greatest number of a support that `counts`, given the node and the number, at each node; -1: none. Collective.
  std::vector<int> last_at_nodes(const std::function<bool(std::size_t, int)>& counts) const;
  /// The same at each entry, of supports that constrain it and `counts`, given the entry and the number.
  std::vector<int> last_support(const std::function<bool(std::size_t, int)>& counts) const;
  void find_rivals();
  PetscReal displacement(int support, PetscReal t, std::size_t entry) const;
  void warn_of_contradictions(PetscReal t);

  const Space* space_ = nullptr;
  PetscReal ended_ = -never, due_ = -never;  // supports up to these times have ended, are to end
  int changes_ = 0;
  std::vector<Given> given_;
  std::vector<Rivals> rivals_;
  /// Whether some rank has rivals, and no warning has been given; unknown before the first prescribe().
  std::optional<bool> may_contradict_;
  PetscReal size_ = 0;  // of the body, where they may
  std::vector<int> support_;
  mutable std::optional<bool> holds_;  // see hold_rigidly(); found when it is asked for, so never on coarse levels
  std::map<PetscInt, NodeNormals> normals_;  // of local nodes on rollers; of faces by their places in rollers_
  std::vector<int> rollers_;                 // the numbers of rollers that have not ended
  Constraints constraints_;
};

}  // namespace gearshift::solid
