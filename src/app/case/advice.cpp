#include "app/case/advice.hpp"

#include "app/case/case.hpp"
#include "petsc/queries.hpp"
#include "solid/material/law_count.hpp"
#include "solid/material/law_description.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gearshift::app {
namespace {

/// Returns true if `holds` is true for the material of any cell on any rank. Collective.
template <class Holds>
bool any_material(const solid::Body& body, Holds&& holds) {
  const std::vector<solid::Material> used = body.materials();
  return petsc::any(body.space().comm(), std::any_of(used.begin(), used.end(), holds));
}

bool any_above(const solid::Body& body, PetscReal nu) {
  return any_material(body, [nu](const solid::Material& m) {
    const PetscReal own = solid::poisson_ratio(m);
    return own > nu && own < 0.5;  // larger ratios are refused
  });
}

bool flows(const solid::Body& body) {
  return any_material(body, [](const solid::Material& m) { return solid::is_plastic(m); });
}

void say(MPI_Comm comm, const char* text) { petsc::check(PetscFPrintf(comm, PETSC_STDERR, "%s\n", text)); }

}  // namespace

void warn_of_locking(const Case& given, const solid::Body& body, MPI_Comm comm) {
  const bool mixed = given.formulation == solid::Formulation::mixed;
  if (given.degree > 1) {
    if (!mixed && any_above(body, 0.495))
      say(comm,
          "note: with a Poisson's ratio above 0.495 the displacement formulation needs many iterations, and small "
          "steps under large rotations; -formulation mixed does not");
  } else if (mixed) {
    if (any_above(body, 0.495))
      say(comm,
          "note: with -formulation mixed and -degree 1 the pressures of neighbouring cells can alternate, and finer "
          "meshes need more iterations; -degree 2 has neither problem, and is more accurate for the same run time");
  } else if (flows(body)) {
    say(comm,
        "warning: plastic flow preserves the volume, and cells of degree 1 lock under this constraint: computed forces "
        "are too large. Use -degree 2, or -formulation mixed");
  } else if (any_above(body, 0.45)) {
    say(comm,
        "warning: with a Poisson's ratio above 0.45 cells of degree 1 lock: the computed body is too stiff. Use "
        "-degree 2, or -formulation mixed, which is best at any degree if the ratio is close to 0.5");
  }
}

void note_pressures(const Case& given, const solid::Body& body, MPI_Comm comm) {
  if (given.pressures.empty() ||
      any_material(body, [](const solid::Material& m) { return !solid::has_small_strains(m.law); }))
    return;
  std::string follow, dead;
  for (const auto& [face, follows] : given.pressures) (follows ? follow : dead) += " " + face;
  if (!follow.empty())
    say(comm, ("note: pressures follow the deformed face on" + follow +
               ", so the problem is not linear, although the material is; -pressure_<face>_follow false applies them "
               "to the undeformed face")
                  .c_str());
  if (!dead.empty()) say(comm, ("note: pressures keep the undeformed normal and area on" + dead).c_str());
}

void note_modes_of_contacts(const Case& given, MPI_Comm comm) {
  if (given.analysis.modes > 0 && given.loads.contains(LoadKind::contact))
    say(comm,
        "note: natural modes are small vibrations: in -modes what touches stays in contact, and what does not touch "
        "moves freely");
}

void note_moduli_of_modes(const Case& given, const solid::Body& body, MPI_Comm comm) {
  if (given.analysis.modes == 0 || given.analysis.wanted == Wanted::modes ||
      !any_material(body, [](const solid::Material& m) { return !m.prony_g.empty(); }))
    return;
  say(comm,
      "note: -static relaxes the viscoelastic material, but -modes uses its instantaneous moduli: the frequencies are "
      "valid for vibrations much faster than prony_tau");
}

namespace {

void note_late_frames(const Case& given, const StepperOptions& options, MPI_Comm comm) {
  if (const std::size_t late = given.results.frame_times.later_than(options.t_end); late > 0)
    petsc::check(PetscFPrintf(comm, PETSC_STDERR,
                              "note: %zu of the times of -output_times lie after -gear_t_end %.6g\n", late,
                              options.t_end));
}

/// Notes options that only a motion uses.
void note_keys_of_motions(MPI_Comm comm) {
  std::string unused;
  for (const char* key :
       {"-gear_dt", "-gear_adapt", "-gear_rtol", "-gear_atol", "-gear_atol_v", "-gear_family", "-gear_order",
        "-gear_max_steps", "-gear_max_wall", "-gear_checkpoint", "-gear_checkpoint_every", "-initial_velocity"})
    if (petsc::has_option("", key)) unused += (unused.empty() ? "" : ", ") + std::string(key);
  if (!unused.empty()) say(comm, ("note: -static computes equilibria; not used: " + unused).c_str());
}

void note_what_has_no_effect(const Case& given, const StepperOptions& options, MPI_Comm comm) {
  if (given.analysis.wanted == Wanted::equilibrium && std::isfinite(options.t_end))
    say(comm,
        "note: -static computes equilibria; -gear_t_end is not used (-load_until makes load steps follow the loads up "
        "to "
        "a time)");
  if (given.analysis.wanted == Wanted::equilibrium) note_keys_of_motions(comm);
  if (given.analysis.load_steps > 1 && given.analysis.has_time() && !given.analysis.static_first)
    say(comm, "note: -load_steps applies only to -static and -static_first, and is not used in this run");
  for (const std::string& modulus : given.materials.unused)
    say(comm, ("note: " + modulus + " and is not used").c_str());
  if (!given.analysis.has_time()) return;
  for (const auto& [face, t] : given.supports.releases)
    if (t > options.t_end)
      petsc::check(PetscFPrintf(
          comm, PETSC_STDERR,
          "note: the supports of %s are to be removed after -gear_t_end %.6g: they hold during the whole run\n",
          face.c_str(), options.t_end));
}

void note_default_steps(const Case& given, const StepperOptions& options, MPI_Comm comm) {
  if (!given.analysis.has_default_steps()) return;
  petsc::check(PetscFPrintf(comm, PETSC_STDERR,
                            "note: neither -gear_dt nor -gear_adapt is given: steps follow the error, as with "
                            "-gear_adapt order -gear_rtol %.6g%s\n",
                            options.rtol,
                            options.cutoff_frequency == StepperOptions::from_steps && options.atol_v == 0
                                ? " -gear_cutoff_frequency -2"
                                : ""));
}

void note_order_of_flow(const Case& given, const solid::Body& body, const StepperOptions& options, MPI_Comm comm) {
  if (!given.analysis.has_time() || !flows(body)) return;
  if (options.order == StepperOptions::usual_order || options.order <= 2)
    say(comm, "note: plastic flow is integrated to order 2, so steps have order 2 or less unless -gear_order is given");
  else
    petsc::check(PetscFPrintf(comm, PETSC_STDERR,
                              "note: plastic flow is integrated to order 2, which -gear_order %d does not raise\n",
                              static_cast<int>(options.order)));
}

void note_damping_that_jumps(const Case& given, const solid::Body& body, const StepperOptions& options, MPI_Comm comm) {
  if (!given.analysis.has_time()) return;
  const bool whole = options.rayleigh_stiffness > 0;
  for (std::size_t i = 0; i < solid::own_law_count; ++i) {
    const auto law = static_cast<solid::Law>(i);
    const char* jumps = solid::description_of(law).jumps;
    if (jumps && any_material(body, [=](const solid::Material& m) {
          return m.law == law && (whole || m.rayleigh_stiffness > 0);
        }))
      petsc::check(PetscFPrintf(comm, PETSC_STDERR,
                                "note: stiffness damping uses the tangent, which jumps where %s: the damping force "
                                "jumps there, and steps can fail. Mass damping (-gear_rayleigh_mass) does not jump\n",
                                jumps));
  }
}

void note_free_statics(const Case& given, const solid::Body& body, MPI_Comm comm) {
  if ((given.analysis.has_time() && !given.analysis.static_first) || given.loads.contains(LoadKind::foundation) ||
      body.held_rigidly())
    return;
  if (given.loads.contains(LoadKind::contact))
    say(comm,
        "note: apart from contacts nothing holds the body, or one of the bodies, and they hold it only where it "
        "presses, along the normal there and, with friction, up to the limit of friction: support the other "
        "directions, for example by -fix_x and -fix_y");
  else if (body.supported_faces().empty())
    say(comm,
        "note: no face of the body is supported (-clamp, -fix_x, -fix_normal, -prescribe_<face>, "
        "-foundation_<face>): it is in equilibrium only under loads without a resultant force or moment");
  else
    say(comm,
        "note: the supports leave a rigid-body motion free: the body is in equilibrium only under loads that do no "
        "work in that motion; add a support against it");
}

}  // namespace

void note_about_steps(const Case& given, const solid::Body& body, const StepperOptions& options, MPI_Comm comm) {
  note_default_steps(given, options, comm);
  note_late_frames(given, options, comm);
  note_what_has_no_effect(given, options, comm);
  note_order_of_flow(given, body, options, comm);
  note_damping_that_jumps(given, body, options, comm);
  note_free_statics(given, body, comm);
}

}  // namespace gearshift::app
