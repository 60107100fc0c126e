/// A body as a System.

#include "petsc/gmres.hpp"
#include "petsc/log.hpp"
#include "petsc/queries.hpp"
#include "petsc/ranks/agree.hpp"
#include "solid/body/impl.hpp"
#include "solid/constraints/rigid_motion.hpp"
#include "solid/multigrid/coarse/gamg.hpp"
#include "solid/multigrid/damped_multigrid.hpp"
#include "solid/multigrid/float_multigrid.hpp"
#include "solid/multigrid/mixed_solver.hpp"
#include "solid/space/natural_numbering.hpp"
#include "solid/terms/motion_estimate.hpp"
#include "solid/terms/region_damping.hpp"

namespace gearshift::solid {

using petsc::check;

void Body::residual(const State& x, Vec r) {
  Impl& I = *impl_;
  I.after_set_up("residual");
  const petsc::ScopedEvent event(petsc::Event::residual);
  State inertial = x;
  if (I.frame) {
    inertial.a = I.frame_work.get();
    I.frame->accelerations(I.frame->at(x.t), x.q, x.v, x.a, I.terms.load_factor(), inertial.a);
  }
  const std::string inverted = I.op->residual(x.q, inertial.a, x.internal, r);
  I.terms.add_residual(inertial, r, I.op->ghosts());
  I.fold(r);
  if (!inverted.empty()) throw InvalidState(inverted);
}

void Body::tangent(const State& x, Shifts s, Vec in, Vec out) {
  Impl& I = *impl_;
  I.after_set_up("tangent");
  if (!I.tangent) I.tangent = I.make_tangent();
  std::exception_ptr inverted;  // thrown after the last collective call
  try {
    I.tangent->update(x);
  } catch (const InvalidState&) {
    inverted = std::current_exception();
  }
  I.tangent->apply(s, in, out);
  if (inverted) std::rethrow_exception(inverted);
}

std::unique_ptr<Linearization> Body::make_linearization() {
  impl_->after_set_up("make_linearization");
  return impl_->make_tangent();
}

void Body::Impl::check_formulation() const {
  if (formulation == Formulation::displacement) return;
  BulkPressure::require(space, cell_materials);
  if (solver == Solver::jacobi)
    throw OptionError(
        "option -formulation mixed: -solver jacobi is not available, since the mixed tangent has no diagonal; leave "
        "-solver out");
  petsc::throw_if_any<OptionError>(
      space.comm(), !RegionDamping::in(cell_materials)
                        ? ""
                        : "option -formulation mixed: damping of single regions is not supported; give "
                          "-gear_rayleigh_mass and -gear_rayleigh_stiffness for the whole body, or leave the option "
                          "out");
}

void Body::use_prefix(std::string_view prefix) { impl_->prefix = prefix; }

Mat Body::create_preconditioner_matrix() {
  Impl& I = *impl_;
  I.after_set_up("create_preconditioner_matrix");
  I.choice().check_options(petsc::ranks_of(I.space.comm()));
  if (I.choice().solver() != Solver::amg) return nullptr;
  auto matrix = create_node_matrix(I.space);
  set_rigid_motions(I.space, I.supports.constraints(), nullptr, matrix.get());
  return matrix.release();
}

void Body::configure(SNES snes) {
  Impl& I = *impl_;
  I.after_set_up("configure");
  const KSP ksp = petsc::ksp_of(snes);
  const SolverChoice choice = I.choice();
  const bool own_pressures = I.op->bulk() && choice.solver() == Solver::pmg && !choice.by_differences();
  const bool conjugate = symmetric() && !own_pressures;
  check(KSPSetType(ksp, conjugate ? KSPCG : choice.solver() == Solver::pmg ? KSPFGMRES : KSPGMRES));
  if (!conjugate) {
    check(KSPSetPCSide(ksp, PC_RIGHT));
    petsc::use_long_basis(ksp);
  }
  check(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
  // The residual of CG may temporarily grow by the square root of the condition number, which is huge for slender
  // bodies.
  check(KSPSetTolerances(ksp, PETSC_DEFAULT, PETSC_DEFAULT, 1e100, PETSC_DEFAULT));
  const PC pc = petsc::pc_of(ksp);
  if (choice.by_differences()) return;
  if (choice.solver() == Solver::jacobi) {
    check(PCSetType(pc, PCJACOBI));
  } else if (choice.solver() == Solver::amg) {
    choice.prefer_assembled(pc);
    // Set before the first solve, because update_preconditioner() sets up the PC.
    Mat J = nullptr, P = nullptr;
    check(SNESGetJacobian(snes, &J, &P, nullptr, nullptr));
    if (J && P) check(KSPSetOperators(ksp, J, P));
  } else {
    Multigrid::give_to(pc, I.make_multigrid());
  }
}

std::unique_ptr<Multigrid> Body::Impl::make_multigrid() {
  if (op->bulk() && choice().solver() == Solver::pmg)
    return std::make_unique<MixedSolver>(finest_level(), inner_iterations);
  if (damped_regions && !flows) return std::make_unique<DampedMultigrid>(finest_level());
  return make_shell_multigrid(finest_level());
}

/// Replaces the multigrid, because its levels, prolongations and aggregates depend on the supports.
Multigrid* Body::Impl::renew_multigrid(PC pc) {
  check(PCSetType(pc, PCNONE));
  Multigrid::give_to(pc, make_multigrid());
  check(PCSetFromOptions(pc));
  return Multigrid::of(pc);
}

bool Body::update_preconditioner(Linearization& tangent, Shifts s, PC pc) {
  Impl& I = *impl_;
  if (I.supports.list().any_released() && I.choice().solver() == Solver::amg) {
    Mat matrix = nullptr;
    check(PCGetOperators(pc, nullptr, &matrix));
    set_rigid_motions(I.space, I.supports.constraints(), nullptr, matrix);
  }
  rebuild_gamg(pc);
  auto* own = dynamic_cast<Tangent*>(&tangent);
  Multigrid* multigrid = Multigrid::of(pc);
  if (multigrid && multigrid->outdated()) multigrid = I.renew_multigrid(pc);
  if (!multigrid || !own) return false;
  own->give_to_levels();
  multigrid->update(*own, s, pc);
  for (ContactTerm* contact : I.terms.all_of<ContactTerm>()) contact->levels_were_built();
  return true;
}

void Body::keep_preconditioner(Linearization& tangent, Shifts s, PC pc) {
  auto* own = dynamic_cast<Tangent*>(&tangent);
  Multigrid* multigrid = Multigrid::of(pc);
  if (!multigrid || !own) return;
  own->give_to_levels();
  // A stiff contact that closes or begins to stick multiplies the iterations; inertia hides it. Without friction the
  // check of an equilibrium's stability relies on the points at which the policy has built preconditioners.
  if (s.v == 0 && s.a == 0 && !symmetric() && impl_->contacts_changed())
    update_preconditioner(tangent, s, pc);
  else
    multigrid->keep(*own, s);
}

PetscInt Body::inner_iterations() const { return impl_->inner_iterations; }

bool Body::levels_became_double() const { return impl_->repairs.in_double; }

int Body::level_repairs() const { return impl_->repairs.rebuilt; }

bool Body::symmetric() const { return impl_->terms.symmetric() && !impl_->frame; }

Vec Body::internal_layout() const { return impl_->internal.get(); }

bool Body::internal_follows_path() const { return impl_->flows; }

IS Body::internal_numbering() const {
  Impl& I = *impl_;
  if (I.internal && !I.natural_internal)
    I.natural_internal =
        number_by_cells(I.mesh, I.space, [&store = I.op->store()](PetscInt cell) { return store.count(cell); });
  return I.natural_internal.get();
}

void Body::internal_variables(const State& x, Vec z) {
  Impl& I = *impl_;
  I.after_set_up("internal_variables");
  if (!I.internal) return;
  const std::string inverted = I.op->internal_variables(x.q, x.internal, z);
  if (!inverted.empty()) throw InvalidState(inverted);
}

IS Body::constrained() const {
  impl_->after_set_up("constrained");
  impl_->supports.apply_changes();
  return impl_->supports.constraints().constrained_is();
}

void Body::prescribe(PetscReal t, Vec q, Vec v, Vec a) {
  impl_->supports.prescribe(t, impl_->terms.load_factor(), q, v, a);
}

IS Body::dependent() const {
  impl_->after_set_up("dependent");
  return impl_->supports.constraints().dependent_is();
}

void Body::complete(PetscReal, Vec q, Vec v, Vec a) {
  for (Vec x : {q, v, a}) {
    const petsc::WriteView values(x);
    impl_->supports.constraints().complete(values.span().data());
  }
}

std::optional<Break> Body::next_break(PetscReal t, PetscReal until) {
  const Impl& I = *impl_;
  if (I.load_times.empty() && !I.supports.list().any_released()) return std::nullopt;
  const std::optional<Break> of_loads = I.load_times.next_break(t, until);
  const PetscReal released = I.supports.list().next_end(t);
  if (released > until || (of_loads && of_loads->t < released)) return of_loads;
  return Break{released, true};
}

void Body::accept(const State& x) {
  if (impl_->supports.list().any_released()) impl_->supports.list().pass(x.t);
  impl_->look_at_contacts(x);
}

void Body::archive(Archive& state) {
  Impl& I = *impl_;
  I.after_set_up("archive");
  if (!I.fingerprint) I.fingerprint.emplace(I.mesh, I.space, I.cell_materials, natural_numbering());
  {
    const Archive::Group group(state, "body");
    I.fingerprint->archive(state);
  }
  {
    const Archive::Group group(state, "supports");
    I.supports.list().archive(state);
  }
  I.archive_contacts(state);
  I.repairs.archive(state);
}

PetscReal Body::resolved_step(PetscReal t, PetscReal dt) {
  const LoadTimes& times = impl_->load_times;
  return std::min(impl_->contact_step, times.empty() ? dt : times.resolved_step(t, dt));
}

MotionEstimate Body::expected_motion(const State& x, PetscReal until) {
  Impl& I = *impl_;
  I.after_set_up("expected_motion");
  petsc::Handle<Vec> rest, forces;
  ForcesAt at;
  if (!I.terms.empty() || I.frame) {
    rest = petsc::duplicate(I.space.layout());
    forces = petsc::duplicate(I.space.layout());
    at = [&](PetscReal t) {
      check(VecZeroEntries(forces.get()));
      if (I.frame) {
        I.frame->accelerations(I.frame->at(t), rest.get(), nullptr, nullptr, I.terms.load_factor(), I.frame_work.get());
        I.op->apply_mass(I.frame_work.get(), forces.get());
      }
      I.terms.add_residual({t, rest.get(), rest.get(), I.frame ? I.frame_work.get() : rest.get()}, forces.get());
      return forces.get();
    };
  }
  std::optional<WithoutContacts> loads_only(I.terms);
  const MotionEstimate of_loads = estimate_motion(*I.op, at, I.terms.any_steady() || (I.frame && I.frame->steady()),
                                                  I.load_times, I.terms.load_factor(), x.t, until);
  loads_only.reset();
  if (!(x.q && x.v)) return of_loads;
  const MotionEstimate pushed = I.motion_by_obstacles(x.t, until);
  I.expect_contacts(x, of_loads);
  return {std::max(pushed.q, of_loads.q), std::max(pushed.v, of_loads.v)};
}

bool Body::take_out_rigid_motion(Vec q, Vec v) {
  const Impl& I = *impl_;
  I.after_set_up("take_out_rigid_motion");
  if (I.stands_on_springs) return false;
  return solid::take_out_rigid_motion(I.space, I.supports, q, v);
}

PetscInt Body::vector_size() const { return 3; }

std::optional<Energy> Body::energy(const State& x) {
  Impl& I = *impl_;
  I.after_set_up("energy");
  const petsc::ScopedEvent event(petsc::Event::energy);
  const auto [stored, kinetic] = I.op->energy(x.q, x.v, x.internal);
  const bool dissipates = x.v && I.internal;
  std::array<PetscReal, 4> sums{stored, kinetic, dissipates ? I.op->dissipation(x.q, x.v, x.internal) : 0,
                                I.flows ? I.op->dissipated(x.q, x.internal) : 0};
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), 4, MPIU_REAL, MPI_SUM, I.space.comm());
  Energy energy;
  energy.stored = sums[0];
  energy.kinetic = sums[1];
  energy.power_dissipated = sums[2];
  energy.dissipated = sums[3];
  I.terms.add_energy(x, energy, I.op->ghosts());
  if (I.frame) I.add_turning(x, energy);
  return energy;
}

}  // namespace gearshift::solid
