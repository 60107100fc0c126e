#pragma once

/// @file
/// What all contacts have in common.

#include <gearshift/solid/contact.hpp>

#include "solid/material/material_table.hpp"
#include "solid/operator/term/term_sum.hpp"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gearshift::solid {

/// The forces of a Contact, with an obstacle (ObstacleContact) or between faces of the mesh (PairContact).
class ContactTerm : public Term {
 public:
  /// Sets w_0; to be called before the first evaluation if the contact has friction.
  void set_slip_speed(PetscReal speed) { slip_speed_ = speed; }
  PetscReal slip_speed() const { return slip_speed_; }
  bool has_friction() const { return given_.friction > 0; }
  /// Leaves the contact out of the residual, for estimates of the other loads.
  void ignore(bool ignored) { ignored_ = ignored; }

  /// Returns the state of the contact. Collective.
  virtual ContactReport report(TermPoint& x) = 0;
  /// Returns a time in which, if the accelerations stay as they are, no point of the faces penetrates by more than half
  /// a cell's depth, and none passes over the speeds up to w_0. Collective.
  virtual PetscReal safe_step(TermPoint& x) = 0;
  /// Forgets places and tractions, which a restart does not know.
  virtual void forget_slips() { slips_known_ = false; }
  /// Keeps places and tractions of an accepted state. In a static solution friction begins the next load step with
  /// them. Collective.
  virtual void remember(TermPoint& x) = 0;
  /// Computes the pressure per deformed area, g, and |w| if there is pressure, at local nodes: the pressure as the
  /// mean over the points around a node, 0 off the faces.
  /// Collective.
  virtual void fields(TermPoint& x, std::span<Vec3> values) = 0;
  /// Returns two sums over this rank's points, 0 unless the contact is stiffer than the cells: |now - before| and now +
  /// before, where `now` is the stiffness of a point in the levels and `before` that at the last levels_were_built().
  virtual std::pair<double, double> change_of_levels() const = 0;
  virtual void levels_were_built() = 0;

  std::vector<std::string> faces() const override { return {given_.name}; }
  bool symmetric() const override { return !has_friction() && viscosity_ == 0; }

 protected:
  ContactTerm(const Space& space, const Contact& given);

  /// The body behind a facet, which determines the stiffness of the contact.
  struct Layer {
    double depth;      // h: of the cell, divided by the degree [length]
    double stiffness;  // c M / h [force/length^3]
    double impedance;  // beta Z [force time/length^3]
    bool deforms;      // pressures are forces per deformed area: the law has finite strains
  };
  /// @param middle the centroid of the facet; the normal points out of the body
  Layer layer_behind(PetscInt cell, const Material& material, const Vec3& middle, const Vec3& normal) const;
  /// Returns false in statics, whose velocities have no meaning.
  static bool moves(const State& x) { return x.v && !x.at_rest && x.internal.rate != 0; }
  /// Returns the time in which a point with the distance `left` to go, the velocity `rate` and the acceleration `bend`
  /// along the normal penetrates by half a cell's depth; infinity if it turns back before.
  double time_to_penetrate(double left, double rate, double bend, double depth) const;
  /// Throws Error on all ranks if friction in statics needs the load steps before, which a restart does not know.
  void require_slips() const;
  /// Returns f(|w|/w_0) / |w|, and its derivative divided by |w|.
  std::pair<double, double> drag(const Vec3& w) const;
  /// Returns the time in which a velocity of sliding that changes at a rate passes over the speeds up to w_0.
  double time_to_change(const Vec3& w, const Vec3& faster) const;

  const Space& space_;
  Contact given_;
  PetscReal viscosity_ = 0, slip_speed_ = 0;
  bool ignored_ = false;
  bool slips_known_ = true;  // false after a restart: there is no friction in the state that was loaded
  std::string failure_;      // at some point of the last state
};

/// Leaves contacts out of the residual as long as it lives.
class WithoutContacts {
 public:
  explicit WithoutContacts(const TermSum& terms) : contacts_(terms.all_of<ContactTerm>()) { ignore(true); }
  ~WithoutContacts() { ignore(false); }
  WithoutContacts(const WithoutContacts&) = delete;
  WithoutContacts& operator=(const WithoutContacts&) = delete;

 private:
  void ignore(bool ignored) {
    for (ContactTerm* contact : contacts_) contact->ignore(ignored);
  }
  std::vector<ContactTerm*> contacts_;
};

}  // namespace gearshift::solid
