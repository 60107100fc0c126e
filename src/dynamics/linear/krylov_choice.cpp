#include "dynamics/linear/krylov_choice.hpp"

#include "dynamics/linear/constants.hpp"
#include "petsc/gmres.hpp"
#include "petsc/queries.hpp"

#include <algorithm>

namespace gearshift {

using petsc::check;
using petsc::Handle;

void KrylovChoice::set_up(KSP ksp, bool user_chosen) {
  ksp_ = ksp;
  user_chosen_ = user_chosen;
  ours_ = type();
  if (!user_chosen) petsc::use_long_basis(ksp_);
}

std::string KrylovChoice::type() const {
  KSPType name = nullptr;
  check(KSPGetType(ksp_, &name));
  return name ? name : "";
}

void KrylovChoice::set_type(const char* name) {
  if (type() != name) {
    check(KSPSetType(ksp_, name));
    petsc::use_long_basis(ksp_);
  }
  ours_ = name;
}

bool KrylovChoice::user_chosen() {
  user_chosen_ = user_chosen_ || type() != ours_;
  return user_chosen_;
}

void KrylovChoice::prefer(bool symmetric) {
  if (fallback_ != Fallback::none || user_chosen()) return;
  set_type(symmetric ? KSPCG : KSPGMRES);
}

bool KrylovChoice::met_indefinite() const {
  const KSPConvergedReason reason = petsc::reason_of(ksp_);
  return reason == KSP_DIVERGED_INDEFINITE_MAT || reason == KSP_DIVERGED_INDEFINITE_PC;
}

bool KrylovChoice::broke_down() const {
  const KSPConvergedReason reason = petsc::reason_of(ksp_);
  return reason == KSP_DIVERGED_NANORINF || reason == KSP_DIVERGED_PC_FAILED || reason == KSP_DIVERGED_BREAKDOWN ||
         reason == KSP_DIVERGED_DTOL;
}

bool KrylovChoice::ends_with_factors(Vec unknown) {
  return !user_chosen() && petsc::size_of(unknown) <= linear::max_dense_unknowns;
}

bool KrylovChoice::fall_back(Vec unknown) {
  if (user_chosen() || fallback_ == Fallback::dense) return false;
  const PetscInt unknowns = petsc::size_of(unknown);
  if (fallback_ == Fallback::none) {
    former_type_ = type();
    set_type(KSPFGMRES);
    const PetscInt basis = std::min(unknowns, linear::long_basis);
    check(KSPGMRESSetRestart(ksp_, basis));
    check(KSPGetTolerances(ksp_, nullptr, nullptr, nullptr, &former_max_));
    check(KSPSetTolerances(ksp_, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, std::min(former_max_, 2 * basis)));
    fallback_ = Fallback::flexible_gmres;
    if (unknowns > linear::few_unknowns) return true;
  }
  if (unknowns > linear::max_dense_unknowns) return false;
  fallback_ = Fallback::dense;
  if (!dense_) dense_ = std::make_unique<DenseFactor>();
  const PC pc = petsc::pc_of(ksp_);
  former_ = Handle<PC>::share(pc);
  Handle<PC> own;
  check(PCCreate(petsc::comm_of(ksp_), own.out()));
  dense_->use_in(own.get());
  check(KSPSetPC(ksp_, own.get()));
  return true;
}

void KrylovChoice::recover() {
  if (former_) check(KSPSetPC(ksp_, former_.get()));
  former_.reset();
  if (fallback_ != Fallback::none) {
    if (type() == ours_) set_type(former_type_.c_str());
    check(KSPSetTolerances(ksp_, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, former_max_));
  }
  fallback_ = Fallback::none;
}

std::string KrylovChoice::preconditioner() const {
  if (!ksp_) return {};  // a solve by a host's SNES
  const PC pc = petsc::pc_of(ksp_);
  const bool shell = petsc::is_of_type(pc, PCSHELL);
  const char* name = nullptr;
  if (shell) check(PCShellGetName(pc, &name));
  return name ? name : "";
}

void KrylovChoice::linearized(Mat tangent) {
  if (fallback_ == Fallback::dense) dense_->factor(tangent);
}

}  // namespace gearshift
