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

/// Returns the largest displacement of a node and its reference position. Collective.
Place greatest_displacement(const solid::Space& space, Vec q);

class EquilibriumResult {
 public:
  /// Evaluates the state of the stepper after Stepper::solve_static(). Collective.
  EquilibriumResult(const solid::Body& body, const Stepper& stepper);
  /// Adds displacement_max with its reference position, and reaction_<face>_fx, _fy, _fz.
  void add_to(io::Summary& summary) const;
  /// Prints these values on the screen. Collective.
  void print(MPI_Comm comm) const;

 private:
  Place displacement_;  ///< the greatest displacement, and the reference position of its node
  std::vector<std::pair<std::string, solid::Vec3>> reactions_;
};

}  // namespace gearshift::app
