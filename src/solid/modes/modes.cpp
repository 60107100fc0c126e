#include <gearshift/solid/modes.hpp>

#include "solid/modes/pencil.hpp"

#include <slepceps.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

namespace gearshift::solid {

using petsc::check;
using petsc::Handle;

namespace {

/// out = (K + shift M)^-1 in, for SLEPc's own shift and inversion.
PetscErrorCode solve(PC shell, Vec in, Vec out) {
  Pencil* pencil = nullptr;
  PetscCall(PCShellGetContext(shell, &pencil));
  try {
    pencil->solve(in, out);
  } catch (const std::exception& error) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_CONV_FAILED, "%s", error.what());
  }
  return 0;
}

void invert_by(Pencil& pencil, EPS eps) {
  ST st = nullptr;
  KSP ksp = nullptr;
  PC pc = nullptr;
  check(EPSGetST(eps, &st));
  check(STSetType(st, STSINVERT));
  check(STSetMatMode(st, ST_MATMODE_SHELL));
  check(STGetKSP(st, &ksp));
  check(KSPSetType(ksp, KSPPREONLY));
  check(KSPGetPC(ksp, &pc));
  check(PCSetType(pc, PCSHELL));
  check(PCShellSetName(pc, "solves with the body's own solver"));
  check(PCShellSetContext(pc, &pencil));
  check(PCShellSetApply(pc, solve));
}

void begin_slepc() {
  PetscBool known = PETSC_FALSE;
  check(SlepcInitialized(&known));
  if (!known) check(SlepcInitializeNoArguments());
}

}  // namespace

bool Modes::available() { return true; }

Modes::Modes(Body& body, const State& at, PetscInt count, PetscReal near) {
  if (count < 1) throw OptionError("modes: give how many are wanted, 1 or more, not " + std::to_string(count));
  if (!(near >= 0) || !std::isfinite(near))
    throw OptionError("modes: give a frequency, 0 or more, for what they are to be near");
  if (!body.symmetric())
    throw OptionError(
        "modes need a symmetric tangent. Pressures on faces that are not closed, gas and a rotating frame make it "
        "unsymmetric: leave "
        "them "
        "out, or put dead tractions in their place");
  begin_slepc();
  const PetscReal target = std::pow(2 * std::numbers::pi * near, 2);
  Pencil pencil(body, at, target);
  PetscInt unknowns = 0;
  check(VecGetSize(body.layout(), &unknowns));
  for (const auto& r : pencil.rigid()) {
    if (near == 0 && static_cast<PetscInt>(shapes_.size()) == count) break;
    shapes_.push_back(pencil.vector());
    check(VecCopy(r.get(), shapes_.back().get()));
    modes_.push_back({});
  }
  const PetscInt wanted = std::min(near == 0 ? count - static_cast<PetscInt>(shapes_.size()) : count, unknowns);
  if (wanted > 0) {
    Handle<EPS> eps;
    check(EPSCreate(body.space().comm(), eps.out()));
    check(EPSSetOptionsPrefix(eps.get(), "modes_"));
    check(EPSSetOperators(eps.get(), pencil.stiffness(), pencil.mass()));
    check(EPSSetProblemType(eps.get(), EPS_GHEP));
    check(EPSSetTarget(eps.get(), -pencil.shift()));
    check(EPSSetWhichEigenpairs(eps.get(), EPS_TARGET_MAGNITUDE));
    check(EPSSetDimensions(eps.get(), wanted, PETSC_DEFAULT, PETSC_DEFAULT));
    check(EPSSetTolerances(eps.get(), 1e-8, PETSC_DEFAULT));
    invert_by(pencil, eps.get());
    std::vector<Vec> rigid;
    for (const auto& r : pencil.rigid()) rigid.push_back(r.get());
    if (!rigid.empty()) check(EPSSetDeflationSpace(eps.get(), static_cast<PetscInt>(rigid.size()), rigid.data()));
    // A start in the range of the operator: 0 where supports hold, where M says nothing.
    const auto noise = pencil.vector(), start = pencil.vector();
    body.interpolate(
        [](PetscReal, const Vec3& X) {
          return Vec3{std::sin(3.1 * X[0] + 1.7 * X[1] + X[2] + 0.3) + 0.4,
                      std::cos(2.3 * X[1] - 1.1 * X[0] + 0.7) + X[2], std::sin(1.9 * X[2] + 0.9 * X[1] - X[0]) + 0.6};
        },
        0, noise.get());
    pencil.mask(noise.get());
    check(MatMult(pencil.mass(), noise.get(), start.get()));
    pencil.solve(start.get(), noise.get());
    Vec first = noise.get();
    check(EPSSetInitialSpace(eps.get(), 1, &first));
    check(EPSSetFromOptions(eps.get()));
    check(EPSSolve(eps.get()));
    PetscInt found = 0;
    check(EPSGetConverged(eps.get(), &found));
    if (found < wanted)
      throw Error("only " + std::to_string(found) + " of " + std::to_string(wanted) +
                  " modes were found; ask for fewer, or give -modes_eps_ncv, -modes_eps_max_it");
    for (PetscInt i = 0; i < wanted; ++i) {
      PetscScalar square = 0;
      auto shape = pencil.vector();
      check(EPSGetEigenpair(eps.get(), i, &square, nullptr, shape.get(), nullptr));
      pencil.mask(shape.get());
      check(VecScale(shape.get(), 1 / std::sqrt(pencil.form(pencil.mass(), shape.get(), shape.get()))));
      const PetscReal omega = std::copysign(std::sqrt(std::abs(square)), square);
      modes_.push_back({.frequency = omega / (2 * std::numbers::pi)});
      shapes_.push_back(std::move(shape));
    }
  }
  if (near > 0) keep_nearest(target, static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    const Vec3 part = body.momentum({0, at.q, shapes_[i].get(), nullptr}).sum;
    for (std::size_t axis = 0; axis < 3; ++axis) modes_[i].effective_mass[axis] = part[axis] * part[axis];
  }
  solves_ = pencil.solves();
  iterations_ = pencil.iterations();
}

/// Rigid motions among them, which have not been sought.
void Modes::keep_nearest(PetscReal target, std::size_t count) {
  const auto square = [&](std::size_t i) { return std::pow(2 * std::numbers::pi * modes_[i].frequency, 2); };
  const auto by = [](auto&& key) { return [key](std::size_t a, std::size_t b) { return key(a) < key(b); }; };
  std::vector<std::size_t> order(modes_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), by([&](std::size_t i) { return std::abs(square(i) - target); }));
  order.resize(std::min(order.size(), count));
  std::stable_sort(order.begin(), order.end(), by([&](std::size_t i) { return modes_[i].frequency; }));
  std::vector<Mode> modes;
  std::vector<Handle<Vec>> shapes;
  for (const std::size_t i : order) {
    modes.push_back(modes_[i]);
    shapes.push_back(std::move(shapes_[i]));
  }
  modes_ = std::move(modes);
  shapes_ = std::move(shapes);
}

}  // namespace gearshift::solid
