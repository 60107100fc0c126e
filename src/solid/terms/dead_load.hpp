#pragma once

/// @file
/// Loads that do not depend on the motion.

#include "solid/operator/term/nodal.hpp"
#include "solid/operator/term/time_history.hpp"

#include <string>
#include <utility>

namespace gearshift::solid {

/// One load whose nodal forces depend only on t; DeadLoads is the term that contains all of them.
class DeadLoad {
 public:
  explicit DeadLoad(TimeHistory course) : course_(std::move(course)) {}
  virtual ~DeadLoad() = default;
  DeadLoad& operator=(DeadLoad&&) = delete;

  /// Adds the nodal forces of this rank's cells at time t to sum. Returns an empty text, or the reason why that is not
  /// possible. Not collective.
  virtual std::string add_forces(PetscReal t, NodalSum& sum) const = 0;

  const TimeHistory& course() const { return course_; }
  /// Returns the name of the face or point on which the load acts; empty: the whole body, or a place without a name.
  virtual const std::string& place() const { return course_.face; }

 protected:
  void set_course(TimeHistory course) { course_ = std::move(course); }
  /// Returns the value at a point; if it is not finite, writes the text of add_forces() to `failure`.
  Vec3 value(const std::string& name, PetscReal t, const Vec3& X, std::string& failure) const;

 private:
  TimeHistory course_;
};

}  // namespace gearshift::solid
