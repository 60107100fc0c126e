#pragma once

/// @file
/// Multigrid over polynomial degrees in single precision, as a PCSHELL.

#include "solid/multigrid.hpp"
#include "solid/single_smoother.hpp"
#include "solid/single_transfer.hpp"

namespace gearshift::solid {

/// One V-cycle on float levels over the assembled degree 1 in double. The residual that comes in is scaled by a power of
/// two to a size near 1, so that nothing leaves float's range. Rounding makes the cycle symmetric to about 1e-6 only; no
/// difference in the iterations of CG to double levels has been seen.
/// Keys: SmootherOptions', and `-mg_coarse_*` for the KSP of degree 1.
class SingleMultigrid : public Multigrid {
 public:
  SingleMultigrid(const Mesh& mesh, const Operator& fine, const Supports& supports,
                  const std::vector<Material>& material, const KernelOptions& kernels);
  ~SingleMultigrid() override;

  void configure(PC pc) override;
  bool drives(PC pc) const override;
  void update(Tangent& tangent, Shifts s, PC pc) override;

 private:
  struct Level;
  void apply(Vec residual, Vec correction);
  void cycle(std::size_t level);
  void solve_coarse();
  void view(PetscViewer viewer) const;

  MPI_Comm comm_;
  std::vector<std::unique_ptr<Level>> levels_;              // finest first, without degree 1
  std::vector<std::unique_ptr<SingleTransfer>> transfers_;  // [i] from level i to the next one
  std::unique_ptr<Space> corners_;
  std::unique_ptr<Supports> corner_supports_;
  petsc::Handle<Mat> corner_matrix_;
  petsc::Handle<Vec> corner_residual_, corner_correction_, corner_displacement_;
  std::vector<float> corner_values_;  // what goes through the last transfer, either way
  petsc::Handle<KSP> coarse_;
  SmootherOptions smoothing_;
};

}  // namespace gearshift::solid
