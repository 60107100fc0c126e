#pragma once

/// @file
/// What happened in the contacts of a run.

#include <gearshift/solid/body.hpp>

namespace gearshift::io {
class Summary;
}

namespace gearshift::app {

class ContactResult {
 public:
  /// Evaluates the contacts of the body up to a state. Collective.
  ContactResult(const solid::Body& body, const State& x)
      : comm_(body.space().comm()), reports_(body.contact_reports(x)) {}

  /// Prints a warning for each contact that overlaps its obstacle by more than rounding. Collective.
  void warn_of_overlaps() const;
  /// Adds contact_<name>_pressure, _penetration, _area and _gap (ContactReport).
  void add_to(io::Summary& summary) const;
  /// Prints these values on the screen, or that the body never touched the obstacle. Collective.
  void print() const;

 private:
  MPI_Comm comm_;
  std::vector<solid::ContactReport> reports_;
};

}  // namespace gearshift::app
