#include "solid/modes/pencil.hpp"

#include <gearshift/petsc/options.hpp>

#include "petsc/queries.hpp"
#include "petsc/zero_pivot.hpp"
#include "solid/element/vectors.hpp"
#include "solid/multigrid/coarse/direct.hpp"
#include "solid/operator/matrices/node_matrix.hpp"
#include "solid/space/extent_of.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>
#include <string>

namespace gearshift::solid {

using petsc::check;
using petsc::Handle;

namespace {

constexpr const char* prefix = "modes_";
/// Factors by MUMPS replace the multigrid up to this number of their entries per unknown: that of a bracket of 89,580
/// unknowns is 486, and factors need 0.6 of the time of the multigrid; in a cube of 46,875 unknowns it is 858, and they
/// need 1.5 times the time. On hexahedra the multigrid was faster on bodies of all shapes above 10,000 unknowns.
constexpr PetscLogDouble most_entries = 700;
constexpr PetscInt most_unknowns = 200000;  // a gigabyte of factors

std::vector<PetscInt> held_entries(const Body& body) {
  const PetscInt first = petsc::first_entry_of(body.layout());
  std::vector<PetscInt> entries = petsc::indices_of(body.constrained());
  for (PetscInt& entry : entries) entry -= first;
  return entries;
}

bool is_direct(PC pc) {
  PetscBool direct = PETSC_FALSE;
  check(PetscObjectTypeCompareAny(reinterpret_cast<PetscObject>(pc), &direct, PCLU, PCCHOLESKY, ""));
  return direct;
}

}  // namespace

Pencil::Pencil(Body& body, const State& at, PetscReal square, Modes::Watch watch)
    : body_(body),
      watch_(std::move(watch)),
      held_(held_entries(body)),
      tangent_(body.make_linearization()),
      work_(petsc::duplicate(body.layout())),
      stiffness_(product({1, 0, 0}, false)),
      mass_(product({0, 0, 1}, false)) {
  tangent_->update(at);
  const PetscReal near_zero = choose_shift();
  find_rigid(at, near_zero);
  if (square > 0) refuse_beyond_spectrum(square);
  shift_ = square > 0 ? -square : near_zero;
  set_up_solver();
}

ShellMatrix Pencil::product(Shifts s, bool identity) {
  const PetscInt size = petsc::local_size_of(body_.layout());
  const auto keep = [this](Vec from, Vec to) {
    const petsc::ReadView source(from);
    const petsc::WriteView target(to);
    for (const PetscInt i : held_) target[i] = source[i];
  };
  return {body_.space().comm(),
          size,
          size,
          {.multiply =
               [this, s, identity, keep](Vec in, Vec out) {
                 check(VecCopy(in, work_.get()));
                 mask(work_.get());
                 tangent_->apply(s, work_.get(), out);
                 identity ? keep(in, out) : mask(out);
               },
           .diagonal =
               [this, s](Vec out) {
                 tangent_->diagonal(s, out);
                 const petsc::WriteView values(out);
                 for (const PetscInt i : held_) values[i] = 1;
               }}};
}

PetscInt Pencil::unknowns() const {
  PetscInt free = petsc::local_size_of(body_.layout()) - static_cast<PetscInt>(held_.size());
  return petsc::reduced(body_.space().comm(), MPI_SUM, free);
}

void Pencil::mask(Vec x) const {
  const petsc::WriteView values(x);
  for (const PetscInt i : held_) values[i] = 0;
}

Handle<Vec> Pencil::vector() const { return petsc::duplicate(body_.layout()); }

PetscReal Pencil::form(Mat A, Vec x, Vec y) const {
  const auto Ay = vector();
  check(MatMult(A, y, Ay.get()));
  return petsc::dot(x, Ay.get());
}

PetscReal Pencil::choose_shift() const {
  if (body_.held_rigidly()) return 0;
  const Extent box = extent_of(body_.space());
  const double size = box.edge(box.longest());
  const auto square_of = [&](auto&& motion) {
    const auto u = vector();
    body_.interpolate(
        [&](PetscReal, const Vec3& X) {
          Vec3 s{};
          for (std::size_t c = 0; c < 3; ++c) s[c] = (X[c] - (box.low[c] + box.high[c]) / 2) / size;
          return motion(s);
        },
        0, u.get());
    return std::abs(form(stiffness(), u.get(), u.get())) / form(mass(), u.get(), u.get());
  };
  // Bending by parabolas about the centre of the body; each component is a sum of squares. In a single cell of degree 1
  // this is only a translation; then stretching is used instead.
  const PetscReal bending = square_of([](const Vec3& s) {
    Vec3 u{};
    for (std::size_t c = 0; c < 3; ++c)
      u[c] = s[(c + 1) % 3] * s[(c + 1) % 3] + s[(c + 2) % 3] * s[(c + 2) % 3] - 1.0 / 12;
    return u;
  });
  const PetscReal stretching = square_of([](const Vec3& s) { return s; });
  // The most slender body that is distinguished from a rigid one has the ratio 1 : 1e5.
  constexpr PetscReal no_deformation = 1e-10;
  return 0.03 * (bending > no_deformation * stretching ? bending : stretching);
}

/// Shift-and-invert finds the inverse distances of the eigenvalues from the shift, to eight digits; if the shift lies
/// far above the spectrum, they all agree in these digits. The largest quotient K_ii / M_ii is a lower bound of the
/// highest eigenvalue (Rayleigh quotients of unit vectors), and is of its order.
void Pencil::refuse_beyond_spectrum(PetscReal square) const {
  constexpr PetscReal far = 1e4;
  const auto stiff = vector(), inert = vector();
  check(MatGetDiagonal(stiffness(), stiff.get()));
  check(MatGetDiagonal(mass(), inert.get()));
  PetscReal highest = 0;
  check(VecPointwiseDivide(stiff.get(), stiff.get(), inert.get()));
  mask(stiff.get());
  check(VecMax(stiff.get(), nullptr, &highest));
  if (!(highest > 0) || square < far * highest) return;  // 0: supports hold the whole body
  std::ostringstream text;
  text << "modes: the highest frequency of this mesh is about " << std::sqrt(highest) / (2 * std::numbers::pi)
       << " cycles/time, far below the requested one: give a lower -modes_shift, or check units, E and rho";
  throw OptionError(text.str());
}

void Pencil::find_rigid(const State& at, PetscReal shift) {
  if (petsc::any(body_.space().comm(), !held_.empty())) return;
  for (std::size_t number = 0; number < 6; ++number) {
    auto r = vector();
    const std::size_t next = (number + 1) % 3, last = (number + 2) % 3;
    body_.interpolate([&](PetscReal, const Vec3& X) { return rigid_motion(number, X, {}); }, 0, r.get());
    if (number >= 3) {  // the contribution of the displacement
      const petsc::ReadView q(at.q);
      const petsc::WriteView values(r.get());
      for (std::size_t i = 0; i + 2 < values.size(); i += 3) {
        values[i + next] -= q[i + last];
        values[i + last] += q[i + next];
      }
    }
    for (const auto& before : rigid_) check(VecAXPY(r.get(), -form(mass(), before.get(), r.get()), before.get()));
    check(VecScale(r.get(), 1 / std::sqrt(form(mass(), r.get(), r.get()))));
    // Compares |K r| with the force of the shift; motions of that size deform the body.
    const auto force = vector(), inertia = vector();
    check(MatMult(stiffness(), r.get(), force.get()));
    check(MatMult(mass(), r.get(), inertia.get()));
    if (!(petsc::norm(force.get()) < 1e-5 * shift * petsc::norm(inertia.get()))) {
      rigid_.clear();
      return;
    }
    rigid_.push_back(std::move(r));
  }
}

Handle<Mat> Pencil::matrix_to_factorize(Shifts s) const {
  const auto& blocks = body_.space().blocks();
  const bool hexahedra = std::all_of(blocks.begin(), blocks.end(), [](const CellBlock& block) {
    return block.element.kind() == CellKind::hexahedron;
  });
  if (solver_.factors_failed || body_.solver() != Solver::automatic ||
      (hexahedra && shift_ >= 0 && !solver_.needs_factors) || petsc::size_of(work_.get()) > most_unknowns ||
      !has_multifrontal() || petsc::has_option(prefix, "-pc_type") || petsc::has_option(prefix, "-ksp_type"))
    return {};
  Handle<Mat> matrix = create_node_matrix(body_.space()), factors;
  MatFactorInfo settings;
  MatInfo size;
  tangent_->assemble(s, matrix.get());
  check(MatGetFactor(matrix.get(), MATSOLVERMUMPS, MAT_FACTOR_CHOLESKY, factors.out()));
  check(MatFactorInfoInitialize(&settings));
  check(MatCholeskyFactorSymbolic(factors.get(), matrix.get(), nullptr, &settings));
  check(MatGetInfo(factors.get(), MAT_GLOBAL_SUM, &size));
  if (!solver_.needs_factors && size.nz_used > most_entries * static_cast<PetscLogDouble>(petsc::size_of(work_.get())))
    return {};
  return matrix;
}

void Pencil::set_up_solver() {
  const MPI_Comm comm = body_.space().comm();
  const Shifts s{1, 0, shift_}, definite{1, 0, std::abs(shift_)};
  solver_.shifted.reset(new ShellMatrix(product(s, true)));
  solver_.definite.reset(new ShellMatrix(product(definite, true)));
  body_.use_prefix(prefix);
  solver_.assembled = matrix_to_factorize(s);
  const bool factorize = static_cast<bool>(solver_.assembled);
  if (!factorize) solver_.assembled = Handle<Mat>::adopt(body_.create_preconditioner_matrix());
  check(SNESCreate(comm, solver_.snes.out()));
  check(SNESSetOptionsPrefix(solver_.snes.get(), prefix));
  Mat operators = solver_.assembled ? solver_.assembled.get() : solver_.definite->get();
  check(SNESSetJacobian(solver_.snes.get(), solver_.shifted->get(), operators, nullptr, nullptr));
  body_.configure(solver_.snes.get());
  check(SNESGetKSP(solver_.snes.get(), &solver_.ksp));
  PetscReal divergence = 0;
  check(KSPGetTolerances(solver_.ksp, nullptr, nullptr, &divergence, nullptr));
  check(KSPSetTolerances(solver_.ksp, 1e-9, 1e-300, divergence, 1000));
  if (shift_ < 0) {  // an unrestarted basis needs few products with the operators
    check(KSPSetType(solver_.ksp, KSPFGMRES));
    check(KSPGMRESSetRestart(solver_.ksp, 300));
    check(KSPSetPCSide(solver_.ksp, PC_RIGHT));
  }
  const PC pc = petsc::pc_of(solver_.ksp);
  if (factorize) use_multifrontal(pc);
  check(KSPSetFromOptions(solver_.ksp));
  check(KSPSetOperators(solver_.ksp, solver_.shifted->get(), operators));
  if (factorize) {
    check(KSPSetUp(solver_.ksp));
    PCFailedReason failure = PC_NOERROR;
    check(PCGetFailedReason(pc, &failure));
    solver_.factors_failed = failure != PC_NOERROR;  // out of memory, for example; MUMPS tells all ranks
    if (solver_.factors_failed) set_up_solver();
    return;
  }
  if (solver_.assembled) {
    tangent_->assemble(is_direct(pc) ? s : definite, solver_.assembled.get());
    petsc::ZeroPivot().set(pc, solver_.assembled.get());
  }
  body_.update_preconditioner(*tangent_, definite, pc);
}

void Pencil::solve(Vec in, Vec out) {
  PetscInt iterations = 0;
  const PetscInt inner = body_.inner_iterations();
  check(KSPSolve(solver_.ksp, in, out));
  const KSPConvergedReason reason = petsc::reason_of(solver_.ksp);
  check(KSPGetIterationNumber(solver_.ksp, &iterations));
  const bool inside = body_.inner_iterations() > inner;  // iterations of MixedSolver, which has stalled
  if (reason == KSP_DIVERGED_INDEFINITE_PC && !std::exchange(solver_.needs_factors, true)) {
    set_up_solver();  // the levels lost stresses that the body needs
    if (is_direct(petsc::pc_of(solver_.ksp))) return solve(in, out);
  }
  if (reason == KSP_DIVERGED_NANORINF && !inside)
    throw Error(
        "a linear solve of the modes produced NaN or infinity (PETSc: DIVERGED_NANORINF): stiffness and mass, or those "
        "of unlike regions, differ by too many powers of ten; check E and rho, and that their units are consistent");
  if (reason < 0)
    throw Error("a linear solve of the modes has failed after " + std::to_string(iterations) +
                " iterations (PETSc: " + KSPConvergedReasons[reason] + ")" +
                (petsc::has_option("", "-modes_pc_type")
                     ? std::string(". Give another -modes_pc_type")
                     : std::string(". For a small body give -modes_pc_type cholesky (a direct factorization)")) +
                (shift_ < 0 ? ", or a lower -modes_shift: the more frequencies lie below it, the more iterations"
                            : ", or another -modes_ksp_max_it, -modes_ksp_rtol"));
  solver_.iterations += iterations + body_.inner_iterations() - inner;
  ++solver_.solves;
  mask(out);
  if (watch_) watch_(solver_.solves, solver_.iterations);
}

}  // namespace gearshift::solid
