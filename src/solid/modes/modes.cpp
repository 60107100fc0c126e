#include <gearshift/solid/modes.hpp>

#include "petsc/queries.hpp"
#include "solid/modes/pencil.hpp"
#include "solid/modes/symmetry.hpp"

#include <slepceps.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <numeric>
#include <sstream>
#include <string>

namespace gearshift::solid {

using petsc::check;
using petsc::Handle;

namespace {

/// Computes out = (K + shift M)^-1 in, for SLEPc's own shift and inversion.
PetscErrorCode solve(PC shell, Vec in, Vec out) {
  Pencil* pencil = nullptr;
  PetscCall(PCShellGetContext(shell, &pencil));
  try {
    pencil->solve(in, out);
  } catch (const std::exception& error) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_CONV_FAILED, "%s", error.what());
  }
  return petsc::success;
}

void invert_by(Pencil& pencil, EPS eps) {
  ST st = nullptr;
  KSP ksp = nullptr;
  check(EPSGetST(eps, &st));
  check(STSetType(st, STSINVERT));
  check(STSetMatMode(st, ST_MATMODE_SHELL));
  check(STGetKSP(st, &ksp));
  check(KSPSetType(ksp, KSPPREONLY));
  const PC pc = petsc::pc_of(ksp);
  check(PCSetType(pc, PCSHELL));
  check(PCShellSetName(pc, "solves with the body's own solver"));
  check(PCShellSetContext(pc, &pencil));
  check(PCShellSetApply(pc, solve));
}

/// The modes to find in the pencil, and the settings of the search.
struct Search {
  std::span<const Vec> besides;  // shapes that are already known
  Vec start;
  PetscInt count;
  PetscInt vectors;     // of the Krylov space
  PetscReal tolerance;  // of squares, relative
  bool by_options;      // -modes_eps_* options apply
};

struct Found {
  PetscReal square = 0;
  Handle<Vec> shape;  // phi' M phi = 1
};

constexpr PetscInt most_restarts = 50;  // of a search for missed modes; it usually takes a few

/// Returns the modes nearest to the pencil's shift, the nearest first; there may be fewer than `count`.
std::vector<Found> seek(Pencil& pencil, const Search& search) {
  Handle<EPS> eps;
  check(EPSCreate(petsc::comm_of(search.start), eps.out()));
  check(EPSSetOptionsPrefix(eps.get(), "modes_"));
  check(EPSSetOperators(eps.get(), pencil.stiffness(), pencil.mass()));
  check(EPSSetProblemType(eps.get(), EPS_GHEP));
  check(EPSSetTarget(eps.get(), -pencil.shift()));
  check(EPSSetWhichEigenpairs(eps.get(), EPS_TARGET_MAGNITUDE));
  check(EPSSetDimensions(eps.get(), search.count, search.vectors, PETSC_DEFAULT));
  check(EPSSetTolerances(eps.get(), search.tolerance, search.by_options ? PETSC_DEFAULT : most_restarts));
  invert_by(pencil, eps.get());
  std::vector<Vec> besides(search.besides.begin(), search.besides.end());
  if (!besides.empty()) check(EPSSetDeflationSpace(eps.get(), static_cast<PetscInt>(besides.size()), besides.data()));
  Vec first = search.start;
  check(EPSSetInitialSpace(eps.get(), 1, &first));
  if (search.by_options) check(EPSSetFromOptions(eps.get()));
  check(EPSSolve(eps.get()));
  PetscInt converged = 0;
  check(EPSGetConverged(eps.get(), &converged));
  std::vector<Found> found(static_cast<std::size_t>(std::min(converged, search.count)));
  for (std::size_t i = 0; i < found.size(); ++i) {
    Vec shape = (found[i].shape = pencil.vector()).get();
    check(EPSGetEigenpair(eps.get(), static_cast<PetscInt>(i), &found[i].square, nullptr, shape, nullptr));
    pencil.mask(shape);
    check(VecScale(shape, 1 / std::sqrt(pencil.form(pencil.mass(), shape, shape))));
  }
  return found;
}

constexpr PetscReal largest_square = 1e140;

/// Returns a value of a smooth field.
Vec3 smooth(const Vec3& X) {
  return {std::sin(3.1 * X[0] + 1.7 * X[1] + X[2] + 0.3) + 0.4, std::cos(2.3 * X[1] - 1.1 * X[0] + 0.7) + X[2],
          std::sin(1.9 * X[2] + 0.9 * X[1] - X[0]) + 0.6};
}
/// Returns a value of a field without any symmetry, which depends on the place and the number of the field only.
Vec3 random(const Vec3& X, std::uint64_t number) {
  Vec3 values;
  std::uint64_t mixed = number;
  for (std::size_t i = 0; i < 6; ++i) {
    mixed = (mixed ^ std::bit_cast<std::uint64_t>(X[i % 3] + 0.0)) * 0x9E3779B97F4A7C15ULL;  // -0 counts as 0
    mixed ^= mixed >> 29;
    if (i >= 3) values[i - 3] = std::ldexp(static_cast<PetscReal>(mixed >> 11), -52) - 1;
  }
  return values;
}

/// Returns a start vector in the range of the operator: 0 in supported entries, where M is not defined.
Handle<Vec> noise(Body& body, Pencil& pencil, const std::function<Vec3(const Vec3&)>& field) {
  auto noise = pencil.vector();
  const auto pushed = pencil.vector();
  body.interpolate([&](PetscReal, const Vec3& X) { return field(X); }, 0, noise.get());
  pencil.mask(noise.get());
  check(MatMult(pencil.mass(), noise.get(), pushed.get()));
  pencil.solve(pushed.get(), noise.get());
  // It had the size 1 and has been divided by squares of frequencies, whose own squares must be representable numbers.
  const PetscReal size = petsc::norm(noise.get(), NORM_INFINITY);
  if (!(size > 1 / largest_square && size < largest_square)) {
    std::ostringstream text;
    text << "modes: frequencies of about " << 1 / (2 * std::numbers::pi * std::sqrt(size))
         << " cycles/time are beyond the range of numbers; check E and rho, and that their units are consistent";
    throw OptionError(text.str());
  }
  return noise;
}

std::vector<Vec> known_shapes(const Pencil& pencil, const std::vector<Found>& found) {
  std::vector<Vec> shapes;
  for (const auto& r : pencil.rigid()) shapes.push_back(r.get());
  for (const Found& f : found) shapes.push_back(f.shape.get());
  return shapes;
}

/// Returns the `count` modes nearest to the pencil's shift, the nearest first.
///
/// A Krylov space contains only one of several modes with equal frequency. Rounding errors add the others, the later
/// the farther they are from the shift, and the search may end before. Therefore modes orthogonal to those found are
/// sought as well, until they lie beyond the farthest one. `complete` becomes false if such a search does not converge.
std::vector<Found> nearest_modes(Body& body, Pencil& pencil, PetscInt count, bool& complete) {
  constexpr PetscReal accuracy = 1e-8, glance = 1e-3;
  constexpr PetscInt few = 8;
  const auto distance = [&](const Found& f) { return std::abs(f.square + pencil.shift()); };
  const auto nearer = [&](const Found& a, const Found& b) { return distance(a) < distance(b); };
  const auto start = noise(body, pencil, smooth);
  std::vector<Found> found =
      seek(pencil, {known_shapes(pencil, {}), start.get(), count, PETSC_DEFAULT, accuracy, true});
  if (static_cast<PetscInt>(found.size()) < count)
    throw Error("only " + std::to_string(found.size()) + " of " + std::to_string(count) +
                " modes were found; request fewer, or give -modes_eps_ncv, -modes_eps_max_it");
  const auto rigid = static_cast<PetscInt>(pencil.rigid().size());
  const std::uint64_t most_searches = static_cast<std::uint64_t>(count) + 12;  // that find one; usually it is none
  std::uint64_t searches = 0;
  Handle<Vec> other;
  const auto search_besides = [&](PetscReal tolerance) {
    return seek(pencil, {known_shapes(pencil, found), other.get(), 1, few, tolerance, false});
  };
  while (complete && static_cast<PetscInt>(found.size()) + rigid < pencil.unknowns()) {
    std::sort(found.begin(), found.end(), nearer);
    // A new start each time: that of a former search has no part left in the frequencies whose modes it has found.
    other = noise(body, pencil, [number = ++searches](const Vec3& X) { return random(X, number); });
    const PetscReal farthest = (1 + glance) * distance(found[static_cast<std::size_t>(count) - 1]);
    const auto within = [&](const std::vector<Found>& one) { return !one.empty() && distance(one.front()) < farthest; };
    std::vector<Found> one = search_besides(glance);
    if (within(one)) one = search_besides(accuracy);
    complete = !one.empty();
    if (!within(one)) break;
    found.push_back(std::move(one.front()));  // even if it is as far: another one may be nearer
    complete = searches < most_searches;
  }
  std::sort(found.begin(), found.end(), nearer);
  found.resize(static_cast<std::size_t>(count));
  return found;
}

void begin_slepc() {
  PetscBool known = PETSC_FALSE;
  check(SlepcInitialized(&known));
  if (!known) check(SlepcInitializeNoArguments());
}

void require_symmetric_at(Body& body, const State& at) {
  if (!has_symmetric_tangent(body, at))
    throw OptionError(
        "modes need a symmetric tangent. Pressures that follow faces with free edges, or vary, gas behind such faces, "
        "follower and motor loads and a rotating frame make it unsymmetric: leave them out, or use dead loads "
        "instead (-pressure_<face>_follow false)");
}

}  // namespace

bool Modes::available() { return true; }

void Modes::require_symmetric(Body& body) {
  if (body.internal_layout()) return;  // the internal variables are known only from a state
  const auto rest = petsc::duplicate(body.layout());
  require_symmetric_at(body, {0, rest.get()});
}

Modes::Modes(Body& body, const State& at, PetscInt count, PetscReal near, Watch watch) {
  if (count < 1) throw OptionError("modes: give a number of modes of 1 or more, not " + std::to_string(count));
  if (!(near >= 0) || !std::isfinite(near)) throw OptionError("modes: give a target frequency of 0 or more");
  require_symmetric_at(body, at);
  begin_slepc();
  const PetscReal target = std::pow(2 * std::numbers::pi * near, 2);
  Pencil pencil(body, at, target, std::move(watch));
  if (pencil.unknowns() == 0) throw OptionError("modes: supports hold the whole body, so that nothing can vibrate");
  for (const auto& r : pencil.rigid()) {
    if (near == 0 && static_cast<PetscInt>(shapes_.size()) == count) break;
    shapes_.push_back(pencil.vector());
    check(VecCopy(r.get(), shapes_.back().get()));
    modes_.push_back({});
  }
  const PetscInt wanted = std::min(near == 0 ? count - static_cast<PetscInt>(shapes_.size()) : count,
                                   pencil.unknowns() - static_cast<PetscInt>(pencil.rigid().size()));
  if (wanted > 0)
    for (Found& found : nearest_modes(body, pencil, wanted, complete_)) {
      const PetscReal omega = std::copysign(std::sqrt(std::abs(found.square)), found.square);
      modes_.push_back({.frequency = omega / (2 * std::numbers::pi)});
      pencil.complete(found.shape.get());
      shapes_.push_back(std::move(found.shape));
    }
  if (near > 0) keep_nearest(target, static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    const Vec3 part = body.momentum({0, at.q, shapes_[i].get(), nullptr}).sum;
    for (std::size_t axis = 0; axis < 3; ++axis) modes_[i].effective_mass[axis] = part[axis] * part[axis];
  }
  solves_ = pencil.solves();
  iterations_ = pencil.iterations();
}

/// Keeps the modes nearest to the target; the candidates include rigid motions, although the search excludes them.
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
