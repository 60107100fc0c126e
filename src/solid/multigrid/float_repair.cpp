/// The replacement of float levels whose cycles return NaN, infinity or only zeros.

#include "solid/multigrid/float_multigrid.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace gearshift::solid {

using petsc::check;

void LevelRepairs::archive(Archive& state) {
  const Archive::Group group(state, "levels");
  const bool before = in_double;
  state("rebuilt", rebuilt);
  state("in_double", in_double);
  if (in_double != before) ++loaded;
}

template <class T>
typename ShellMultigrid<T>::Answer ShellMultigrid<T>::judge(std::span<const PetscScalar> r,
                                                            std::span<const PetscScalar> z) const {
  const auto moves = [](PetscScalar entry) { return entry != 0; };
  constexpr PetscReal infinite = std::numeric_limits<PetscReal>::infinity();  // PETSC_INFINITY is finite
  PetscReal size = 0;
  for (const PetscScalar entry : r) size = std::max(size, std::isfinite(entry) ? std::abs(entry) : infinite);
  const auto& held = finest_.supports.constraints().entries();
  const auto held_forces =
      std::count_if(held.begin(), held.end(), [&](PetscInt entry) { return r[static_cast<std::size_t>(entry)] != 0; });
  // In constrained entries the correction equals the force.
  const auto any_other = [&](std::span<const PetscScalar> of) {
    return std::count_if(of.begin(), of.end(), moves) > held_forces ? 1.0 : 0.0;
  };
  const bool bad = std::any_of(z.begin(), z.end(), [](PetscScalar entry) { return !std::isfinite(entry); });
  std::array<PetscReal, 4> found{size, bad ? 1.0 : 0.0, any_other(r), any_other(z)};
  check(MPI_Allreduce(MPI_IN_PLACE, found.data(), 4, MPIU_REAL, MPI_MAX, finest_.mesh.comm()));
  return {found[0], found[1] == 0 && found[2] <= found[3]};
}

template <class T>
void ShellMultigrid<T>::repair(Vec residual, Vec correction) {
  if (finest_.repairs.rebuilt == 0) {
    ++finest_.repairs.rebuilt;
    update(*at_.tangent, at_.shifts, nullptr);
    if (correct(residual, correction)) return;
  }
  finest_.repairs.in_double = true;
  check(PetscFPrintf(finest_.mesh.comm(), PETSC_STDERR,
                     "note: the preconditioner's levels in single precision produced NaN, infinity or only zeros, also "
                     "after a rebuild: moduli, their contrast or the units exceed the range of single precision; "
                     "continuing with levels in double precision\n"));
  in_double_ = std::make_unique<ShellMultigrid<double>>(finest_);
  in_double_->read_options(prefix_.empty() ? nullptr : prefix_.c_str());
  in_double_->update(*at_.tangent, at_.shifts, nullptr);
  in_double_->apply(residual, correction);
}

std::unique_ptr<Multigrid> make_shell_multigrid(const FinestLevel& finest) {
  if (finest.repairs.in_double || !finest.kernels.single_levels)
    return std::make_unique<ShellMultigrid<double>>(finest);
  return std::make_unique<FloatMultigrid>(finest);
}

template ShellMultigrid<float>::Answer ShellMultigrid<float>::judge(std::span<const PetscScalar>,
                                                                    std::span<const PetscScalar>) const;
template ShellMultigrid<double>::Answer ShellMultigrid<double>::judge(std::span<const PetscScalar>,
                                                                      std::span<const PetscScalar>) const;
template void ShellMultigrid<float>::repair(Vec, Vec);

}  // namespace gearshift::solid
