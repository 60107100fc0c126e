#include <gearshift/petsc/views.hpp>

#include "solid/body_impl.hpp"
#include "solid/footprint.hpp"
#include "solid/material/registered_laws.hpp"
#include "solid/operator/choose_kernels.hpp"
#include "solid/space/natural_numbering.hpp"
#include "solid/terms/base_acceleration.hpp"
#include "solid/terms/body_force.hpp"
#include "solid/terms/dead_loads.hpp"
#include "solid/terms/gas.hpp"
#include "solid/terms/pressure.hpp"
#include "solid/terms/springs.hpp"
#include "solid/terms/traction.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift::solid {

using petsc::check;

namespace {

void require_positive(const char* what, std::string_view face, PetscReal normal, PetscReal tangential) {
  if (normal >= 0 && tangential >= 0 && std::isfinite(normal) && std::isfinite(tangential)) return;
  throw OptionError(std::string(what) + " of '" + std::string(face) +
                    "': give two numbers >= 0, normal and tangential");
}

}  // namespace

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

void Body::Impl::plan_gravity(TimeCourse b) {
  before_set_up("set_gravity");
  gravity = std::move(b);
}

void Body::Impl::plan_base(TimeCourse a) {
  before_set_up("set_base_acceleration");
  a.depends_on_place = false;
  base = std::move(a);
}

void Body::Impl::plan_traction(TimeCourse T) {
  before_set_up("add_traction");
  (void)mesh.face(T.face);
  tractions.push_back(std::move(T));
}

void Body::Impl::plan_force(TimeCourse F) {
  before_set_up("add_force");
  (void)mesh.face(F.face);
  F.depends_on_place = false;
  forces.push_back(std::move(F));
}

void Body::Impl::plan_pressure(TimeCourse p) {
  const std::string face = p.face;
  plan("add_pressure", face,
       [p = std::move(p)](const Space& on, const MaterialTable&) { return std::make_unique<Pressure>(on, p); });
}

TermSum Body::Impl::make_terms(const MaterialTable& materials) const {
  TermSum all(space);
  if (gravity || base || !tractions.empty() || !forces.empty()) {
    auto dead = std::make_unique<DeadLoads>(space);
    if (gravity) dead->add(std::make_unique<BodyForce>(space, materials, *gravity));
    if (base) dead->add(std::make_unique<BaseAcceleration>(space, materials, *base));
    for (const TimeCourse& traction : tractions) dead->add(std::make_unique<Traction>(space, traction));
    for (const TimeCourse& force : forces) dead->add(Traction::of_force(space, force));
    all.add(std::move(dead));
  }
  for (const auto& make : planned_terms) all.add(make(space, materials));
  return all;
}

void Body::set_gravity(Field gravity, bool steady) { impl_->plan_gravity(course_of("", std::move(gravity), steady)); }
void Body::set_gravity(const VectorExpression& gravity) { impl_->plan_gravity(course_of("", gravity)); }

void Body::set_base_acceleration(std::function<Vec3(PetscReal t)> acceleration, bool steady) {
  impl_->plan_base(course_of(
      "", [a = std::move(acceleration)](PetscReal t, const Vec3&) { return a(t); }, steady));
}
void Body::set_base_acceleration(const VectorExpression& acceleration) {
  if (acceleration.depends_on_place())
    throw OptionError("the acceleration of the base contains x, y or z: the whole base moves alike, by t alone");
  impl_->plan_base(course_of("", acceleration));
}
std::optional<Vec3> Body::base_acceleration(PetscReal t) const {
  if (!impl_->base) return std::nullopt;
  return impl_->terms.load_factor() * impl_->base->value(t, {});
}

void Body::add_traction(std::string_view face, Field traction, bool steady) {
  impl_->plan_traction(course_of(face, std::move(traction), steady));
}
void Body::add_traction(std::string_view face, const VectorExpression& traction) {
  impl_->plan_traction(course_of(face, traction));
}

void Body::add_force(std::string_view face, std::function<Vec3(PetscReal t)> force, bool steady) {
  impl_->plan_force(course_of(
      face, [force = std::move(force)](PetscReal t, const Vec3&) { return force(t); }, steady));
}
void Body::add_force(std::string_view face, const VectorExpression& force) {
  if (force.depends_on_place())
    throw OptionError("the force on '" + std::string(face) +
                      "' contains x, y or z: it is that of the whole face and may vary with t alone; what varies over "
                      "the face is a traction");
  impl_->plan_force(course_of(face, force));
}

void Body::add_pressure(std::string_view face, ScalarField pressure, bool steady) {
  impl_->plan_pressure(course_of(face, std::move(pressure), steady));
}
void Body::add_pressure(std::string_view face, const Expression& pressure) {
  impl_->plan_pressure(course_of(face, pressure));
}

void Body::add_gas(std::string_view face, PetscReal p0, PetscReal gamma) {
  if (!std::isfinite(p0) || !(gamma > 0) || !std::isfinite(gamma))
    throw OptionError("gas behind '" + std::string(face) + "': give a finite pressure and an exponent above 0");
  impl_->plan("add_gas", face, [name = std::string(face), p0, gamma](const Space& space, const MaterialTable&) {
    return std::make_unique<Gas>(space, name, p0, gamma);
  });
}

void Body::add_foundation(std::string_view face, PetscReal normal, PetscReal tangential) {
  require_positive("foundation", face, normal, tangential);
  impl_->plan("add_foundation", face,
              [name = std::string(face), normal, tangential](const Space& space, const MaterialTable&) {
                return Springs::foundation(space, name, {normal, tangential});
              });
}

void Body::add_dashpots(std::string_view face, PetscReal normal, PetscReal tangential) {
  require_positive("dashpots", face, normal, tangential);
  impl_->plan("add_dashpots", face,
              [name = std::string(face), normal, tangential](const Space& space, const MaterialTable&) {
                return Springs::dashpots(space, name, {normal, tangential});
              });
}

void Body::absorb_waves(std::string_view face) {
  impl_->plan("absorb_waves", face, [name = std::string(face)](const Space& space, const MaterialTable& material) {
    return Springs::absorbing(space, name, material);
  });
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
  impl_->motions.push_back(course_of_motion(face, motion));
  impl_->supports.add(face, 7, std::move(motion));
}

void Body::move(std::string_view face, const VectorExpression& motion) {
  impl_->before_set_up("move");
  (void)impl_->mesh.face(face);
  impl_->motions.push_back(course_of_motion(face, motion));
  impl_->supports.add(face, 7, motion.motion());
}

void Body::set_load_factor(PetscReal s) { impl_->terms.set_load_factor(s); }

void Body::set_solver(Solver solver) {
  impl_->before_set_up("set_solver");
  impl_->solver = solver;
}

void Body::set_up() {
  Impl& I = *impl_;
  I.before_set_up("set_up");
  I.cell_materials = I.materials_of_cells();
  I.supports.set_up(I.space);
  I.kernels = read_kernel_options(I.space.comm());
  const char* simd = choose_kernels(I.kernels.simd).name;
  if (I.material) require_version(I.material->law, simd);
  for (const auto& own : I.region_materials)
    if (own) require_version(own->law, simd);
  const PetscReal load_factor = I.terms.load_factor();
  I.terms = I.make_terms(I.cell_materials);
  I.terms.set_load_factor(load_factor);
  for (TimeCourse& course : I.terms.courses()) I.load_times.add(std::move(course));
  for (const TimeCourse& course : I.motions) I.load_times.add(course);
  I.load_times.set_up(I.space);
  I.op = std::make_unique<Operator>(I.space, I.supports, I.cell_materials, I.kernels);
  I.internal = I.op->make_internal();
  I.flows = I.op->follows_path();
}

Footprint Body::footprint() const {
  const Impl& I = *impl_;
  const MaterialTable material = I.materials_of_cells();
  const KernelOptions kernels = read_kernel_options(I.space.comm());
  return estimate_footprint(I.mesh, I.space, material, I.make_terms(material), I.choice(kernels), kernels);
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

int Body::material_count() const {
  impl_->after_set_up("material_count");
  return impl_->cell_materials.count();
}

void Body::visit_points(const State& x, const PointVisitor& use) const {
  impl_->after_set_up("visit_points");
  (void)impl_->op->visit_points(x.q, x.internal, use);
}

void Body::interpolate(const Field& field, PetscReal t, Vec values) const {
  petsc::WriteView entries(values);
  for (std::size_t node = 0; 3 * node < entries.size(); ++node) {
    const Vec3 value = field(t, impl_->space.coordinates()[node]);
    for (std::size_t c = 0; c < 3; ++c) entries[3 * node + c] = value[c];
  }
}

IS Body::natural_numbering() const {
  Impl& I = *impl_;
  if (!I.natural) I.natural = number_naturally(I.mesh, I.space);
  return I.natural.get();
}

}  // namespace gearshift::solid
