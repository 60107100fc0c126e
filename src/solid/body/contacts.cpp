/// The contacts of a body.

#include "solid/body/impl.hpp"
#include "solid/space/extent_of.hpp"
#include "solid/terms/contact/obstacle/obstacle_contact.hpp"
#include "solid/terms/contact/pair/pair_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gearshift::solid {

namespace {

constexpr PetscReal least_motion = 1e-9;  // of the body's size: less is no motion by loads

void require(bool holds, const Contact& contact, const char* what) {
  if (!holds) throw OptionError("contact '" + contact.name + "': " + what);
}

}  // namespace

void Body::add_contact(const Contact& contact) {
  Impl& I = *impl_;
  I.before_set_up("add_contact");
  const auto& names = I.mesh.face_names();
  require(!contact.name.empty(), contact, "give it a name");
  require(std::find(names.begin(), names.end(), contact.name) == names.end(), contact,
          "the mesh has a face of this name; choose another one");
  require(std::none_of(I.contacts.begin(), I.contacts.end(),
                       [&](const Contact& other) { return other.name == contact.name; }),
          contact, "there is another contact of this name; choose another one");
  require(std::none_of(I.point_forces.begin(), I.point_forces.end(),
                       [&](const Impl::Point& other) { return other.name == contact.name; }),
          contact, "there is a point force of this name; choose another one");
  require(!contact.faces.empty(), contact, "give the faces that may touch the obstacle");
  const int partners = (contact.obstacle ? 1 : 0) + (contact.with.empty() ? 0 : 1) + (contact.with_itself ? 1 : 0);
  require(partners == 1, contact, "give either an obstacle, or other faces that may be touched, or with_itself");
  require(contact.obstacle || (!contact.motion && !contact.rotation), contact, "only obstacles have a given motion");
  const auto is_number = [](PetscReal x, bool above_zero) { return std::isfinite(x) && (above_zero ? x > 0 : x >= 0); };
  require(is_number(contact.stiffness, true), contact, "give a stiffness above 0");
  require(is_number(contact.viscosity.value_or(0), false), contact, "give a viscosity of 0 or more");
  require(is_number(contact.friction, false), contact, "give a coefficient of friction of 0 or more");
  require(is_number(contact.slip_speed.value_or(1), true), contact, "give a slip speed above 0");
  for (const auto* formula : {&contact.motion, &contact.rotation})
    require(!*formula || !(*formula)->depends_on_place(), contact,
            "the motion of the obstacle contains x, y or z: a rigid obstacle moves by functions of t only");
  for (const auto* faces : {&contact.faces, &contact.with})
    for (const std::string& face : *faces) (void)I.mesh.face(face);
  I.contacts.push_back(contact);
  I.planned_terms.push_back([contact](const Space& space, const MaterialTable& materials) -> std::unique_ptr<Term> {
    if (contact.obstacle) return std::make_unique<ObstacleContact>(space, materials, contact);
    return std::make_unique<PairContact>(space, materials, contact);
  });
}

bool Body::has_friction() const {
  return std::any_of(impl_->contacts.begin(), impl_->contacts.end(), [](const Contact& c) { return c.friction > 0; });
}

/// The loads' accelerations a give the speed sqrt(2 a L) within the body's own size L.
void Body::Impl::choose_slip_speeds(Body& body) {
  const auto all = terms.all_of<ContactTerm>();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (contacts[i].friction == 0) continue;
    PetscReal speed = contacts[i].speed;
    if (!contacts[i].slip_speed && !(speed > 0)) {
      const MotionEstimate of_loads = body.expected_motion({}, std::numeric_limits<PetscReal>::infinity());
      const Extent box = extent_of(space);
      const PetscReal size = norm(box.high - box.low);
      if (of_loads.q > least_motion * size) speed = of_loads.v * std::sqrt(2 * size / of_loads.q);
      if (!(speed > 0))
        throw OptionError("contact '" + contacts[i].name +
                          "': no load gives a speed from which a slip speed could follow; give the slip speed, a "
                          "hundredth of the speed of sliding or less");
    }
    all[i]->set_slip_speed(contacts[i].slip_speed.value_or(Contact::creep * speed));
  }
}

void Body::Impl::look_at_contacts(const State& x) {
  contact_step = PETSC_INFINITY;
  for_contacts(x, [&](ContactTerm& contact, std::size_t i, TermPoint& at) {
    if (x.v) contact_step = std::min(contact_step, contact.safe_step(at));
    contact.remember(at);
    const ContactReport now = contact.report(at);
    ContactReport& greatest = contact_reports[i];
    greatest.pressure = std::max(greatest.pressure, now.pressure);
    greatest.penetration = std::max(greatest.penetration, now.penetration);
    greatest.depth = std::max(greatest.depth, now.depth);
  });
}

MotionEstimate Body::Impl::motion_by_obstacles(PetscReal t, PetscReal until) {
  constexpr int samples = 32;
  const bool none =
      std::none_of(contacts.begin(), contacts.end(), [](const Contact& c) { return c.motion || c.rotation; });
  if (none || !std::isfinite(until)) return {};
  const petsc::Handle<Vec> rest = petsc::duplicate(space.layout());
  MotionEstimate found;
  std::vector<PetscReal> before(contacts.size());
  for (int k = 0; k <= samples && !(found.q > 0); ++k)
    for_contacts({t + k * (until - t) / samples, rest.get(), rest.get(), rest.get()},
                 [&](ContactTerm& contact, std::size_t i, TermPoint& at) {
                   if (!contacts[i].motion && !contacts[i].rotation) return;
                   const PetscReal depth = contact.report(at).penetration;
                   if (k == 0) before[i] = depth;
                   found.q = std::max(found.q, depth - before[i]);
                 });
  found.v = found.q * samples / (until - t);
  return found;
}

void Body::Impl::expect_contacts(const State& x, const MotionEstimate& of_loads) {
  look_at_contacts(x);
  const PetscReal acceleration = of_loads.v * of_loads.v / of_loads.q;
  for (const ContactTerm* contact : terms.all_of<ContactTerm>())
    if (contact->has_friction() && acceleration > 0)
      contact_step = std::min(contact_step, contact->slip_speed() / acceleration);
}

bool Body::Impl::contacts_changed() const {
  constexpr double much = 0.25;
  const auto all = terms.all_of<ContactTerm>();
  std::vector<PetscReal> sums;  // of changes and of sums, for each contact
  for (const ContactTerm* contact : all) {
    const auto [change, sum] = contact->change_of_levels();
    sums.insert(sums.end(), {change, sum});
  }
  const int count = static_cast<int>(sums.size());
  if (count > 0) check(MPI_Allreduce(MPI_IN_PLACE, sums.data(), count, MPIU_REAL, MPI_SUM, space.comm()));
  for (std::size_t i = 0; i < sums.size(); i += 2)
    if (sums[i] > much * sums[i + 1]) return true;
  return false;
}

void Body::Impl::archive_contacts(Archive& state) {
  if (contacts.empty()) return;
  const Archive::Group group(state, "contacts");
  state("step", contact_step);
  const auto all = terms.all_of<ContactTerm>();
  for (std::size_t i = 0; i < all.size(); ++i) {
    ContactReport& report = contact_reports[i];
    const Archive::Group own(state, report.name);
    PetscReal slip_speed = all[i]->slip_speed();
    state("slip_speed", slip_speed);
    if (!contacts[i].slip_speed) all[i]->set_slip_speed(slip_speed);
    if (state.loading()) all[i]->forget_slips();
    state("pressure", report.pressure);
    state("penetration", report.penetration);
    state("depth", report.depth);
  }
}

std::vector<ContactReport> Body::contact_reports(const State& x) const {
  impl_->after_set_up("contact_reports");
  std::vector<ContactReport> all;
  impl_->for_contacts(x, [&](ContactTerm& contact, std::size_t i, TermPoint& at) {
    ContactReport now = contact.report(at);
    now.pressure = std::max(now.pressure, impl_->contact_reports[i].pressure);
    now.penetration = std::max(now.penetration, impl_->contact_reports[i].penetration);
    now.depth = std::max(now.depth, impl_->contact_reports[i].depth);
    all.push_back(now);
  });
  return all;
}

void Body::contact_fields(const State& x, std::vector<Vec3>& values) const {
  impl_->after_set_up("contact_fields");
  values.assign(static_cast<std::size_t>(impl_->space.local_nodes()), Vec3{0, PETSC_INFINITY, 0});
  impl_->for_contacts(x, [&](ContactTerm& contact, std::size_t, TermPoint& at) { contact.fields(at, values); });
}

}  // namespace gearshift::solid
