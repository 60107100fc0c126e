#include <gearshift/petsc/views.hpp>
#include <gearshift/solid/body.hpp>

#include "petsc/log.hpp"
#include "solid/constraints/rigid_motion.hpp"
#include "solid/constraints/supports.hpp"
#include "solid/footprint.hpp"
#include "solid/material/material_table.hpp"
#include "solid/material/registered_laws.hpp"
#include "solid/multigrid/coarse/gamg.hpp"
#include "solid/multigrid/pcmg_multigrid.hpp"
#include "solid/multigrid/single_multigrid.hpp"
#include "solid/operator/choose_kernels.hpp"
#include "solid/operator/operator.hpp"
#include "solid/operator/tangent.hpp"
#include "solid/solver_choice.hpp"
#include "solid/space/natural_numbering.hpp"
#include "solid/terms/load_times.hpp"
#include "solid/terms/loads.hpp"
#include "solid/terms/motion_estimate.hpp"

#include <algorithm>
#include <optional>

namespace gearshift::solid {

using petsc::check;

class Body::Impl {
 public:
  Impl(Mesh m, int degree) : mesh(std::move(m)), space(mesh, degree) {
    region_materials.resize(mesh.region_names().size());
  }

  void before_set_up(const char* call) const {
    if (op)
      throw OptionError(std::string("Body::") + call + " after set_up(); give materials, loads and supports before it");
  }
  void after_set_up(const char* call) const {
    if (!op)
      throw OptionError(std::string("Body::") + call + " before set_up(); call set_up() once everything is given");
  }

  /// The materials of this rank's cells. Collective.
  MaterialTable materials_of_cells() const { return {space, mesh.region_names(), material, region_materials}; }

  Mesh mesh;
  Space space;
  std::optional<Material> material;
  std::vector<std::optional<Material>> region_materials;
  MaterialTable cell_materials;
  Loads loads;
  Supports supports;
  LoadTimes load_times;
  Solver solver = Solver::automatic;
  PetscReal load_factor = 1;

  std::unique_ptr<Operator> op;
  std::unique_ptr<Tangent> tangent;  // of tangent(), made when first asked for
  std::string prefix;                // of the solver that is being set up
  petsc::Handle<IS> natural;         // made when first asked for
  KernelOptions kernels;

  SolverChoice choice() const { return {solver, space.degree(), kernels.single_levels, prefix}; }
};

Body::Body(Mesh mesh, int degree) : impl_(std::make_unique<Impl>(std::move(mesh), degree)) {}

Body::~Body() = default;

void Body::set_material(const Material& material) {
  impl_->before_set_up("set_material");
  check_material(material);
  impl_->material = material;
}

void Body::set_material(std::string_view region, const Material& material) {
  impl_->before_set_up("set_material");
  (void)impl_->mesh.region(region);
  check_material(material, region);
  const auto& names = impl_->mesh.region_names();
  impl_->region_materials[static_cast<std::size_t>(std::find(names.begin(), names.end(), region) - names.begin())] =
      material;
}

void Body::set_gravity(Field gravity, bool steady) {
  impl_->before_set_up("set_gravity");
  if (!steady) impl_->load_times.add({}, gravity, false);
  impl_->loads.set_gravity(std::move(gravity), steady);
}

void Body::set_gravity(const VectorExpression& gravity) {
  impl_->before_set_up("set_gravity");
  impl_->load_times.add({}, gravity, false);
  impl_->loads.set_gravity(gravity.field(), !gravity.depends_on_time());
}

void Body::add_traction(std::string_view face, Field traction, bool steady) {
  impl_->before_set_up("add_traction");
  (void)impl_->mesh.face(face);
  if (!steady) impl_->load_times.add(face, traction, false);
  impl_->loads.add_traction(face, std::move(traction), steady);
}

void Body::add_traction(std::string_view face, const VectorExpression& traction) {
  impl_->before_set_up("add_traction");
  (void)impl_->mesh.face(face);
  impl_->load_times.add(face, traction, false);
  impl_->loads.add_traction(face, traction.field(), !traction.depends_on_time());
}

void Body::clamp(std::string_view face) {
  impl_->before_set_up("clamp");
  (void)impl_->mesh.face(face);
  impl_->supports.add(face, 7, {});
}

void Body::fix(std::string_view face, int axis) {
  impl_->before_set_up("fix");
  (void)impl_->mesh.face(face);
  if (axis < 0 || axis > 2)
    throw OptionError("Body::fix: axis " + std::to_string(axis) + " does not exist; give 0, 1 or 2");
  impl_->supports.add(face, 1U << axis, {});
}

void Body::move(std::string_view face, Motion motion) {
  impl_->before_set_up("move");
  (void)impl_->mesh.face(face);
  impl_->load_times.add(
      face, [motion](PetscReal t, const Vec3& X) { return motion(t, X).g_tt; }, true);
  impl_->supports.add(face, 7, std::move(motion));
}

void Body::move(std::string_view face, const VectorExpression& motion) {
  impl_->before_set_up("move");
  (void)impl_->mesh.face(face);
  impl_->load_times.add(face, motion, true);
  impl_->supports.add(face, 7, motion.motion());
}

void Body::set_load_factor(PetscReal s) { impl_->load_factor = s; }

void Body::set_solver(Solver solver) {
  impl_->before_set_up("set_solver");
  if (solver == Solver::amg && impl_->space.degree() > 1)
    throw OptionError("solver amg assembles the tangent and is for degree 1 only; at degree " +
                      std::to_string(impl_->space.degree()) + " take pmg, whose degree-1 level is solved by amg");
  impl_->solver = solver;
}

void Body::set_up() {
  Impl& I = *impl_;
  I.before_set_up("set_up");
  I.cell_materials = I.materials_of_cells();
  I.loads.set_up(I.space, I.cell_materials);
  I.supports.set_up(I.space);
  I.load_times.set_up(I.space);
  I.kernels = read_kernel_options(I.space.comm());
  const char* simd = choose_kernels(I.kernels.simd).name;
  if (I.material) require_version(I.material->law, simd);
  for (const auto& own : I.region_materials)
    if (own) require_version(own->law, simd);
  I.op = std::make_unique<Operator>(I.space, I.supports, I.cell_materials, I.kernels);
}

Footprint Body::footprint() const {
  const Impl& I = *impl_;
  const KernelOptions kernels = read_kernel_options(I.space.comm());
  const SolverChoice choice(I.solver, I.space.degree(), kernels.single_levels, I.prefix);
  return estimate_footprint(I.mesh, I.space, I.materials_of_cells(), choice.solver(), kernels);
}

Vec Body::layout() const { return impl_->space.layout(); }
const Space& Body::space() const { return impl_->space; }
const Mesh& Body::mesh() const { return impl_->mesh; }

void Body::interpolate(const Field& field, PetscReal t, Vec values) const {
  petsc::WriteView entries(values);
  for (std::size_t node = 0; 3 * node < entries.size(); ++node) {
    const Vec3 value = field(t, impl_->space.coordinates()[node]);
    for (std::size_t c = 0; c < 3; ++c) entries[3 * node + c] = value[c];
  }
}

void Body::residual(const State& x, Vec r) {
  Impl& I = *impl_;
  I.after_set_up("residual");
  const petsc::ScopedEvent event(petsc::Event::residual);
  Vec forces = I.loads.empty() ? nullptr : I.loads.at(x.t);
  const std::string inverted = I.op->residual(x.q, x.a, r);
  if (forces) check(VecAXPY(r, -I.load_factor, forces));
  if (!inverted.empty()) throw InvalidState(inverted);
}

void Body::tangent(const State& x, Shifts s, Vec in, Vec out) {
  Impl& I = *impl_;
  I.after_set_up("tangent");
  if (!I.tangent) I.tangent = std::make_unique<Tangent>(*I.op, I.supports);
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
  return std::make_unique<Tangent>(*impl_->op, impl_->supports);
}

void Body::use_prefix(std::string_view prefix) { impl_->prefix = prefix; }

Mat Body::create_preconditioner_matrix() {
  Impl& I = *impl_;
  I.after_set_up("create_preconditioner_matrix");
  I.choice().check_options();
  if (I.choice().solver() != Solver::amg) return nullptr;
  auto matrix = create_corner_matrix(I.space);
  set_rigid_modes(I.space, I.supports, nullptr, matrix.get());
  return matrix.release();
}

void Body::configure(SNES snes) {
  Impl& I = *impl_;
  I.after_set_up("configure");
  KSP ksp = nullptr;
  PC pc = nullptr;
  check(SNESGetKSP(snes, &ksp));
  check(KSPSetType(ksp, KSPCG));
  check(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
  // On the way the residual of CG may grow by the root of the condition number, and slender bodies' is huge.
  check(KSPSetTolerances(ksp, PETSC_DEFAULT, PETSC_DEFAULT, 1e100, PETSC_DEFAULT));
  check(KSPGetPC(ksp, &pc));
  const SolverChoice choice = I.choice();
  if (choice.by_differences()) return;
  if (choice.solver() == Solver::jacobi) {
    check(PCSetType(pc, PCJACOBI));
  } else if (choice.solver() == Solver::amg) {
    prefer_gamg(pc);
    // Known before the first solve, since update_preconditioner() sets up the PC.
    Mat J = nullptr, P = nullptr;
    check(SNESGetJacobian(snes, &J, &P, nullptr, nullptr));
    if (J && P) check(KSPSetOperators(ksp, J, P));
  } else if (choice.double_levels()) {
    Multigrid::give_to(pc, std::make_unique<PcmgMultigrid>(I.mesh, *I.op, I.supports, I.cell_materials, I.kernels));
  } else {
    Multigrid::give_to(pc, std::make_unique<SingleMultigrid>(I.mesh, *I.op, I.supports, I.cell_materials, I.kernels));
  }
}

bool Body::update_preconditioner(Linearization& tangent, Shifts s, PC pc) {
  rebuild_gamg(pc);
  auto* own = dynamic_cast<Tangent*>(&tangent);
  Multigrid* multigrid = Multigrid::of(pc);
  if (!multigrid || !own) return false;
  multigrid->update(*own, s, pc);
  return true;
}

IS Body::constrained() const {
  impl_->after_set_up("constrained");
  return impl_->supports.constrained();
}

IS Body::natural_numbering() const {
  Impl& I = *impl_;
  if (!I.natural) I.natural = number_naturally(I.mesh, I.space);
  return I.natural.get();
}

void Body::prescribe(PetscReal t, Vec q, Vec v, Vec a) { impl_->supports.prescribe(t, impl_->load_factor, q, v, a); }

std::optional<Break> Body::next_break(PetscReal t, PetscReal until) {
  const LoadTimes& times = impl_->load_times;
  return times.empty() ? System::next_break(t, until) : times.next_break(t, until);
}

PetscReal Body::resolved_step(PetscReal t, PetscReal dt) {
  const LoadTimes& times = impl_->load_times;
  return times.empty() ? System::resolved_step(t, dt) : times.resolved_step(t, dt);
}

MotionEstimate Body::expected_motion(const State& x, PetscReal until) {
  const Impl& I = *impl_;
  I.after_set_up("expected_motion");
  return estimate_motion(*I.op, I.loads.empty() ? nullptr : &impl_->loads, I.load_times, I.load_factor, x.t, until);
}

bool Body::take_out_rigid_motion(Vec way, Vec v) {
  Impl& I = *impl_;
  I.after_set_up("take_out_rigid_motion");
  return solid::take_out_rigid_motion(I.space, I.supports, way, v) || System::take_out_rigid_motion(way, v);
}

std::optional<Energy> Body::energy(const State& x) {
  Impl& I = *impl_;
  I.after_set_up("energy");
  const petsc::ScopedEvent event(petsc::Event::energy);
  auto sums = I.op->energy(x.q, x.v);
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), 2, MPIU_REAL, MPI_SUM, I.space.comm());
  Energy energy;
  energy.stored = sums[0];
  energy.kinetic = sums[1];
  if (x.v && !I.loads.empty()) {
    PetscScalar power = 0;
    check(VecDot(I.loads.at(x.t), x.v, &power));
    energy.power_loads = I.load_factor * power;
  }
  return energy;
}

}  // namespace gearshift::solid
