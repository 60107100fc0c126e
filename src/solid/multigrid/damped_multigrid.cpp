#include "solid/multigrid/damped_multigrid.hpp"

#include "petsc/definite_pc.hpp"
#include "solid/material/scaled.hpp"
#include "solid/multigrid/float_multigrid.hpp"

#include <cmath>

namespace gearshift::solid {

using petsc::check;

namespace {
/// Returns a / b rounded to four binary digits, so that small changes of the shifts do not change the levels, or 0 if a
/// or b is 0. The result depends only on the current shifts, as restarts require.
PetscReal ratio(PetscReal a, PetscReal b) {
  if (a == 0 || b == 0) return 0;
  int exponent = 0;
  const PetscReal digits = std::round(16 * std::frexp(a / b, &exponent)) / 16;
  return std::ldexp(digits, exponent);
}
}  // namespace

DampedMultigrid::DampedMultigrid(const FinestLevel& finest)
    : Multigrid(finest), body_(finest), no_terms_(finest.op.space()), material_(finest.material) {}

DampedMultigrid::~DampedMultigrid() = default;

void DampedMultigrid::configure(PC pc) {
  const char* prefix = nullptr;
  check(PCGetOptionsPrefix(pc, &prefix));
  become_shell(pc, "multigrid of the body, including the damping of its regions");
  check(PCCreate(body_.mesh.comm(), levels_.out()));
  check(PCSetOptionsPrefix(levels_.get(), prefix));
  take_factors({1, 0, 1});
}

void DampedMultigrid::apply(Vec residual, Vec correction) { check(PCApply(levels_.get(), residual, correction)); }

void DampedMultigrid::view(PetscViewer viewer) const { check(PCView(levels_.get(), viewer)); }

void DampedMultigrid::take_factors(Shifts s) {
  const Shifts wanted{ratio(s.v, s.q), 0, ratio(s.v, s.a)};
  if (tangent_ && factors_.q == wanted.q && factors_.a == wanted.a) return;
  factors_ = wanted;
  // The tangent and the levels are released before the objects to which they refer.
  tangent_.reset();
  check(PCSetType(levels_.get(), PCNONE));
  material_ = body_.material.transformed([&](const Material& m) {
    return scaled(m, 1 + m.rayleigh_stiffness * wanted.q, 1 + m.rayleigh_mass * wanted.a);
  });
  op_ = std::make_unique<Operator>(body_.op.space(), material_, body_.kernels);
  tangent_ = std::make_unique<Tangent>(*op_, no_terms_, body_.supports.constraints());
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
