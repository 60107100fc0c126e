/// The replacement of float levels whose cycles return NaN, infinity or only zeros.

#include "solid/multigrid/float_multigrid.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace gearshift::solid {

using petsc::check;

/// Returns true if the correction is finite, and not zero where the residual has forces.
template <class T>
bool ShellMultigrid<T>::answers(std::span<const PetscScalar> r, std::span<const PetscScalar> z) const {
  const auto moves = [](PetscScalar entry) { return entry != 0; };
  const auto& held = finest_.supports.constraints().entries();
  const auto held_forces =
      std::count_if(held.begin(), held.end(), [&](PetscInt entry) { return r[static_cast<std::size_t>(entry)] != 0; });
  // In constrained entries the correction equals the force.
  std::array<int, 3> found{
      std::any_of(z.begin(), z.end(), [](PetscScalar entry) { return !std::isfinite(entry); }) ? 1 : 0,
      std::count_if(r.begin(), r.end(), moves) > held_forces ? 1 : 0,
      std::count_if(z.begin(), z.end(), moves) > held_forces ? 1 : 0};
  check(MPI_Allreduce(MPI_IN_PLACE, found.data(), 3, MPI_INT, MPI_MAX, finest_.mesh.comm()));
  return found[0] == 0 && found[1] <= found[2];
}

template <class T>
void ShellMultigrid<T>::repair(Vec residual, Vec correction) {
  if (!std::exchange(rebuilt_, true)) {
    ++finest_.repairs.rebuilt;
    update(*tangent_, shifts_, nullptr);
    if (correct(residual, correction)) return;
  }
  finest_.repairs.in_double = true;
  check(PetscFPrintf(finest_.mesh.comm(), PETSC_STDERR,
                     "note: the preconditioner's levels in single precision produced NaN, infinity or only zeros, also "
                     "after a rebuild: moduli, their contrast or the units exceed the range of single precision; "
                     "continuing with levels in double precision\n"));
  in_double_ = std::make_unique<ShellMultigrid<double>>(finest_);
  in_double_->read_options(prefix_.empty() ? nullptr : prefix_.c_str());
  in_double_->update(*tangent_, shifts_, nullptr);
  in_double_->apply(residual, correction);
}

std::unique_ptr<Multigrid> make_shell_multigrid(const FinestLevel& finest) {
  if (finest.repairs.in_double || !finest.kernels.single_levels)
    return std::make_unique<ShellMultigrid<double>>(finest);
  return std::make_unique<FloatMultigrid>(finest);
}

template bool ShellMultigrid<float>::answers(std::span<const PetscScalar>, std::span<const PetscScalar>) const;
template bool ShellMultigrid<double>::answers(std::span<const PetscScalar>, std::span<const PetscScalar>) const;
template void ShellMultigrid<float>::repair(Vec, Vec);

}  // namespace gearshift::solid
