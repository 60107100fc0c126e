#pragma once

/// @file
/// Loads that do not depend on the motion.

#include "solid/operator/nodal.hpp"
#include "solid/operator/time_history.hpp"

#include <string>
#include <utility>

namespace gearshift::solid {

/// One load whose nodal forces depend on t alone; DeadLoads is the term of all of them.
class DeadLoad {
 public:
  explicit DeadLoad(TimeHistory course) : course_(std::move(course)) {}
  virtual ~DeadLoad() = default;
  DeadLoad(const DeadLoad&) = delete;
  DeadLoad& operator=(const DeadLoad&) = delete;

  /// sum += the nodal forces at time t of this rank's cells. Returns an empty text, or why that is not possible. Not
  /// collective.
  virtual std::string add_forces(PetscReal t, NodalSum& sum) const = 0;

  const TimeHistory& course() const { return course_; }
  /// What it acts on, by name; empty: the whole body, or nothing that has one.
  virtual const std::string& place() const { return course_.face; }

 protected:
  void set_course(TimeHistory course) { course_ = std::move(course); }
  /// The value at a point, with the text of add_forces() where it is not finite.
  Vec3 value(const std::string& name, PetscReal t, const Vec3& X, std::string& failure) const;

 private:
  TimeHistory course_;
};

}  // namespace gearshift::solid
