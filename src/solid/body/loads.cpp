/// The loads of a body, and the terms that represent them.

#include "petsc/queries.hpp"
#include "petsc/text_of.hpp"
#include "solid/body/impl.hpp"
#include "solid/terms/base_acceleration.hpp"
#include "solid/terms/body_force.hpp"
#include "solid/terms/dead_loads.hpp"
#include "solid/terms/followers/follower_load.hpp"
#include "solid/terms/gas.hpp"
#include "solid/terms/point_loads.hpp"
#include "solid/terms/pressure.hpp"
#include "solid/terms/region_damping.hpp"
#include "solid/terms/surface_form.hpp"
#include "solid/terms/traction.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gearshift::solid {
namespace {

/// Returns the function that creates springs or dashpots.
auto form_of(decltype(SurfaceForm::foundation)* create, const char* what, std::string_view face, PetscReal normal,
             PetscReal tangential) {
  if (!(normal >= 0 && tangential >= 0 && std::isfinite(normal) && std::isfinite(tangential)))
    throw OptionError(std::string(what) + " of '" + std::string(face) +
                      "': give two numbers >= 0, normal and tangential");
  return [create, name = std::string(face), normal, tangential](const Space& space, const MaterialTable&) {
    return create(space, name, {normal, tangential});
  };
}

/// Returns the history of a load that depends on t only.
TimeHistory uniform(std::string_view face, std::function<Vec3(PetscReal t)> load, bool steady) {
  TimeHistory course = course_of(
      face, [load = std::move(load)](PetscReal t, const Vec3&) { return load(t); }, steady);
  course.depends_on_place = false;
  return course;
}

/// @param name the load, for errors
/// @param reason why it is the same everywhere, for the same errors
TimeHistory uniform(std::string_view face, const VectorExpression& load, const std::string& name, const char* reason) {
  if (load.depends_on_place()) throw OptionError(name + " contains x, y or z: it " + reason);
  return course_of(face, load);
}

constexpr const char* sum_over_face =
    "is the sum over the face and may depend on t only; a load that varies over the face is a traction";

std::string load_on(const char* load, std::string_view face) { return load + (" on '" + std::string(face) + "'"); }

void require_mass(std::string_view where, PetscReal mass) {
  if (!(mass >= 0) || !std::isfinite(mass))
    throw OptionError("the mass at '" + std::string(where) + "': give a number of 0 or more");
}

}  // namespace

void Body::Impl::plan_gravity(TimeHistory b) {
  before_set_up("set_gravity");
  gravity = std::move(b);
}

void Body::Impl::plan_base(TimeHistory a) {
  before_set_up("set_base_acceleration");
  base = std::move(a);
}

void Body::Impl::plan_face_load(FaceLoad kind, TimeHistory load) {
  constexpr std::array calls{"add_traction", "add_dead_pressure", "add_force", "add_torque"};
  before_set_up(calls[kind]);
  (void)mesh.face(load.face);
  face_loads[kind].push_back(std::move(load));
}

void Body::Impl::plan_follower(Follower kind, TimeHistory load) {
  const std::string face = load.face;
  plan("add_follower", face, [kind, load = std::move(load)](const Space& on, const MaterialTable&) {
    return std::make_unique<FollowerLoad>(on, kind, load);
  });
}

void Body::Impl::plan_pressure(TimeHistory p) {
  const std::string face = p.face;
  plan("add_pressure", face,
       [p = std::move(p)](const Space& on, const MaterialTable&) { return std::make_unique<Pressure>(on, p); });
}

std::unique_ptr<Term> Body::Impl::make_dead_loads(const MaterialTable& materials) const {
  const bool any_on_faces = std::ranges::any_of(face_loads, [](const auto& loads) { return !loads.empty(); });
  if (!gravity && !base && !any_on_faces && point_forces.empty()) return nullptr;
  auto dead = std::make_unique<DeadLoads>(space);
  if (gravity) dead->add(std::make_unique<BodyForce>(space, materials, *gravity));
  if (base) dead->add(std::make_unique<BaseAcceleration>(space, materials, *base));
  const auto of_field = [](const Space& on, TimeHistory T) { return std::make_unique<Traction>(on, std::move(T)); };
  const std::array makers{+of_field, Traction::of_pressure, Traction::of_force, Traction::of_torque};
  for (std::size_t kind = 0; kind < face_loads.size(); ++kind)
    for (const TimeHistory& load : face_loads[kind]) dead->add(makers[kind](space, load));
  for (const Point& point : point_forces)
    dead->add(std::make_unique<PointForce>(space, point.name, point.X, point.force));
  // Forces of gravity and base acceleration on masses.
  for (const auto& [field, sign] : {std::pair{&gravity, 1.0}, std::pair{&base, -1.0}}) {
    if (!*field) continue;
    TimeHistory own = **field;
    own.value = [value = own.value, s = sign](PetscReal t, const Vec3& X) { return s * value(t, X); };
    for (const auto& [face, mass] : face_masses) {
      own.face = face;
      dead->add(Traction::of_mass(space, mass, own));
    }
    own.face.clear();
    for (const Point& point : point_masses) {
      TimeHistory weight = own;
      weight.value = [value = own.value, m = point.mass](PetscReal t, const Vec3& X) { return m * value(t, X); };
      dead->add(std::make_unique<PointForce>(space, "", point.X, std::move(weight)));
    }
  }
  return dead;
}

TermSum Body::Impl::make_terms(const MaterialTable& materials) const {
  TermSum all(space);
  if (auto dead = make_dead_loads(materials)) all.add(std::move(dead));
  for (const auto& make : planned_terms) all.add(make(space, materials));
  if (petsc::any(space.comm(), RegionDamping::in(materials)))
    all.add(std::make_unique<RegionDamping>(space, materials, kernels));
  return all;
}

void Body::set_gravity(Field gravity, bool steady) { impl_->plan_gravity(course_of("", std::move(gravity), steady)); }
void Body::set_gravity(const VectorExpression& gravity) { impl_->plan_gravity(course_of("", gravity)); }

void Body::set_base_acceleration(std::function<Vec3(PetscReal t)> acceleration, bool steady) {
  impl_->plan_base(uniform("", std::move(acceleration), steady));
}
void Body::set_base_acceleration(const VectorExpression& acceleration) {
  impl_->plan_base(uniform("", acceleration, "the acceleration of the base", "is uniform and may depend on t only"));
}

void Body::Impl::plan_frame(const RotatingFrame& rotating) {
  before_set_up("set_rotating_frame");
  frame.emplace(rotating);
}

void Body::set_rotating_frame(const Vec3& spin, const Vec3& centre) { impl_->plan_frame({impl_->space, spin, centre}); }
void Body::set_rotating_frame(Spin spin, const Vec3& centre) {
  impl_->plan_frame({impl_->space, std::move(spin), centre, {}});
}
void Body::set_rotating_frame(const VectorExpression& spin, const Vec3& centre) {
  if (spin.depends_on_place())
    throw OptionError("the frame's angular velocity (-frame_spin) may depend on t only, not on x, y or z");
  if (!spin.depends_on_time()) return set_rotating_frame(spin(0, {}), centre);
  const auto value = [motion = spin.motion()](PetscReal t) {
    const MotionValue w = motion(t, {});
    return SpinValue{w.g, w.g_t};
  };
  const auto next_rough_time = [spin](PetscReal t, PetscReal until, const Vec3& X) {
    auto next = spin.next_rough_time(t, until, X);
    if (!next) return next;
    if (next->derivative == 0)
      throw OptionError("the frame's angular velocity (-frame_spin) jumps at t = " + petsc::text_of(next->t, 10) +
                        " and would need an infinite torque there; let it rise over a finite time, for example by "
                        "300*ramp(t/0.1)");
    next->derivative -= 1;  // its derivative is also a load
    return next;
  };
  impl_->plan_frame({impl_->space, value, centre, next_rough_time});
}

std::optional<Vec3> Body::base_acceleration(PetscReal t) const {
  if (!impl_->base) return std::nullopt;
  return impl_->terms.load_factor() * impl_->base->value(t, {});
}

void Body::add_traction(std::string_view face, Field traction, bool steady) {
  impl_->plan_face_load(Impl::traction, course_of(face, std::move(traction), steady));
}
void Body::add_traction(std::string_view face, const VectorExpression& traction) {
  impl_->plan_face_load(Impl::traction, course_of(face, traction));
}

void Body::add_force(std::string_view face, std::function<Vec3(PetscReal t)> force, bool steady) {
  impl_->plan_face_load(Impl::force, uniform(face, std::move(force), steady));
}
void Body::add_force(std::string_view face, const VectorExpression& force) {
  impl_->plan_face_load(Impl::force, uniform(face, force, load_on("the force", face), sum_over_face));
}

void Body::add_torque(std::string_view face, std::function<Vec3(PetscReal t)> torque, bool steady) {
  impl_->plan_face_load(Impl::torque, uniform(face, std::move(torque), steady));
}
void Body::add_torque(std::string_view face, const VectorExpression& torque) {
  impl_->plan_face_load(Impl::torque, uniform(face, torque, load_on("the torque", face), sum_over_face));
}

void Body::add_follower(std::string_view face, Follower kind, std::function<Vec3(PetscReal t)> load, bool steady) {
  impl_->plan_follower(kind, uniform(face, std::move(load), steady));
}
void Body::add_follower(std::string_view face, Follower kind, const VectorExpression& load) {
  impl_->plan_follower(kind, uniform(face, load, load_on("the follower force or torque", face),
                                     "is the load on the whole face and may depend on t only"));
}

void Body::Impl::plan_point_force(std::string_view name, const Vec3& X, TimeHistory F) {
  before_set_up("add_point_force");
  point_forces.push_back({.name = std::string(name), .X = X, .force = std::move(F)});
}

void Body::add_point_force(std::string_view name, const Vec3& X, std::function<Vec3(PetscReal t)> force, bool steady) {
  impl_->plan_point_force(name, X, uniform("", std::move(force), steady));
}
void Body::add_point_force(std::string_view name, const Vec3& X, const VectorExpression& force) {
  impl_->plan_point_force(
      name, X,
      uniform("", force, "the force at '" + std::string(name) + "'", "acts at one point and may depend on t only"));
}

void Body::add_mass(std::string_view face, PetscReal mass) {
  require_mass(face, mass);
  impl_->plan("add_mass", face, [name = std::string(face), mass](const Space& space, const MaterialTable&) {
    return SurfaceForm::mass(space, name, mass);
  });
  impl_->face_masses.emplace_back(face, mass);
}

void Body::add_point_mass(std::string_view name, const Vec3& X, PetscReal mass) {
  impl_->before_set_up("add_point_mass");
  require_mass(name, mass);
  impl_->point_masses.push_back({.name = std::string(name), .X = X, .mass = mass});
  impl_->planned_terms.push_back([own = impl_->point_masses.back()](const Space& space, const MaterialTable&) {
    return std::make_unique<PointMass>(space, own.name, own.X, own.mass);
  });
}

void Body::add_pressure(std::string_view face, ScalarField pressure, bool steady) {
  impl_->plan_pressure(course_of(face, std::move(pressure), steady));
}
void Body::add_pressure(std::string_view face, const Expression& pressure) {
  impl_->plan_pressure(course_of(face, pressure));
}

void Body::add_dead_pressure(std::string_view face, ScalarField pressure, bool steady) {
  impl_->plan_face_load(Impl::dead_pressure, course_of(face, std::move(pressure), steady));
}
void Body::add_dead_pressure(std::string_view face, const Expression& pressure) {
  impl_->plan_face_load(Impl::dead_pressure, course_of(face, pressure));
}

void Body::add_gas(std::string_view face, PetscReal p0, PetscReal gamma, std::optional<Vec3> closing) {
  if (!std::isfinite(p0) || !(gamma > 0) || !std::isfinite(gamma))
    throw OptionError("gas behind '" + std::string(face) + "': give a finite pressure and an exponent above 0");
  impl_->plan("add_gas", face,
              [name = std::string(face), p0, gamma, closing](const Space& space, const MaterialTable&) {
                return std::make_unique<Gas>(space, name, p0, gamma, closing);
              });
  impl_->cavities.emplace_back(face, closing);
}

void Body::add_foundation(std::string_view face, PetscReal normal, PetscReal tangential) {
  impl_->plan("add_foundation", face, form_of(SurfaceForm::foundation, "foundation", face, normal, tangential));
  if (normal > 0 && tangential > 0) impl_->stands_on_springs = true;
}

void Body::add_dashpots(std::string_view face, PetscReal normal, PetscReal tangential) {
  impl_->plan("add_dashpots", face, form_of(SurfaceForm::dashpots, "dashpots", face, normal, tangential));
}

void Body::absorb_waves(std::string_view face) {
  impl_->plan("absorb_waves", face, [name = std::string(face)](const Space& space, const MaterialTable& material) {
    return SurfaceForm::absorbing(space, name, material);
  });
}

}  // namespace gearshift::solid
