#include "solid/multigrid/damped_multigrid.hpp"

#include "petsc/definite_pc.hpp"
#include "solid/material/scaled.hpp"
#include "solid/multigrid/float_multigrid.hpp"
#include "solid/multigrid/shell_context.hpp"

#include <cmath>

namespace gearshift::solid {

using petsc::check;

namespace {
/// Levels follow changes of the factors by more than this part, as they follow others of the shifts.
constexpr PetscReal allowed_change = 0.1;

PetscReal ratio(PetscReal a, PetscReal b) { return a != 0 && b != 0 ? a / b : 0; }
}  // namespace

DampedMultigrid::DampedMultigrid(const FinestLevel& finest)
    : Multigrid(finest), body_(finest), no_terms_(finest.op.space()), material_(finest.material) {}

DampedMultigrid::~DampedMultigrid() = default;

void DampedMultigrid::configure(PC pc) {
  const char* prefix = nullptr;
  check(PCGetOptionsPrefix(pc, &prefix));
  check(PCSetType(pc, PCSHELL));
  check(PCShellSetName(pc, "multigrid of the body with its regions' damping"));
  check(PCShellSetContext(pc, this));
  check(PCShellSetApply(pc, [](PC shell, Vec in, Vec out) -> PetscErrorCode {
    return with_context<DampedMultigrid>(shell,
                                         [&](DampedMultigrid& self) { check(PCApply(self.levels_.get(), in, out)); });
  }));
  check(PCShellSetView(pc, [](PC shell, PetscViewer viewer) -> PetscErrorCode {
    return with_context<DampedMultigrid>(shell,
                                         [&](DampedMultigrid& self) { check(PCView(self.levels_.get(), viewer)); });
  }));
  check(PCCreate(body_.mesh.comm(), levels_.out()));
  check(PCSetOptionsPrefix(levels_.get(), prefix));
  take_factors({1, 0, 1});
}

bool DampedMultigrid::drives(PC pc) const {
  PetscBool shell = PETSC_FALSE;
  void* context = nullptr;
  check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(pc), PCSHELL, &shell));
  if (shell) check(PCShellGetContext(pc, &context));
  return context == this;
}

void DampedMultigrid::take_factors(Shifts s) {
  const Shifts wanted{ratio(s.v, s.q), 0, ratio(s.v, s.a)};
  const auto close = [](PetscReal a, PetscReal b) { return std::abs(a - b) <= allowed_change * std::abs(a); };
  if (tangent_ && close(factors_.q, wanted.q) && close(factors_.a, wanted.a)) return;
  factors_ = wanted;
  // Before what they refer to.
  tangent_.reset();
  check(PCSetType(levels_.get(), PCNONE));
  material_ = body_.material.transformed([&](const Material& m) {
    return scaled(m, 1 + m.rayleigh_stiffness * wanted.q, 1 + m.rayleigh_mass * wanted.a);
  });
  op_ = std::make_unique<Operator>(body_.op.space(), body_.supports, material_, body_.kernels);
  tangent_ = std::make_unique<Tangent>(*op_, no_terms_, body_.supports);
  give_to(levels_.get(), make_shell_multigrid(
                             {body_.mesh, *op_, body_.terms, body_.supports, material_, body_.kernels, body_.repairs}));
}

void DampedMultigrid::update(Tangent& tangent, Shifts s, PC pc) {
  take_factors(s);
  State x;
  x.q = tangent.displacement();
  x.internal.rate = tangent.history().rate;
  tangent_->update(x);
  Mat operators = nullptr, given = nullptr;
  check(PCGetOperators(pc, &operators, &given));
  check(PCSetOperators(levels_.get(), operators, given));
  of(levels_.get())->update(*tangent_, s, levels_.get());
}

bool DampedMultigrid::is_definite() const { return petsc::is_known_definite(levels_.get()); }

}  // namespace gearshift::solid
