#pragma once

/// @file
/// The terms that make up a body's residual and its tangent.

#include "solid/operator/matrices/node_couplings.hpp"
#include "solid/operator/term/term_point.hpp"
#include "solid/operator/term/time_history.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gearshift::solid {

/// The derivatives of a term at one point. Several such objects may exist at once. Every call is collective.
class TermTangent {
 public:
  virtual ~TermTangent() = default;
  virtual void update(TermPoint& x) = 0;
  /// Makes this linearization the one of the term's levels (Term::on()), which several tangents share.
  virtual void give_to_levels() {}
  virtual void add_apply(TermProduct& product) = 0;
  /// Adds to d the diagonal of s.q R_q + s.v R_v + s.a R_a.
  virtual void add_diagonal(Shifts s, NodalSum& d) = 0;
  /// Adds R_qq[direction, in] to out. Returns false if the derivative is not available.
  virtual bool add_stiffness_derivative(const NodalValues& direction, const NodalValues& in, NodalSum& out) = 0;
};

/// The contribution of a term to a multigrid level: a positive semi-definite approximation of its tangent or of the
/// tangent's symmetric part, close enough for a preconditioner.
class LevelTerm {
 public:
  virtual ~LevelTerm() = default;
  /// Adds to the blocks of the level's nodes, including the parts of ghosts. Collective.
  virtual void add_blocks(Shifts, NodeBlocks&) const {}
  /// Adds the stiffness between nodes that no cell joins. Collective.
  virtual void add_couplings(Shifts, std::vector<NodeCouplings>&) const {}
};

/// A part of R in addition to elasticity and inertia. Every call is collective; errors are thrown on all ranks.
class Term {
 public:
  virtual ~Term() = default;
  /// Adds this part of R at x to r.
  virtual void add_residual(TermPoint& x, SharedSum& r) = 0;
  /// Returns the faces on which it acts; empty if it acts inside the body.
  virtual std::vector<std::string> faces() const { return {}; }
  /// Adds the part of the residual that acts on one of these faces.
  virtual void add_residual_on(const std::string& face, TermPoint& x, SharedSum& r) {
    (void)face;
    add_residual(x, r);
  }
  /// Creates the tangent; nullptr if this part does not depend on the motion.
  virtual std::unique_ptr<TermTangent> make_tangent() = 0;
  /// Adds the energy that this part stores, supplies and dissipates, summed over all ranks.
  virtual void add_energy(TermPoint& x, Energy& energy) = 0;
  /// Adds to p the momenta of the mass that this part adds.
  virtual void add_momentum(TermPoint&, SharedSum&) {}
  /// Returns true if it is or contains a load that acts at all times.
  virtual bool steady() const { return false; }
  /// Returns the loads that vary with time: steps end where they jump or have a kink, and do not skip a pulse.
  virtual std::vector<TimeHistory> time_histories() const { return {}; }
  /// Returns true if its tangent is symmetric. If any term has an unsymmetric tangent, GMRES is the Krylov method, in
  /// its flexible form if levels are in single precision.
  virtual bool symmetric() const { return true; }
  /// Creates the contribution on a space of another degree of the same mesh; nullptr: levels ignore this term.
  virtual std::unique_ptr<LevelTerm> on(const Space&) const { return nullptr; }
  /// Return the memory on this rank [bytes]: of the term, of one tangent, and of the result of on() for a space of that
  /// degree.
  virtual double bytes() const = 0;
  virtual double tangent_bytes() const { return 0; }
  virtual double level_bytes(int degree) const {
    (void)degree;
    return 0;
  }
};

}  // namespace gearshift::solid
