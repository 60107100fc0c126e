#include "app/case/read_contact.hpp"

#include "app/case/clashes.hpp"
#include "app/case/read_loads.hpp"
#include "petsc/options/check_option.hpp"
#include "petsc/options/nearest.hpp"
#include "petsc/options/unread_options.hpp"
#include "petsc/queries.hpp"
#include "petsc/ranks/agree.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gearshift::app {
namespace {

using petsc::Options;
using solid::Vec3;
using solid::VectorExpression;

constexpr std::array contact_endings{"_obstacle", "_with",       "_point",     "_normal",    "_center",   "_radius",
                                     "_axis",     "_size",       "_distance",  "_motion",    "_rotation", "_inside",
                                     "_friction", "_slip_speed", "_stiffness", "_viscosity", "_overlap"};
constexpr std::array overlap_names{"keep", "remove"};
// In statics, where nothing chatters, a stiff contact costs only a few more linear iterations.
constexpr PetscReal static_stiffness = 10;

/// The options of one contact.
class ContactKeys {
 public:
  explicit ContactKeys(const std::string& name) : key_("-contact_" + name) { contact_.name = name; }

  /// Reads all keys and documents them.
  void read(Options& options, const solid::Tables& tables, const AnalysisSettings& analysis);
  /// Throws OptionError for a face that the mesh does not have. @param known the names of the mesh's faces
  /// @param names those of all contacts, one of which may have a misspelled key
  void check_faces(const std::vector<std::string>& known, const std::vector<std::string>& names) const;
  solid::Contact contact(MPI_Comm comm, const solid::Tables& tables);

 private:
  void read_obstacle(Options& options);
  solid::Obstacle obstacle(MPI_Comm comm, const solid::Tables& tables);
  void refuse_unused_keys() const;
  std::string key(const char* ending) const { return key_ + ending; }
  bool with_itself() const { return with_.size() == 1 && with_.front() == "self"; }
  template <class Value>
  const Value& need(const std::optional<Value>& value, const char* ending) const {
    if (!value) throw OptionError("give " + key(ending) + ", too");
    return *value;
  }

  std::string key_, kind_;
  std::vector<std::string> with_;
  std::optional<Vec3> point_, normal_, center_, axis_, size_;
  std::optional<PetscReal> radius_;
  std::optional<std::string> distance_;
  bool inside_ = false;
  solid::Contact contact_;
};

/// Reads a value that has no default.
template <class Value, class Read>
void read_optional(std::optional<Value>& value, Read&& read) {
  Value found{};
  if (read(found)) value = found;
}

void ContactKeys::read_obstacle(Options& options) {
  options.strings(key("_with").c_str(),
                  "instead of an obstacle: other faces of the mesh that the faces may touch, or self: the faces may "
                  "touch each other",
                  with_);
  options.string(key("_obstacle").c_str(),
                 "plane (_point, _normal), sphere (_center, _radius), cylinder (_center, _axis, _radius; infinitely "
                 "long), box (_center, _size), formula (_distance), or the path of an STL file of a closed surface",
                 kind_);
  point_ = read_numbers(options, key("_point"), "a point x,y,z of the plane [length]");
  normal_ = read_numbers(options, key("_normal"), "normal nx,ny,nz of the plane, from the obstacle to the body");
  center_ = read_numbers(options, key("_center"),
                         "center x,y,z of the sphere or box, or a point of the cylinder's axis [length]");
  axis_ = read_numbers(options, key("_axis"), "direction of the cylinder's axis");
  size_ = read_numbers(options, key("_size"), "lengths of the sides of the box along x, y, z [length]");
  read_optional(radius_, [&](PetscReal& value) {
    return options.real(key("_radius").c_str(), "radius of the sphere or cylinder [length]", value);
  });
  read_optional(distance_, [&](std::string& value) {
    return options.string(key("_distance").c_str(),
                          "distance from the surface of the obstacle as a formula in t,x,y,z, negative inside; its "
                          "gradient should have length 1 at the surface [length]",
                          value);
  });
  options.flag(key("_inside").c_str(), "true: the body is inside the obstacle", inside_);
}

void ContactKeys::read(Options& options, const solid::Tables& tables, const AnalysisSettings& analysis) {
  const bool moving = analysis.has_time();
  if (!moving) contact_.stiffness = static_stiffness;
  options.strings(key_.c_str(),
                  "faces that may touch the obstacle of this contact, separated by commas; its name is free, but not "
                  "that of a face",
                  contact_.faces);
  read_obstacle(options);
  const auto formula = [&](const char* ending, const char* text, std::optional<VectorExpression>& motion) {
    std::string given;
    if (options.string(key(ending).c_str(), text, given))
      petsc::for_option(key(ending), [&] { motion.emplace(given, tables); });
  };
  formula("_motion", "displacement ux,uy,uz of the obstacle; may contain t [length]", contact_.motion);
  formula(
      "_rotation",
      "rotation vector rx,ry,rz of the obstacle about its point or center (formulas and STL files: the origin); may "
      "contain t [rad]",
      contact_.rotation);
  options.real(key("_friction").c_str(),
               "coefficient of friction; statics follows the sliding of each load step, so give several load steps [-]",
               contact_.friction);
  if (contact_.friction > 0 && analysis.modes > 0)
    throw OptionError(
        "option " + key("_friction") +
        ": natural modes need a symmetric tangent, and friction makes it unsymmetric; leave the option out");
  read_optional(contact_.slip_speed, [&](PetscReal& value) {
    return options.real(key("_slip_speed").c_str(),
                        "speed of sliding below which a contact with friction creeps instead of sticking, in a motion; "
                        "default: a hundredth of the speed that the initial velocity, the obstacle or the loads give "
                        "[length/time]",
                        value);
  });
  const auto refuse_in_statics = [&](const char* ending, bool given) {
    if (given && !moving)
      throw OptionError("option " + key(ending) + ": a static solution has no velocities; leave the option out");
  };
  refuse_in_statics("_slip_speed", contact_.slip_speed.has_value());
  if (!moving && contact_.friction > 0) contact_.slip_speed = 1;  // it has no effect
  options.real(key("_stiffness").c_str(),
               "stiffness of the contact relative to that of the cells under its faces; a larger one penetrates less "
               "and, in a motion, needs shorter steps. In a static solution the default is 10 [-]",
               contact_.stiffness);
  read_optional(contact_.viscosity, [&](PetscReal& value) {
    return options.real(key("_viscosity").c_str(),
                        "damping of the contact relative to the impedance of the material; default 0, or 1 in a motion "
                        "with friction or a stiffness above 1 [-]",
                        value);
  });
  refuse_in_statics("_viscosity", contact_.viscosity.value_or(0) > 0);
  if (!moving) contact_.viscosity = 0;  // nothing moves, and the tangent is symmetric
  options.choice(key("_overlap").c_str(),
                 "overlap of the undeformed body with the other side at t = 0: keep: it presses, as in an interference "
                 "fit; remove: gaps are measured from there",
                 overlap_names, contact_.overlap);
}

solid::Obstacle ContactKeys::obstacle(MPI_Comm comm, const solid::Tables& tables) {
  if (kind_.empty())
    throw OptionError(
        "give the obstacle of this contact: plane, sphere, cylinder, box, formula, or the path of an STL file; or give "
        "the faces that may be touched by " +
        key("_with"));
  if (kind_ == "plane") return solid::plane(contact_.centre = need(point_, "_point"), need(normal_, "_normal"));
  if (kind_ == "sphere") return solid::sphere(contact_.centre = need(center_, "_center"), need(radius_, "_radius"));
  if (kind_ == "cylinder")
    return solid::cylinder(contact_.centre = need(center_, "_center"), need(axis_, "_axis"), need(radius_, "_radius"));
  if (kind_ == "box") return solid::box(contact_.centre = need(center_, "_center"), need(size_, "_size"));
  if (kind_ == "formula") return solid::obstacle(solid::Expression(need(distance_, "_distance"), tables));
  if (kind_.ends_with(".stl") || kind_.ends_with(".STL"))
    return solid::closed_surface(petsc::read_file(comm, kind_, "give the path of an STL file"));
  constexpr std::array kinds{"plane", "sphere", "cylinder", "box", "formula"};
  throw OptionError("'" + kind_ + "' is unknown; " + petsc::meant(kind_, kinds) +
                    "give plane, sphere, cylinder, box, formula, or the path of an STL file, which ends in .stl");
}

void ContactKeys::refuse_unused_keys() const {
  const bool between = !with_.empty();
  const auto refuse = [&](bool given, const char* ending, std::initializer_list<std::string_view> kinds = {}) {
    if (!given || std::find(kinds.begin(), kinds.end(), kind_) != kinds.end()) return;
    throw OptionError("option " + key(ending) + ": " +
                      (between ? "a contact between faces of the mesh" : "an obstacle '" + kind_ + "'") +
                      " does not have it; leave it out");
  };
  refuse(point_.has_value(), "_point", {"plane"});
  refuse(normal_.has_value(), "_normal", {"plane"});
  refuse(center_.has_value(), "_center", {"sphere", "cylinder", "box"});
  refuse(radius_.has_value(), "_radius", {"sphere", "cylinder"});
  refuse(axis_.has_value(), "_axis", {"cylinder"});
  refuse(size_.has_value(), "_size", {"box"});
  refuse(distance_.has_value(), "_distance", {"formula"});
  refuse(between && !kind_.empty(), "_obstacle");
  refuse(between && inside_, "_inside");
  refuse(between && contact_.motion, "_motion");
  refuse(between && contact_.rotation, "_rotation");
  if (contact_.slip_speed && contact_.friction == 0)
    throw OptionError("option " + key("_slip_speed") + ": the contact has no friction; give " + key("_friction") +
                      ", too, or leave it out");
}

void ContactKeys::check_faces(const std::vector<std::string>& known, const std::vector<std::string>& names) const {
  if (!with_itself()) refuse_unknown_names(key("_with"), known, with_);
  for (const std::string& face : contact_.faces) {
    if (std::find(known.begin(), known.end(), face) != known.end()) continue;
    for (const std::string& name : names)
      if (contact_.name.starts_with(name + "_")) {
        const std::string ending = petsc::nearest(contact_.name.substr(name.size()), contact_endings);
        throw OptionError("option " + key_ + ": unknown option" +
                          (ending.empty() ? "" : ". Did you mean -contact_" + name + ending + "?"));
      }
  }
  refuse_unknown_names(key_, known, contact_.faces);
}

solid::Contact ContactKeys::contact(MPI_Comm comm, const solid::Tables& tables) {
  contact_.with_itself = with_itself();
  if (!with_itself()) contact_.with = with_;
  if (with_.empty()) contact_.obstacle = petsc::for_option(key("_obstacle"), [&] { return obstacle(comm, tables); });
  refuse_unused_keys();
  if (inside_) contact_.obstacle = solid::inside_of(contact_.obstacle);
  return contact_;
}

/// Returns the largest velocity of the obstacle at 64 times up to -gear_t_end, at the distance `arm` from its centre.
PetscReal speed_of(const solid::Contact& contact, PetscReal arm) {
  constexpr int samples = 64;
  PetscReal end = 0, speed = 0;
  petsc::check(PetscOptionsGetReal(nullptr, nullptr, "-gear_t_end", &end, nullptr));
  const auto rate = [&](const std::optional<VectorExpression>& formula, PetscReal t) {
    const Vec3 v = formula ? formula->motion()(t, {}).g_t : Vec3{};
    return std::hypot(v[0], v[1], v[2]);
  };
  for (int i = 0; i <= samples; ++i)
    speed = std::max(speed, rate(contact.motion, end * i / samples) + arm * rate(contact.rotation, end * i / samples));
  return speed;
}

/// Adds a contact to the body, with the largest initial velocity or velocity of the obstacle. Collective.
void add_contact(solid::Contact contact, const std::optional<VectorExpression>& initial, solid::Body& body) {
  PetscReal arm = 0;
  for (const Vec3& X : body.space().coordinates()) {
    const Vec3 v = initial ? (*initial)(0, X) : Vec3{};
    contact.speed = std::max(contact.speed, std::hypot(v[0], v[1], v[2]));
    arm = std::max(arm, std::hypot(X[0] - contact.centre[0], X[1] - contact.centre[1], X[2] - contact.centre[2]));
  }
  arm = petsc::reduced(body.space().comm(), MPI_MAX, arm);
  contact.speed = std::max(petsc::reduced(body.space().comm(), MPI_MAX, contact.speed), speed_of(contact, arm));
  body.add_contact(contact);
}

/// Returns the names of contacts among the keys that have not been read.
std::vector<std::string> names_of_contacts() {
  constexpr std::string_view beginning = "contact_";
  std::vector<std::string> rests, names;
  for (const std::string& key : petsc::unread_options())
    if (key.starts_with(beginning) && key.size() > beginning.size()) rests.push_back(key.substr(beginning.size()));
  const auto belongs_to = [](const std::string& rest) {
    for (const char* ending : contact_endings)
      if (rest.ends_with(ending)) return rest.substr(0, rest.size() - std::string_view(ending).size());
    return std::string();
  };
  for (const std::string& rest : rests)
    if (belongs_to(rest).empty()) names.push_back(rest);
  for (const std::string& rest : rests)
    if (const std::string of = belongs_to(rest);
        !of.empty() && std::find(names.begin(), names.end(), of) == names.end())
      throw OptionError("option -contact_" + rest + ": there is no contact '" + of + "'; " + petsc::meant(of, names) +
                        "give its faces by -contact_" + of);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

void read_contacts(MPI_Comm comm, Options& options, const std::vector<std::string>& faces, Case& given) {
  options.heading("Contact with obstacles and between bodies");
  ContactKeys("<name>").read(options, given.tables, {});
  const std::vector<std::string> names = names_of_contacts();
  for (const std::string& name : names) {
    ContactKeys keys(name);
    keys.read(options, given.tables, given.analysis);
    keys.check_faces(faces, names);
    const solid::Contact contact = keys.contact(comm, given.tables);
    given.loads.emplace(LoadKind::contact, [contact, initial = given.initial_velocity](solid::Body& body) {
      add_contact(contact, initial, body);
    });
    given.results.contacts = true;
  }
}

void refuse_fields_without_contact(const ResultSettings& given) {
  if (given.contacts) return;
  const auto check = [](const char* key, const std::vector<std::string>& fields) {
    for (const char* name : {"contact_pressure", "gap", "slip"})
      if (std::find(fields.begin(), fields.end(), name) != fields.end())
        throw OptionError(std::string("option ") + key + ": '" + name +
                          "' is a field of contacts, and there is none; leave it out, or give -contact_<name>");
  };
  check("-fields", given.fields);
  check("-envelope", given.envelope);
  check("-probe_fields", given.probe_fields);
}

}  // namespace gearshift::app
