#pragma once

/// @file
/// The private data of a Body.

#include <gearshift/petsc/views.hpp>
#include <gearshift/solid/body.hpp>

#include "solid/body/fingerprint.hpp"
#include "solid/body/solver_choice.hpp"
#include "solid/constraints/supports.hpp"
#include "solid/material/material_table.hpp"
#include "solid/multigrid/multigrid.hpp"
#include "solid/operator/operator.hpp"
#include "solid/operator/tangent.hpp"
#include "solid/terms/contact/contact_term.hpp"
#include "solid/terms/load_times.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gearshift::solid {

class Body::Impl {
 public:
  using MakeTerm = std::function<std::unique_ptr<Term>(const Space&, const MaterialTable&)>;

  Impl(Mesh m, int degree) : mesh(std::move(m)), space(mesh, degree), terms(space) {
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

  /// Throws MeshError unless the name is that of a face, a curve or a point.
  void require_support(std::string_view name) const {
    const auto& curves = mesh.curve_names();
    if (std::find(curves.begin(), curves.end(), name) == curves.end()) (void)mesh.face(name);
  }
  /// The kinds of dead loads on faces, in the order in which they are summed.
  enum FaceLoad : std::size_t { traction, dead_pressure, force, torque };

  /// Registers a term that set_up() creates.
  void plan(const char* call, std::string_view face, MakeTerm make) {
    before_set_up(call);
    (void)mesh.face(face);
    planned_terms.push_back(std::move(make));
  }

  /// Collective.
  void warn_of_free_rims() const;
  void plan_frame(const RotatingFrame& rotating);
  void plan_gravity(TimeHistory b);
  void plan_base(TimeHistory a);
  void plan_face_load(FaceLoad kind, TimeHistory load);
  void plan_follower(Follower kind, TimeHistory load);
  void plan_point_force(std::string_view name, const Vec3& X, TimeHistory F);
  void plan_pressure(TimeHistory p);
  /// Creates all planned terms; the objects that they refer to must outlive them. Collective.
  TermSum make_terms(const MaterialTable& materials) const;
  /// Creates the loads that do not depend on the motion; nullptr: none. Collective.
  std::unique_ptr<Term> make_dead_loads(const MaterialTable& materials) const;

  /// Throws OptionError on all ranks if materials, cells or solver do not support the formulation. Collective.
  void check_formulation() const;

  /// Returns the materials of this rank's cells. Collective.
  MaterialTable materials_of_cells() const { return {space, mesh.region_names(), material, region_materials}; }

  Mesh mesh;
  Space space;
  std::optional<Material> material;
  std::vector<std::optional<Material>> region_materials;
  MaterialTable cell_materials;
  // Used by set_up() to create the terms.
  std::optional<TimeHistory> gravity, base;
  /// A mass, or a force, at a point.
  struct Point {
    std::string name;
    Vec3 X{};
    PetscReal mass = 0;
    TimeHistory force = {};
  };
  std::vector<Point> point_masses, point_forces;
  std::vector<std::pair<std::string, PetscReal>> face_masses;
  std::array<std::vector<TimeHistory>, 4> face_loads;  // of each kind
  std::vector<TimeHistory> motions;
  std::vector<MakeTerm> planned_terms;
  std::vector<std::pair<std::string, std::optional<Vec3>>> cavities;  // filled with gas: face, closing point
  std::vector<Contact> contacts;
  std::vector<ContactReport> contact_reports;  // greatest values so far; set by set_up()
  PetscReal contact_step = PETSC_INFINITY;     // the longest step after the last state that no contact may be missed in
  TermSum terms;
  Supports supports;
  std::vector<std::pair<std::string, PetscReal>> releases;
  LoadTimes load_times;
  std::optional<RotatingFrame> frame;
  petsc::Handle<Vec> frame_work, frame_more;  // if there is a frame; made by set_up()
  Solver solver = Solver::automatic;
  Formulation formulation = Formulation::displacement;
  PetscInt inner_iterations = 0;
  mutable LevelRepairs repairs;
  bool small_strains = false;   // all cells are linear: forces balance on the undeformed body; set by set_up()
  bool damped_regions = false;  // some regions have their own damping; set by set_up()

  std::unique_ptr<Operator> op;
  std::unique_ptr<Tangent> tangent;             // for tangent(), made at its first call
  std::string prefix;                           // of the solver that is being set up
  petsc::Handle<Vec> internal;                  // layout of internal variables, if materials have any
  bool stands_on_springs = false;               // a foundation resists every rigid motion
  bool flows = false;                           // some material is plastic
  petsc::Handle<IS> natural, natural_internal;  // made at the first call
  PetscReal farthest_position = 0;              // set by set_up()
  std::optional<Fingerprint> fingerprint;       // made by archive()
  KernelOptions kernels;

  std::unique_ptr<Tangent> make_tangent() const {
    return std::make_unique<Tangent>(*op, terms, supports.constraints(), frame ? &*frame : nullptr);
  }
  /// Adds the forces of dependent entries to the entries on which these depend.
  void fold(Vec of_nodes) const {
    if (!supports.constraints().depend()) return;
    const petsc::WriteView values(of_nodes);
    supports.constraints().fold(values.span().data());
  }
  /// Adds the potential of centrifugal forces, -1/2 int rho |w x r|^2, and the power of w', -w' . int rho r x (v + w x
  /// r), both relative to their values for the undeformed body at rest. Collective.
  void add_turning(const State& x, Energy& energy);

  /// Calls use(contact, its place in `contacts`, x) for each contact. Collective.
  template <class Use>
  void for_contacts(const State& x, Use&& use) {
    TermStorage storage;
    TermPoint point(space, x, terms.load_factor(), nullptr, storage);
    const auto all = terms.all_of<ContactTerm>();
    for (std::size_t i = 0; i < all.size(); ++i) use(*all[i], i, point);
  }
  /// Chooses slip speeds that are not given. Collective.
  void choose_slip_speeds(Body& body);
  /// Examines the contacts at an accepted state. Collective.
  void look_at_contacts(const State& x);
  /// Does so at the initial state, where accelerations are unknown. Collective.
  void expect_contacts(const State& x, const MotionEstimate& of_loads);
  /// Returns how far and how fast an obstacle presses into the undeformed body at rest, at the first of some times up to
  /// `until` at which one touches it. Collective.
  MotionEstimate motion_by_obstacles(PetscReal t, PetscReal until);
  void archive_contacts(Archive& state);
  /// Returns true if for some contact the stiffness and that in the preconditioner differ by more than a quarter of
  /// their sum. Collective.
  bool contacts_changed() const;

  SolverChoice choice() const { return {solver, space.degree(), prefix}; }
  std::unique_ptr<Multigrid> make_multigrid();
  /// Replaces the multigrid of a PC after supports have ended. Collective.
  Multigrid* renew_multigrid(PC pc);
  FinestLevel finest_level() const { return {mesh, *op, terms, supports, cell_materials, kernels, repairs}; }
};

}  // namespace gearshift::solid
