#pragma once

/// @file
/// Multigrid over polynomial degrees.

#include "solid/multigrid/level.hpp"
#include "solid/operator/tangent.hpp"

#include <petscksp.h>

#include <memory>
#include <string>

namespace gearshift::solid {

/// Degrees p, p/2 (rounded up), ..., 1 on one mesh, matrix-free and smoothed by Chebyshev/Jacobi, over an algebraic
/// solver of degree 1. Constrained entries are identity on every level.
/// (p-multigrid on an algebraic coarse level: Brown et al., Performance portable solid mechanics via matrix-free
/// p-multigrid, 2022; Chebyshev smoothing: Adams et al., J. Comput. Phys. 188, 2003.)
class Multigrid {
 public:
  explicit Multigrid(const FinestLevel& finest)
      : supports_(finest.supports), repairs_(finest.repairs), changes_(supports_.changes()), loaded_(repairs_.loaded) {}
  virtual ~Multigrid() = default;
  /// Returns true if the supports have changed since it was built, or a state with levels of the other precision was
  /// loaded.
  bool outdated() const { return supports_.changes() != changes_ || repairs_.loaded != loaded_; }
  /// Turns the PC into this multigrid. The multigrid then lives as long as the PC; every solver has a separate one.
  /// Collective.
  static void give_to(PC pc, std::unique_ptr<Multigrid> multigrid);
  /// Returns the multigrid of a PC that is still in the state in which give_to() left it (users' options are read
  /// later), otherwise nullptr.
  static Multigrid* of(PC pc);
  /// Rebuilds the levels at the tangent's point with these shifts. Collective.
  virtual void update(Tangent& tangent, Shifts s, PC pc) = 0;
  /// Moves only the parts that are not levels to the tangent; called when the levels are kept.
  virtual void keep(Tangent&, Shifts) {}
  /// Returns true if a PCSHELL of it, symmetric and in the state of the last update(), is known to be positive
  /// definite, whether or not the tangent is indefinite (petsc::is_known_definite()). Collective.
  virtual bool is_definite() const { return false; }

 protected:
  /// Must call become_shell() and set up the solvers inside of the multigrid.
  virtual void configure(PC pc) = 0;
  /// Turns the PC into a PCSHELL of this object, which calls apply() and view().
  void become_shell(PC pc, const std::string& name);

 private:
  virtual void apply(Vec residual, Vec correction) = 0;
  virtual void view(PetscViewer viewer) const = 0;

  const Supports& supports_;
  const LevelRepairs& repairs_;
  int changes_, loaded_;
};

/// Sets the defaults of a PCMG level's smoother: `steps` Chebyshev iterations with the preconditioner `smoothing`, from
/// `low` to 1.1 times the largest eigenvalue. CG estimates that eigenvalue, or GMRES if `smoothing` is a cycle (PCMG):
/// the coarse solve of a free body returns large rigid-body motions, whose rounding errors make the operator look
/// indefinite to CG. CG then stops, and PETSc reads an entry of its tridiagonal matrix that was never set.
void prefer_chebyshev(KSP smoother, PetscInt steps, PetscReal low, PCType smoothing);

}  // namespace gearshift::solid
