#pragma once

/// @file
/// The solver of bodies with a separate pressure.

#include "solid/multigrid/multigrid.hpp"
#include "solid/multigrid/shell_matrix.hpp"

namespace gearshift::solid {

/// Multiplies by the inverse of A = K + B' L B, with B u the projected dilatation and L = lambda - soft lambda. With
/// the pressures p = L B u as separate unknowns, the system
///     (K  B') (u)   (r)
///     (L B -1) (p) = (0)
/// is as easy at nu = 0.4999 as at 0.4: K is the stiffness of a body with lambda <= mu
/// (BulkPressure::most_in_soft_part), so that multigrid can be used for it, and the Schur complement of the pressures,
/// 1 + L B K^-1 B', is close to 1 + L / (2 mu + soft lambda) in every cell. Flexible GMRES solves the system, with the
/// upper triangle of these two blocks as its preconditioner, until the residual of A u = r is as small as the outer
/// Krylov method requests; the outer method then takes one or two steps. If 600 inner iterations leave more than a
/// tenth of the residual, the correction is set to infinity, so that the outer method reports that the solve has
/// failed. (M. Benzi, G. Golub, J. Liesen, Acta Numerica 14, 2005, 10; augmented Lagrangians: M. Fortin, R. Glowinski,
/// 1983.)
///
/// Keys: those of FloatMultigrid, and `-mixed_ksp_*` of the inner iteration.
class MixedSolver : public Multigrid {
 public:
  /// The maximum number of vectors in GMRES's basis. At degree 1, constant pressures that alternate between
  /// neighbouring cells meet little resistance, and less on finer meshes, so that GMRES needs more vectors.
  static constexpr PetscInt max_vectors(int degree) { return degree == 1 ? 120 : 45; }

  /// @param finest     its Operator must have a bulk()
  /// @param iterations is increased by the number of inner iterations; kept by reference
  MixedSolver(const FinestLevel& finest, PetscInt& iterations);
  ~MixedSolver() override;

  void update(Tangent& tangent, Shifts s, PC pc) override;
  void keep(Tangent& tangent, Shifts s) override;

 private:
  void configure(PC pc) override;

  void begin(KSP around);
  void apply(Vec residual, Vec correction) override;
  /// Returns true if the last inner iteration left a tenth of the residual or less.
  bool gained() const;
  void multiply(Vec in, Vec out);
  void precondition(Vec in, Vec out);
  void view(PetscViewer viewer) const override;

  MaterialTable soft_material_;
  FinestLevel soft_;
  Tangent* tangent_ = nullptr;
  Shifts shifts_;
  petsc::Handle<Vec> u_, force_, right_, left_;
  ShellMatrix mixed_, displacements_;
  petsc::Handle<PC> multigrid_;
  petsc::Handle<KSP> inner_;
  PetscReal asked_ = 0;  // the outer method's relative tolerance
  PetscInt solved_ = 0;  // the number of solves since begin()
  PetscInt& iterations_;
};

}  // namespace gearshift::solid
