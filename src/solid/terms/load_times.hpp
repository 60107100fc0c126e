#pragma once

/// @file
/// How loads and prescribed motions vary with time.

#include <gearshift/dynamics/state.hpp>
#include <gearshift/solid/expression.hpp>
#include <gearshift/solid/space.hpp>

#include "solid/operator/time_history.hpp"

#include <optional>
#include <string>
#include <vector>

namespace gearshift::solid {

/// A load as it is given: by a formula, or by a function.
TimeHistory course_of(std::string_view face, const VectorExpression& load);
TimeHistory course_of(std::string_view face, const Expression& load);
TimeHistory course_of(std::string_view face, Field load, bool steady);
TimeHistory course_of(std::string_view face, ScalarField load, bool steady);
/// The same of prescribed displacements.
TimeHistory course_of_motion(std::string_view face, const VectorExpression& motion);
TimeHistory course_of_motion(std::string_view face, Motion motion);

/// Looks ahead in time at what moves a body, at a few places per load: the nodes that lie farthest along each axis.
///
/// Breaks come from formulas, whose branches know when they switch. That a step does not pass over a pulse is ensured
/// by samples: they differ from the straight line through the load at both ends of the step by at most a quarter of the
/// largest load. A sine of period T thus limits steps to about T/4; the error test does the rest.
class LoadTimes {
 public:
  /// Adds what is not steady.
  void add(TimeHistory course) {
    if (!course.steady) given_.push_back({std::move(course), {}});
  }

  /// Chooses the places. Once. Collective.
  void set_up(const Space& space);

  bool empty() const { return given_.empty(); }
  /// See System. The same on every rank; not collective.
  std::optional<Break> next_break(PetscReal t, PetscReal until) const;
  PetscReal resolved_step(PetscReal t, PetscReal dt) const;

  /// The time in [t, until] at which each load is largest; how long they last, as the longest integral of one divided
  /// by its largest value; and the largest acceleration of prescribed motions.
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
