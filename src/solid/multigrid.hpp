#pragma once

/// @file
/// Multigrid over polynomial degrees, on PETSc's PCMG.

#include "solid/corner_matrix.hpp"
#include "solid/tangent.hpp"

#include <petscksp.h>

#include <memory>
#include <vector>

namespace gearshift::solid {

/// Degrees p, p/2, ..., 1 on one mesh. Levels above 1 are matrix-free and smoothed by Chebyshev/Jacobi, degree 1 is
/// assembled as the Galerkin restriction of the level above it and solved by one cycle of PCGAMG. Constrained entries
/// are identity on every level. Users tune it by PCMG's keys (`-mg_levels_*`, `-mg_coarse_*`).
/// (p-multigrid on an algebraic coarse level: Brown et al., Performance portable solid mechanics via matrix-free
/// p-multigrid, 2022; Chebyshev smoothing: Adams et al., J. Comput. Phys. 188, 2003.)
class Multigrid {
 public:
  Multigrid(const Mesh& mesh, const Operator& fine, const Supports& supports, const std::vector<Material>& material,
            const KernelOptions& kernels);

  /// Makes the PC a PCMG of these levels. Collective.
  void configure(PC pc) const;
  /// Rebuilds the levels at the tangent's point with these shifts. Collective.
  void update(Tangent& tangent, Shifts s, PC pc);

 private:
  struct Level;
  struct Transfer;
  std::vector<std::unique_ptr<Level>> levels_;        // finest first; the last has degree 1
  std::vector<std::unique_ptr<Transfer>> transfers_;  // [i] between levels i + 1 and i

 public:
  ~Multigrid();
};

}  // namespace gearshift::solid
