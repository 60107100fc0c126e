#pragma once

/// @file
/// The results of an equilibrium: the greatest displacement, its place, and the reactions of the supports.

#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/solid/body.hpp>

#include "app/results/greatest.hpp"

#include <string>
#include <utility>
#include <vector>

namespace gearshift::io {
class Summary;
}

namespace gearshift::app {

class EquilibriumResult {
 public:
  /// Of the state that the stepper is in after Stepper::solve_static(). Collective.
  EquilibriumResult(const solid::Body& body, const Stepper& stepper);
  /// displacement_max with its place at rest, and reaction_<face>_fx, _fy, _fz.
  void add_to(io::Summary& summary) const;
  /// The same on the screen. Collective.
  void print(MPI_Comm comm) const;

 private:
  Place displacement_;  ///< the greatest, and where its node is at rest
  std::vector<std::pair<std::string, solid::Vec3>> reactions_;
};

}  // namespace gearshift::app
