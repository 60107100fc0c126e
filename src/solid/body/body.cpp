
#include "petsc/queries.hpp"
#include "petsc/ranks/agree.hpp"
#include "solid/body/impl.hpp"
#include "solid/body/memory_estimate.hpp"
#include "solid/material/registered_laws.hpp"
#include "solid/operator/choose_kernels.hpp"
#include "solid/space/natural_numbering.hpp"
#include "solid/terms/cavity.hpp"
#include "solid/terms/region_damping.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift::solid {

using petsc::check;

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

void Body::hold(std::string_view face, const SupportKind& kind) {
  impl_->before_set_up(kind.name);
  kind.directions ? (void)impl_->mesh.face(face) : impl_->require_support(face);
  impl_->supports.list().add(face, kind);
}

void Body::clamp(std::string_view face) { hold(face, support_kind("clamp")); }

void Body::fix(std::string_view face, int axis) {
  if (axis < 0 || axis > 2)
    throw OptionError("Body::fix: axis " + std::to_string(axis) + " does not exist; give 0, 1 or 2");
  hold(face, support_kind(std::array{"fix_x", "fix_y", "fix_z"}[static_cast<std::size_t>(axis)]));
}

void Body::fix_normal(std::string_view face) { hold(face, support_kind("fix_normal")); }

namespace {
unsigned mask_of(const std::array<bool, 3>& components) {
  unsigned mask = 0;
  for (std::size_t c = 0; c < 3; ++c) mask |= components[c] ? 1U << c : 0U;
  if (mask == 0) throw OptionError("Body::move: no component is selected; select one or more, or leave the call out");
  return mask;
}
}  // namespace

void Body::move(std::string_view face, Motion motion, const std::array<bool, 3>& components) {
  impl_->before_set_up("move");
  impl_->require_support(face);
  const unsigned mask = mask_of(components);
  if (mask != 7)  // jumps in the formulas of free components must not end steps
    motion = [motion = std::move(motion), components](PetscReal t, const Vec3& X) {
      MotionValue value = motion(t, X);
      for (std::size_t c = 0; c < 3; ++c)
        if (!components[c]) value.g[c] = value.g_t[c] = value.g_tt[c] = 0;
      return value;
    };
  impl_->motions.push_back(course_of_motion(face, motion));
  impl_->supports.list().add(face, mask, std::move(motion));
}

void Body::move(std::string_view face, const VectorExpression& motion, const std::array<bool, 3>& components) {
  impl_->before_set_up("move");
  impl_->require_support(face);
  const unsigned mask = mask_of(components);
  impl_->motions.push_back(course_of_motion(face, motion));
  impl_->supports.list().add(face, mask, motion.motion());
}

void Body::release(std::string_view face, PetscReal t) {
  impl_->before_set_up("release");
  impl_->require_support(face);
  if (!std::isfinite(t)) throw OptionError("release of '" + std::string(face) + "': give a finite time");
  impl_->releases.emplace_back(face, t);
}

void Body::set_load_factor(PetscReal s) { impl_->terms.set_load_factor(s); }

Solver Body::solver() const { return impl_->solver; }

void Body::set_solver(Solver solver) {
  impl_->before_set_up("set_solver");
  impl_->solver = solver;
}

void Body::set_formulation(Formulation formulation) {
  impl_->before_set_up("set_formulation");
  impl_->formulation = formulation;
}

void Body::Impl::warn_of_free_rims() const {
  for (const auto& [face, closing] : cavities)
    if (const PetscInt nodes = nodes_that_leave(Surface(space, face), closing, supports); nodes > 0)
      check(
          PetscFPrintf(space.comm(), PETSC_STDERR,
                       "warning: gas behind '%s': %" PetscInt_FMT
                       " nodes at the edge of the face may leave the plane that closes the cavity. If they do, volume "
                       "and pressure are wrong, and energy is not conserved. Hold the edge in that plane for the whole "
                       "run (-fix_x, -fix_y, -fix_z, -fix_normal, -clamp), or give a face that is closed\n",
                       face.c_str(), nodes));
}

PetscReal Body::farthest_position() {
  impl_->after_set_up("farthest_position");
  return impl_->farthest_position;
}

void Body::set_up() {
  Impl& I = *impl_;
  I.before_set_up("set_up");
  I.cell_materials = I.materials_of_cells();
  for (const auto& [face, t] : I.releases)
    if (!I.supports.list().release(face, t))
      throw OptionError("release of '" + face + "': this face has no support; clamp, fix or move it, too");
  I.supports.set_up(I.space);
  if (!I.contacts.empty())  // no other force depends on positions
    for (const Vec3& X : I.space.coordinates()) I.farthest_position = std::max(I.farthest_position, norm(X));
  I.farthest_position = petsc::reduced(I.space.comm(), MPI_MAX, I.farthest_position);
  I.kernels = read_kernel_options(I.space.comm());
  const char* simd = choose_kernels(I.kernels.simd).name;
  if (I.material) require_version(I.material->law, simd);
  for (const auto& own : I.region_materials)
    if (own) require_version(own->law, simd);
  const PetscReal load_factor = I.terms.load_factor();
  I.terms = I.make_terms(I.cell_materials);
  I.terms.set_load_factor(load_factor);
  I.warn_of_free_rims();
  for (TimeHistory& course : I.terms.time_histories()) I.load_times.add(std::move(course));
  for (const TimeHistory& course : I.motions) I.load_times.add(course);
  if (I.frame) I.load_times.add(I.frame->course());
  I.load_times.set_up(I.space);
  const auto used = I.cell_materials.all();
  I.small_strains = petsc::all(I.space.comm(), std::all_of(used.begin(), used.end(),
                                                           [](const Material& m) { return has_small_strains(m.law); }));
  I.damped_regions = petsc::any(I.space.comm(), RegionDamping::in(I.cell_materials));
  I.check_formulation();
  I.op = std::make_unique<Operator>(I.space, I.cell_materials, I.kernels, I.formulation);
  I.internal = I.op->store().make_vector(I.space.comm());
  if (I.frame)
    for (auto* work : {&I.frame_work, &I.frame_more}) check(VecDuplicate(I.space.layout(), work->out()));
  I.flows = I.op->follows_path();
  for (const Contact& contact : I.contacts) I.contact_reports.push_back({.name = contact.name});
  I.choose_slip_speeds(*this);
}

MemoryEstimate Body::memory_estimate(int ranks) const {
  const Impl& I = *impl_;
  const MaterialTable material = I.materials_of_cells();
  const KernelOptions kernels = read_kernel_options(I.space.comm());
  return estimate_memory(I.mesh, I.space, material, I.make_terms(material), I.choice(), kernels, I.formulation,
                         ranks > 0 ? ranks : petsc::ranks_of(I.space.comm()));
}

Vec Body::layout() const { return impl_->space.layout(); }
const Space& Body::space() const { return impl_->space; }
const Mesh& Body::mesh() const { return impl_->mesh; }

const Material& Body::material(PetscInt cell) const {
  impl_->after_set_up("material");
  return impl_->cell_materials[cell];
}

int Body::material_number(PetscInt cell) const {
  impl_->after_set_up("material_number");
  return impl_->cell_materials.number(cell);
}

std::vector<Material> Body::materials() const {
  const auto all = [](const MaterialTable& table) {
    return std::vector<Material>(table.all().begin(), table.all().end());
  };
  return impl_->op ? all(impl_->cell_materials) : all(impl_->materials_of_cells());
}

int Body::material_count() const {
  impl_->after_set_up("material_count");
  return impl_->cell_materials.count();
}

void Body::visit_points(const State& x, const PointVisitor& use) const {
  impl_->after_set_up("visit_points");
  (void)impl_->op->visit_points(x.q, x.internal, use);
}

void Body::interpolate(const Field& field, PetscReal t, Vec values) const {
  std::string failure;
  {
    petsc::WriteView entries(values);
    for (std::size_t node = 0; 3 * node < entries.size(); ++node) {
      const Vec3& X = impl_->space.coordinates()[node];
      const Vec3 value = petsc::value_or_failure([&] { return field(t, X); }, failure);
      for (std::size_t c = 0; c < 3; ++c) entries[3 * node + c] = value[c];
    }
  }
  petsc::throw_if_any<Error>(impl_->space.comm(), failure);
}

IS Body::natural_numbering() const {
  Impl& I = *impl_;
  if (!I.natural) I.natural = number_naturally(I.mesh, I.space);
  return I.natural.get();
}

}  // namespace gearshift::solid
