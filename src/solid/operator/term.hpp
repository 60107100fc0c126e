#pragma once

/// @file
/// The terms that make up a body's residual and its tangent.

#include "solid/operator/node_blocks.hpp"
#include "solid/operator/term_point.hpp"
#include "solid/operator/time_history.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gearshift::solid {

/// The derivatives of a term at one point. Several may live at once. Every call is collective.
class TermTangent {
 public:
  virtual ~TermTangent() = default;
  virtual void update(TermPoint& x) = 0;
  virtual void add_apply(TermProduct& product) = 0;
  /// d += the diagonal of s.q R_q + s.v R_v + s.a R_a
  virtual void add_diagonal(Shifts s, NodalSum& d) = 0;
  /// out += R_qq[direction, in]; false: it cannot.
  virtual bool add_stiffness_derivative(const NodalValues& direction, const NodalValues& in, NodalSum& out) = 0;
};

/// What a term adds to a level of the multigrid: of its tangent, or of the symmetric part of that, something positive
/// semi-definite and close enough for a preconditioner, node by node.
class LevelTerm {
 public:
  virtual ~LevelTerm() = default;
  /// Adds to the blocks of the level's nodes, ghosts' parts included. Collective.
  virtual void add_blocks(Shifts s, NodeBlocks& blocks) const = 0;
};

/// A part of R besides elasticity and inertia. Every call is collective; errors are thrown on all ranks.
class Term {
 public:
  virtual ~Term() = default;
  /// r += this part of R at x
  virtual void add_residual(TermPoint& x, SharedSum& r) = 0;
  /// The faces that it acts on; none for what acts inside the body.
  virtual std::vector<std::string> faces() const { return {}; }
  /// The same of one of these faces alone.
  virtual void add_residual_on(const std::string& face, TermPoint& x, SharedSum& r) {
    (void)face;
    add_residual(x, r);
  }
  /// nullptr: this part does not depend on the motion.
  virtual std::unique_ptr<TermTangent> make_tangent() = 0;
  /// Adds what this part stores, puts in and takes out, of all ranks.
  virtual void add_energy(TermPoint& x, Energy& energy) = 0;
  /// p += the momenta of what this part adds to the mass
  virtual void add_momentum(TermPoint&, SharedSum&) {}
  /// Whether it is a load that acts all the time.
  virtual bool steady() const { return false; }
  /// What of it varies with time: steps end where these jump or have a kink, and do not pass over a pulse.
  virtual std::vector<TimeHistory> time_histories() const { return {}; }
  /// Whether its tangent is symmetric. With terms that are not, GMRES is the Krylov method, flexible where levels are
  /// float.
  virtual bool symmetric() const { return true; }
  /// On a space of another degree of the same mesh; nullptr: levels do without it.
  virtual std::unique_ptr<LevelTerm> on(const Space&) const { return nullptr; }
  /// Memory on this rank [bytes]: of the term, of one tangent, and of what on() makes of it for a space of that degree.
  virtual double bytes() const = 0;
  virtual double tangent_bytes() const { return 0; }
  virtual double level_bytes(int degree) const {
    (void)degree;
    return 0;
  }
};

}  // namespace gearshift::solid
