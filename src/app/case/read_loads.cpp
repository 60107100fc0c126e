#include "app/case/read_loads.hpp"

#include "petsc/options/check_option.hpp"

#include <algorithm>
#include <array>

namespace gearshift::app {
namespace {

using petsc::Options;
using solid::VectorExpression;

std::optional<VectorExpression> read_vector(Options& options, const solid::Tables& tables, const std::string& key,
                                            const std::string& text) {
  std::string value;
  if (!options.string(key.c_str(), text.c_str(), value)) return std::nullopt;
  return petsc::for_option(key, [&] { return VectorExpression(value, tables); });
}

std::optional<std::array<PetscReal, 2>> read_pair(Options& options, const std::string& key, const char* text) {
  std::vector<PetscReal> values;
  if (!options.reals(key.c_str(), text, values)) return std::nullopt;
  if (values.size() != 2) throw OptionError("option " + key + ": give two numbers separated by a comma");
  return std::array{values[0], values[1]};
}

/// Reads a load; apply(body, load) adds it to the body later.
template <class Apply>
void read_load(Options& options, Case& given, LoadKind kind, const std::string& key, const char* text, Apply apply) {
  if (const auto load = read_vector(options, given.tables, key, text))
    given.loads.emplace(kind, [load = *load, apply](solid::Body& body) { apply(body, load); });
}

void read_mass(Options& options, Case& given, const std::string& name, const char* text, auto apply) {
  PetscReal mass = 0;
  if (options.real(("-mass_" + name).c_str(), text, mass))
    given.loads.emplace(LoadKind::dead, [mass, apply](solid::Body& body) { apply(body, mass); });
}

void read_followers(Options& options, const std::string& face, Case& given) {
  const auto read = [&](const char* key, solid::Follower kind, const char* text) {
    read_load(options, given, LoadKind::follower, key + face, text,
              [face, kind](auto& body, auto& load) { body.add_follower(face, kind, load); });
  };
  read("-follower_force_", solid::Follower::force,
       "total force fx,fy,fz, distributed evenly over the reference area of the face, that rotates with the face as a "
       "whole; may contain t [force]");
  read("-follower_torque_", solid::Follower::torque,
       "torque mx,my,mz on the face that rotates with the face as a whole; may contain t [force length]");
  read("-motor_torque_", solid::Follower::motor_torque,
       "torque mx,my,mz of a motor that turns the face about an axis fixed in space, through any angle; may contain t "
       "[force length]");
}

/// Reads the pressure on a face, and whether it follows the deformed face.
void read_pressure(Options& options, const std::string& face, Case& given) {
  const std::string key = "-pressure_" + face, key_follow = key + "_follow";
  std::string text;
  const bool pressed = options.string(
      key.c_str(), "pressure p on the deformed face, along its normal; may contain t,x,y,z [force/length^2]", text);
  bool follows = true;
  const bool found = options.flag(key_follow.c_str(),
                                  "true: the pressure follows the deformed face; false: it is a dead load, along the "
                                  "normal and per area of the undeformed face",
                                  follows);
  if (found && text.empty())
    throw OptionError("option " + key_follow + ": there is no " + key + " to which it applies");
  if (!pressed) return;
  const auto p = petsc::for_option(key, [&] { return solid::Expression(text, given.tables); });
  given.pressures.emplace_back(face, follows);
  given.loads.emplace(LoadKind::pressure, [=](solid::Body& body) {
    follows ? body.add_pressure(face, p) : body.add_dead_pressure(face, p);
  });
}

void read_gas(Options& options, const std::string& face, Case& given) {
  std::vector<PetscReal> gas;
  if (!options.reals(
          ("-gas_" + face).c_str(),
          "p0,gamma or p0,gamma,x,y,z of a pneumatic cavity with the pressure p = p0 (V_0/V)^gamma, V its "
          "volume and V_0 its undeformed volume [force/length^2; -; length]. The face is closed, or the rest "
          "of the cavity is closed by one plane, or by several through the origin or through the point x,y,z",
          gas))
    return;
  if (gas.size() != 2 && gas.size() != 5)
    throw OptionError("option -gas_" + face + ": give p0,gamma or p0,gamma,x,y,z, numbers separated by commas");
  std::optional<solid::Vec3> closing;
  if (gas.size() == 5) closing = solid::Vec3{gas[2], gas[3], gas[4]};
  given.loads.emplace(LoadKind::gas, [=](solid::Body& body) { body.add_gas(face, gas[0], gas[1], closing); });
}

}  // namespace

std::optional<solid::Vec3> read_numbers(Options& options, const std::string& key, const char* text) {
  std::vector<PetscReal> values;
  if (!options.reals(key.c_str(), text, values)) return std::nullopt;
  if (values.size() != 3) throw OptionError("option " + key + ": give three numbers separated by commas");
  return solid::Vec3{values[0], values[1], values[2]};
}

void read_motion(Options& options, const std::string& face, Case& given) {
  const std::string key = "-prescribe_" + face;
  std::string text;
  if (!options.string(key.c_str(),
                      "prescribed displacement ux,uy,uz of the face, curve or point, without jumps in time [length]; "
                      "write 'free' for a component that is not prescribed",
                      text))
    return;
  std::vector<std::string> parts = petsc::split_top_level(text);
  std::array<bool, 3> components{true, true, true};
  for (std::size_t c = 0; c < std::min<std::size_t>(3, parts.size()); ++c)
    if (parts[c] == "free") {
      components[c] = false;
      parts[c] = "0";
    }
  if (components == std::array{false, false, false})
    throw OptionError("option " + key + ": all components are free; leave the option out");
  std::string formulas;
  for (const std::string& part : parts) formulas += (formulas.empty() ? "" : ",") + part;
  petsc::for_option(key, [&] {
    given.supports.motions.push_back({face, VectorExpression(formulas, given.tables), components});
  });
}

void read_surfaces(Options& options, const std::vector<std::string>& faces, Case& given) {
  options.heading("Pressures, springs, dashpots and masses on faces");
  for (const std::string& face : faces) {
    read_pressure(options, face, given);
    read_gas(options, face, given);
    const std::string dashpot = "-dashpot_" + face;
    if (const auto k =
            read_pair(options, "-foundation_" + face,
                      "normal and tangential stiffness kn,kt of springs to the ground, per area [force/length^3]"))
      given.loads.emplace(LoadKind::foundation,
                          [=](solid::Body& body) { body.add_foundation(face, (*k)[0], (*k)[1]); });
    read_mass(options, given, face,
              "mass distributed evenly over the face; gravity and the base acceleration act on it [mass]",
              [face](auto& body, PetscReal mass) { body.add_mass(face, mass); });
    std::string words;
    if (!options.string(dashpot.c_str(),
                        "normal and tangential coefficients cn,ct of dashpots, per area [force time/length^3]; or "
                        "lysmer: absorbing boundary",
                        words))
      continue;
    if (words == "lysmer")
      given.loads.emplace(LoadKind::absorbing, [face](solid::Body& body) { body.absorb_waves(face); });
    else if (const auto c = read_pair(options, dashpot, "cn,ct or lysmer"))
      given.loads.emplace(LoadKind::dashpots, [=](solid::Body& body) { body.add_dashpots(face, (*c)[0], (*c)[1]); });
  }
}

void read_point_loads(Options& options, const std::vector<std::string>& faces, Case& given) {
  options.heading("Forces and masses at points, given by probes");
  options.mention("-force_<probe>", "<text>", "force fx,fy,fz at the point of -probe_<probe>; may contain t [force]");
  options.mention(
      "-mass_<probe>", "<x>",
      "mass that moves with the point of -probe_<probe>; gravity and the base acceleration act on it [mass]");
  for (const auto& [name, X] : given.results.probes) {
    if (std::find(faces.begin(), faces.end(), name) != faces.end()) continue;  // the face has these keys
    read_load(options, given, LoadKind::dead, "-force_" + name, "force at the probe's point",
              [name = name, X = X](auto& body, auto& force) { body.add_point_force(name, X, force); });
    read_mass(options, given, name, "mass at the probe's point",
              [name = name, X = X](auto& body, PetscReal mass) { body.add_point_mass(name, X, mass); });
  }
}

void read_loads(Options& options, const std::vector<std::string>& faces, Case& given) {
  options.heading("Loads");
  read_load(options, given, LoadKind::inertial, "-gravity",
            "body force per mass gx,gy,gz; may contain t,x,y,z [length/time^2]",
            [](auto& body, auto& gravity) { body.set_gravity(gravity); });
  read_load(options, given, LoadKind::base_acceleration, "-base_acceleration",
            "base excitation: acceleration ax,ay,az of the base that carries the supports; may contain t. "
            "Displacements and velocities are relative to the base; accelerations in -fields and -probe_fields are "
            "absolute, and probes then include them by default [length/time^2]",
            [](auto& body, auto& acceleration) { body.set_base_acceleration(acceleration); });
  const auto spin = read_vector(
      options, given.tables, "-frame_spin",
      "angular velocity wx,wy,wz of a rotating frame with centrifugal, Coriolis and, if the velocity varies, Euler "
      "forces; may contain t. Motion and loads are given in the axes of this frame [rad/time]");
  const auto centre =
      read_numbers(options, "-frame_centre", "a point x,y,z on the axis of the rotating frame; default 0,0,0 [length]");
  if (centre && !spin)
    throw OptionError("option -frame_centre: give the angular velocity of the frame, too: -frame_spin wx,wy,wz");
  if (spin)
    given.loads.emplace(LoadKind::inertial,
                        [=](solid::Body& body) { body.set_rotating_frame(*spin, centre.value_or(solid::Vec3{})); });
  for (const std::string& face : faces) {
    read_load(options, given, LoadKind::dead, "-traction_" + face,
              "dead load tx,ty,tz on the face, per reference area [force/length^2]",
              [face](auto& body, auto& traction) { body.add_traction(face, traction); });
    read_load(options, given, LoadKind::dead, "-force_" + face,
              "total force fx,fy,fz, distributed evenly over the reference area of the face; may contain t [force]",
              [face](auto& body, auto& force) { body.add_force(face, force); });
    read_load(options, given, LoadKind::dead, "-torque_" + face,
              "torque mx,my,mz on the face, by self-balanced tractions that grow with the distance from its centroid "
              "and keep their directions; may contain t [force length]",
              [face](auto& body, auto& torque) { body.add_torque(face, torque); });
    read_followers(options, face, given);
  }
  given.initial_displacement =
      read_vector(options, given.tables, "-initial_displacement", "initial displacement ux,uy,uz; default 0 [length]");
  given.initial_velocity =
      read_vector(options, given.tables, "-initial_velocity", "initial velocity vx,vy,vz; default 0 [length/time]");
}

}  // namespace gearshift::app
