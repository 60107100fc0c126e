#pragma once

/// @file
/// The solver of bodies with a pressure of their own.

#include "solid/multigrid/multigrid.hpp"
#include "solid/multigrid/shell_matrix.hpp"

#include <memory>
#include <vector>

namespace gearshift::solid {

/// One product with the inverse of A = K + B' L B, B u the projected dilatation and L = lambda - soft lambda. With the
/// pressures p = L B u as unknowns of their own the system
///     (K  B') (u)   (r)
///     (L B -1) (p) = (0)
/// is as easy at nu = 0.4999 as at 0.4: K is a body that lambda <= 4 mu holds, for which there is multigrid, and the
/// pressures' own matrix, 1 + L B K^-1 B', is close to 1 + L / (2 mu + soft lambda) in every cell. Flexible GMRES
/// solves
/// it, with the upper triangle of these two as its preconditioner, until what is left of A u = r is as small as the
/// Krylov method around it asks for: that method takes one or two steps. If 600 inner iterations leave more than a
/// tenth of the residual, the correction is infinite, which tells the method around it that the solve has failed.
/// (M. Benzi, G. Golub, J. Liesen, Acta Numerica 14, 2005, 10; augmented Lagrangians: M. Fortin, R. Glowinski, 1983.)
///
/// Keys: those of FloatMultigrid, and `-mixed_ksp_*` of the inner iteration.
class MixedSolver : public Multigrid {
 public:
  /// Vectors of GMRES's basis at most. Constant pressures of neighbours that alternate resist little at degree 1, and
  /// the
  /// less the finer the mesh, so that it takes more of them.
  static constexpr PetscInt max_vectors(int degree) { return degree == 1 ? 120 : 45; }

  /// @param finest     its Operator has a bulk()
  /// @param iterations are counted there, and are kept by reference
  MixedSolver(const FinestLevel& finest, PetscInt& iterations);
  ~MixedSolver() override;

  void update(Tangent& tangent, Shifts s, PC pc) override;
  void keep(Tangent& tangent, Shifts s) override;

 private:
  void configure(PC pc) override;
  bool drives(PC pc) const override;

  void begin(KSP around);
  void solve(Vec residual, Vec correction);
  /// Whether the last inner iteration left a tenth of the residual or less.
  bool gained() const;
  void multiply(Vec in, Vec out);
  void precondition(Vec in, Vec out);
  void view(PetscViewer viewer) const;

  const BulkPressure& bulk_;
  MaterialTable soft_material_;
  FinestLevel soft_;
  std::size_t size_;  // of this rank's displacements, which stand before its pressures
  Tangent* tangent_ = nullptr;
  Shifts shifts_;
  petsc::Handle<Vec> u_, force_, right_, left_;
  ShellMatrix mixed_, displacements_;
  petsc::Handle<PC> multigrid_;
  petsc::Handle<KSP> inner_;
  PetscReal asked_ = 0;  // relative to what the method around has to solve
  PetscInt solved_ = 0;  // since it began
  PetscInt& iterations_;
};

}  // namespace gearshift::solid
