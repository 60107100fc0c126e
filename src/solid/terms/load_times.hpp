#pragma once

/// @file
/// How loads and prescribed motions vary with time.

#include <gearshift/dynamics/state.hpp>
#include <gearshift/solid/expression.hpp>
#include <gearshift/solid/space.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gearshift::solid {

/// Looks at what moves a body ahead of time, at a few places of each load: the nodes that lie farthest along each axis.
///
/// Breaks come from formulas, whose branches know when they change. That a step does not pass over a pulse is made sure
/// of by samples: between them and the straight line through the load at both ends of the step lies at most a quarter of
/// the largest load. A sine of period T thus limits steps to about T/4; the error test does the rest.
class LoadTimes {
 public:
  /// A load, or the acceleration of a prescribed motion. @param face empty: the whole body
  void add(std::string_view face, Field value, bool accelerates) {
    given_.push_back({std::string(face), std::move(value), {}, accelerates, {}});
  }
  /// The same written as a formula.
  void add(std::string_view face, const VectorExpression& formula, bool moves);

  /// Chooses the places. Once. Collective.
  void set_up(const Space& space);

  bool empty() const { return given_.empty(); }
  /// See System. The same on every rank; not collective.
  std::optional<Break> next_break(PetscReal t, PetscReal until) const;
  PetscReal resolved_step(PetscReal t, PetscReal dt) const;

  /// When the loads are largest in [t, until], each at its time; how long they last, the longest integral of one over its
  /// largest value; and the largest acceleration of prescribed motions.
  struct Peaks {
    std::vector<PetscReal> times;
    PetscReal duration = 0, acceleration = 0;
  };
  Peaks peaks(PetscReal t, PetscReal until) const;

 private:
  struct Given {
    std::string face;
    Field value;
    std::optional<VectorExpression> formula;
    bool moves;  ///< prescribes a displacement, whose second derivative acts as a load
    std::vector<Vec3> places;
  };
  std::vector<Given> given_;
};

}  // namespace gearshift::solid
