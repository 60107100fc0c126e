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

std::optional<solid::Vec3> read_numbers(Options& options, const char* key, const char* text) {
  std::vector<PetscReal> values;
  if (!options.reals(key, text, values)) return std::nullopt;
  if (values.size() != 3) throw OptionError(std::string("option ") + key + ": give three numbers separated by commas");
  return solid::Vec3{values[0], values[1], values[2]};
}

std::optional<std::array<PetscReal, 2>> read_pair(Options& options, const std::string& key, const char* text) {
  std::vector<PetscReal> values;
  if (!options.reals(key.c_str(), text, values)) return std::nullopt;
  if (values.size() != 2) throw OptionError("option " + key + ": give two numbers separated by a comma");
  return std::array{values[0], values[1]};
}

void read_followers(Options& options, const std::string& face, Case& given) {
  const auto read = [&](const char* key, solid::Follower kind, const char* text) {
    if (auto load = read_vector(options, given.tables, key + face, text))
      given.followers.push_back({face, kind, *load});
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

}  // namespace

void read_motion(Options& options, const std::string& face, Case& given) {
  const std::string key = "-prescribe_" + face;
  std::string text;
  if (!options.string(key.c_str(),
                      "prescribed displacement ux,uy,uz of the face, curve or point [length]; write 'free' for a "
                      "component that is not prescribed",
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
    given.motions.push_back({face, VectorExpression(formulas, given.tables), components});
  });
}

void read_surfaces(Options& options, const std::vector<std::string>& faces, Case& given) {
  options.heading("Pressures, springs, dashpots and masses on faces");
  given.pressures.clear();
  given.gases.clear();
  given.foundations.clear();
  given.dashpots.clear();
  given.absorbing.clear();
  given.masses.clear();
  for (const std::string& face : faces) {
    std::string text;
    const std::string key = "-pressure_" + face, dashpot = "-dashpot_" + face;
    if (options.string(key.c_str(),
                       "pressure p on the deformed face, along its normal; may contain t,x,y,z [force/length^2]", text))
      petsc::for_option(key, [&] { given.pressures.push_back({face, solid::Expression(text, given.tables)}); });
    bool follows = true;
    const bool found = options.flag((key + "_follow").c_str(),
                                    "true: the pressure follows the deformed face; false: it is a dead load, along the "
                                    "normal and per area of the undeformed face",
                                    follows);
    if (found && text.empty())
      throw OptionError("option " + key + "_follow: there is no " + key + " to which it applies");
    if (!text.empty()) given.pressures.back().follows = follows;
    std::vector<PetscReal> gas;
    if (options.reals(
            ("-gas_" + face).c_str(),
            "p0,gamma or p0,gamma,x,y,z of a pneumatic cavity with the pressure p = p0 (V_0/V)^gamma, V its "
            "volume and V_0 its undeformed volume [force/length^2; -; length]. The face is closed, or the rest "
            "of the cavity is closed by one plane, or by several through the origin or through the point x,y,z",
            gas)) {
      if (gas.size() != 2 && gas.size() != 5)
        throw OptionError("option -gas_" + face + ": give p0,gamma or p0,gamma,x,y,z, numbers separated by commas");
      given.gases.push_back({face, gas[0], gas[1], std::nullopt});
      if (gas.size() == 5) given.gases.back().closing = solid::Vec3{gas[2], gas[3], gas[4]};
    }
    if (auto springs =
            read_pair(options, "-foundation_" + face,
                      "normal and tangential stiffness kn,kt of springs to the ground, per area [force/length^3]"))
      given.foundations.emplace_back(face, *springs);
    PetscReal mass = 0;
    if (options.real(("-mass_" + face).c_str(),
                     "mass distributed evenly over the face; gravity and the base acceleration act on it [mass]", mass))
      given.masses.emplace_back(face, mass);
    std::string words;
    if (!options.string(dashpot.c_str(),
                        "normal and tangential coefficients cn,ct of dashpots, per area [force time/length^3]; or "
                        "lysmer: absorbing boundary",
                        words))
      continue;
    if (words == "lysmer")
      given.absorbing.push_back(face);
    else if (auto pair = read_pair(options, dashpot, "cn,ct or lysmer"))
      given.dashpots.emplace_back(face, *pair);
  }
}

void read_point_loads(Options& options, const std::vector<std::string>& faces, Case& given) {
  options.heading("Forces and masses at points, given by probes");
  options.mention("-force_<probe>", "<text>", "force fx,fy,fz at the point of -probe_<probe>; may contain t [force]");
  options.mention(
      "-mass_<probe>", "<x>",
      "mass that moves with the point of -probe_<probe>; gravity and the base acceleration act on it [mass]");
  given.point_forces.clear();
  given.point_masses.clear();
  for (const auto& [name, X] : given.results.probes) {
    if (std::find(faces.begin(), faces.end(), name) != faces.end()) continue;  // the face has these keys
    if (auto force = read_vector(options, given.tables, "-force_" + name, "force at the probe's point"))
      given.point_forces.push_back({name, *force});
    PetscReal mass = 0;
    if (options.real(("-mass_" + name).c_str(), "mass at the probe's point", mass))
      given.point_masses.emplace_back(name, mass);
  }
}

void read_loads(Options& options, const std::vector<std::string>& faces, Case& given) {
  options.heading("Loads");
  given.gravity = read_vector(options, given.tables, "-gravity",
                              "body force per mass gx,gy,gz; may contain t,x,y,z [length/time^2]");
  given.base_acceleration = read_vector(
      options, given.tables, "-base_acceleration",
      "base excitation: acceleration ax,ay,az of the base that carries the supports; may contain t. Displacements and "
      "velocities are relative to the base; accelerations in -fields and -probe_fields are absolute, and probes then "
      "include them by default [length/time^2]");
  given.frame_spin = read_vector(
      options, given.tables, "-frame_spin",
      "angular velocity wx,wy,wz of a rotating frame with centrifugal, Coriolis and, if the velocity varies, Euler "
      "forces; may contain t. Motion and loads are given in the axes of this frame [rad/time]");
  const auto centre =
      read_numbers(options, "-frame_centre", "a point x,y,z on the axis of the rotating frame; default 0,0,0 [length]");
  if (centre && !given.frame_spin)
    throw OptionError("option -frame_centre: give the angular velocity of the frame, too: -frame_spin wx,wy,wz");
  given.frame_centre = centre.value_or(solid::Vec3{});
  given.tractions.clear();
  given.forces.clear();
  given.torques.clear();
  given.followers.clear();
  for (const std::string& face : faces) {
    if (auto traction = read_vector(options, given.tables, "-traction_" + face,
                                    "dead load tx,ty,tz on the face, per reference area [force/length^2]"))
      given.tractions.push_back({face, *traction});
    if (auto force = read_vector(
            options, given.tables, "-force_" + face,
            "total force fx,fy,fz, distributed evenly over the reference area of the face; may contain t [force]"))
      given.forces.push_back({face, *force});
    if (auto torque = read_vector(options, given.tables, "-torque_" + face,
                                  "torque mx,my,mz on the face, by self-balanced tractions that grow with the distance "
                                  "from its centroid and keep their directions; may contain t [force length]"))
      given.torques.push_back({face, *torque});
    read_followers(options, face, given);
  }
  given.initial_displacement =
      read_vector(options, given.tables, "-initial_displacement", "initial displacement ux,uy,uz; default 0 [length]");
  given.initial_velocity =
      read_vector(options, given.tables, "-initial_velocity", "initial velocity vx,vy,vz; default 0 [length/time]");
}

}  // namespace gearshift::app
