#pragma once

/// @file
/// The variation of loads and prescribed motions with time.

#include <gearshift/dynamics/state.hpp>
#include <gearshift/solid/expression.hpp>
#include <gearshift/solid/space.hpp>

#include "solid/operator/term/time_history.hpp"

#include <optional>
#include <vector>

namespace gearshift::solid {

/// Return the history of a load given by a formula or by a function.
TimeHistory course_of(std::string_view face, const VectorExpression& load);
TimeHistory course_of(std::string_view face, const Expression& load);
TimeHistory course_of(std::string_view face, Field load, bool steady);
TimeHistory course_of(std::string_view face, ScalarField load, bool steady);
/// Return the history of a prescribed displacement.
TimeHistory course_of_motion(std::string_view face, const VectorExpression& motion);
TimeHistory course_of_motion(std::string_view face, Motion motion);

/// Examines the loads and prescribed motions of a body ahead in time, at a few places per load: the nodes farthest
/// along each axis.
///
/// Jumps and kinks are found from formulas, whose branches provide their switching times. Samples ensure that a step
/// does not skip a pulse: they may differ from the straight line between the loads at both ends of the step by up to a
/// quarter of the largest load. A sine of period T thus limits steps to about T/4; the error test controls the rest.
class LoadTimes {
 public:
  /// Adds a history unless it is steady.
  void add(TimeHistory course) {
    if (!course.steady) given_.push_back({std::move(course), {}});
  }

  /// Chooses the places; must be called once. Collective.
  void set_up(const Space& space);

  bool empty() const { return given_.empty(); }
  /// See System. Both return the same value on every rank; not collective.
  std::optional<Break> next_break(PetscReal t, PetscReal until) const;
  PetscReal resolved_step(PetscReal t, PetscReal dt) const;

  /// The time in [t, until] at which each load is largest; the longest duration of a load, defined as its integral
  /// divided by its largest value; and the largest acceleration of prescribed motions.
  struct Peaks {
    std::vector<PetscReal> times;
    PetscReal duration = 0, acceleration = 0;
  };
  Peaks peaks(PetscReal t, PetscReal until) const;

 private:
  struct Given {
    TimeHistory course;
    std::vector<Vec3> places;
  };
  std::vector<Given> given_;
};

}  // namespace gearshift::solid
