#pragma once

/// @file
/// A deformable body, discretized by finite elements, as a System.

#include <gearshift/dynamics/system.hpp>
#include <gearshift/solid/contact.hpp>
#include <gearshift/solid/expression.hpp>
#include <gearshift/solid/formulation.hpp>
#include <gearshift/solid/kernel_options.hpp>
#include <gearshift/solid/material.hpp>
#include <gearshift/solid/memory_estimate.hpp>
#include <gearshift/solid/mesh.hpp>
#include <gearshift/solid/point_state.hpp>
#include <gearshift/solid/solver.hpp>
#include <gearshift/solid/space.hpp>
#include <gearshift/solid/types.hpp>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gearshift::solid {

/// An elastic body in its reference configuration, as a System with q = displacement [length]:
///
///     R = M a + F_int(q) - s F_ext(t) + terms
///     F_int = int P(grad q, z) : grad phi,   F_ext = int rho g . phi + int_faces T . phi
///
/// where the terms are pressures, gas, foundations and dashpots. The mass is consistent, the quadrature is described at
/// Element, and all operators are matrix-free (by sum factorisation on hexahedra), several cells at a time
/// (KernelOptions: `-solid_simd`, `-solid_points`). Tangents are exact, and symmetric unless there are pressures, gas,
/// followers or a rotating frame. Set materials, loads and supports, call set_up() once, then create the Stepper. Jumps
/// and kinks in t are found in loads and motions given as formulas (next_break()), but not in those given as functions:
/// pass the jumps of these to Stepper::add_discontinuity(). An adaptive step from t to t + dt skips no pulse of either
/// that is longer than (|t| + dt) / 1000 (resolved_step()). A node under several supports follows the one given last,
/// component by component; if another one requires a different displacement, one warning on stderr names both faces.
///
/// ```cpp
/// Body body(Mesh::from_options(comm), 2);
/// body.set_material({.law = Law::neo_hookean, .E = 1e7, .nu = 0.3, .rho = 1000});
/// body.clamp("xmin");
/// body.set_gravity([](PetscReal, const Vec3&) { return Vec3{0, 0, -9.81}; });
/// body.set_up();
/// Stepper stepper(body, body.layout());
/// ```
///
/// Setters must be called on all ranks with the same arguments. Errors: OptionError (parameters, call order) and
/// MeshError (unknown names), both on all ranks; callbacks throw InvalidState for inverted points, on the ranks that
/// own them, and Error for NaN in a load or motion, on all ranks.
class GEARSHIFT_EXPORT Body : public System,
                              public SystemConstraints,
                              public SystemLoads,
                              public SystemInternalVariables,
                              public SystemPreconditioner,
                              public SystemEnergies,
                              public SystemRigidMotion,
                              public SystemHistory {
 public:
  /// @param degree polynomial degree 1..6, with tetrahedra 1..3, with wedges 1 or 2. Collective.
  Body(Mesh mesh, int degree);
  ~Body() override;
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;

  void set_material(const Material& material);                           ///< outside regions with their own material
  void set_material(std::string_view region, const Material& material);  ///< in one region
  /// Sets the body force per unit mass [length/time^2]. `steady`: it does not depend on t and is evaluated only once.
  void set_gravity(Field gravity, bool steady = false);
  void set_gravity(const VectorExpression& gravity);
  /// Applies the base excitation a(t) [length/time^2], uniform in space, to the base of the supports: displacements,
  /// velocities and accelerations, prescribed ones included, are relative to the base, and every part of the body is
  /// loaded by -rho a. The work of that force counts as work of a load. OptionError if a depends on the place.
  void set_base_acceleration(const VectorExpression& acceleration);
  void set_base_acceleration(std::function<Vec3(PetscReal t)> acceleration, bool steady = false);
  /// Describes the body in a frame that rotates with the angular velocity w [rad/time] about an axis through `centre`:
  /// R += M (2 w x v + w x (w x r) + w' x r), r = X + q - centre, the Coriolis, centrifugal and Euler forces.
  /// Displacements, velocities, momenta and kinetic energy are relative to the frame; loads, supports and the base
  /// acceleration are given in its axes; the potential of the centrifugal forces is part of the stored energy. If w
  /// varies, the frame does work like a load, with the power -w' . L, L = int rho r x (v + w x r), so that the energy
  /// of the body in the frame is balanced. The values of potential and power for the undeformed body at rest in the
  /// frame are subtracted. The tangent is exact and unsymmetric, so that GMRES is used; Rayleigh's r_k also multiplies
  /// the centrifugal and Euler parts of K. Statics uses w and w' at its time. A Spin must be continuous; a formula
  /// with a jump ends the motion there with an OptionError, and at a jump of its derivative the integration restarts.
  /// OptionError for a formula that depends on the place.
  void set_rotating_frame(const Vec3& spin, const Vec3& centre = {});
  void set_rotating_frame(Spin spin, const Vec3& centre = {});
  void set_rotating_frame(const VectorExpression& spin, const Vec3& centre = {});
  /// Adds a dead traction per reference area [force/length^2]; several may act on one face.
  void add_traction(std::string_view face, Field traction, bool steady = false);
  void add_traction(std::string_view face, const VectorExpression& traction);
  /// Adds a force F(t) [force] on the whole face, as a dead traction that is uniform over its reference area.
  /// OptionError if F depends on the place.
  void add_force(std::string_view face, const VectorExpression& force);
  void add_force(std::string_view face, std::function<Vec3(PetscReal t)> force, bool steady = false);
  /// Adds a torque M(t) [force length] on the whole face: a couple, without a resultant force and so the same about any
  /// point, of dead tractions a x (X - c) about the centroid c of the undeformed face. They keep their directions: if
  /// the face rotates far, their moment is no longer M (add_follower()). OptionError if M depends on the place.
  void add_torque(std::string_view face, const VectorExpression& torque);
  void add_torque(std::string_view face, std::function<Vec3(PetscReal t)> torque, bool steady = false);
  /// Adds a force F(t) [force] or torque M(t) [force length] on the whole face that is carried by its best-fit rotation
  /// R: int |x - xc - R (X - Xc)|^2 dA is smallest over the undeformed face, xc and Xc its centroids.
  ///
  ///     force:        tractions R F / area, with the resultant R F at xc
  ///     torque:       tractions b x r, r = R (X - Xc), with the moment R M about any point and without a resultant
  ///     motor_torque: tractions b x r with the moment M, which turns the face by any angle about axes fixed in space
  ///
  /// b is chosen so that the power of a torque is its moment times the spin of R. The tangent is exact and unsymmetric,
  /// so that GMRES is used; the multigrid and the preconditioner matrix omit this part, of rank 9 per load (6 on flat
  /// faces), at the cost of up to that number of additional iterations. For materials that allow large rotations: not
  /// linear_elastic. InvalidState if the face collapses onto a line; set_up() throws MeshError for a face without an
  /// area; OptionError if the load depends on the place. (W. Kabsch, Acta Cryst. A 32, 1976, for R.)
  void add_follower(std::string_view face, Follower kind, const VectorExpression& load);
  void add_follower(std::string_view face, Follower kind, std::function<Vec3(PetscReal t)> load, bool steady = false);
  /// Adds a force F(t) [force] at a material point, distributed to the nodes of its cell by their shape functions;
  /// stresses near it do not converge as the mesh is refined. set_up() throws OptionError for a point outside the body.
  void add_point_force(std::string_view name, const Vec3& X, const VectorExpression& force);
  void add_point_force(std::string_view name, const Vec3& X, std::function<Vec3(PetscReal t)> force,
                       bool steady = false);
  /// Adds a mass that is distributed uniformly over a face, or attached to a material point (see add_point_force()), as
  /// part of M: gravity and base acceleration act on it, momenta and kinetic energy include it; it adds no stiffness.
  void add_mass(std::string_view face, PetscReal mass);
  void add_point_mass(std::string_view name, const Vec3& X, PetscReal mass);
  /// Adds a pressure p(t, X) [force/length^2] that follows the deformed face: p > 0 pushes on it.
  void add_pressure(std::string_view face, ScalarField pressure, bool steady = false);
  void add_pressure(std::string_view face, const Expression& pressure);
  /// Adds a pressure along the normal of the undeformed face per undeformed area: a traction -p N, whose tangent is 0.
  void add_dead_pressure(std::string_view face, ScalarField pressure, bool steady = false);
  void add_dead_pressure(std::string_view face, const Expression& pressure);
  /// Adds gas enclosed by the face, p = p0 (V_0 / V)^gamma [force/length^2], V the enclosed volume; gamma = 1:
  /// isothermal. The face surrounds a cavity, by itself or together with planes of symmetry: planes that have the point
  /// `closing` in common; without `closing` one plane, or several through the origin. set_up() throws OptionError if
  /// they do not close the face.
  void add_gas(std::string_view face, PetscReal p0, PetscReal gamma, std::optional<Vec3> closing = std::nullopt);
  /// Adds springs to the ground, normal and tangential to the undeformed face, k per area [force/length^3].
  void add_foundation(std::string_view face, PetscReal normal, PetscReal tangential);
  /// Adds dashpots to the ground in the same directions, c per area [force time/length^3].
  void add_dashpots(std::string_view face, PetscReal normal, PetscReal tangential);
  /// Adds absorbing dashpots, through which plane waves of the material leave the body (Lysmer, Kuhlemeyer 1969).
  void absorb_waves(std::string_view face);
  /// Adds contact of faces with an obstacle; a point of a face touches each of them by itself. Contact with friction or
  /// viscosity makes the tangent unsymmetric. OptionError for parameters that are not positive, and for a name that is
  /// taken by a face or another contact.
  void add_contact(const Contact& contact);
  bool has_friction() const;  ///< of some contact
  /// Adds external nodal forces [force], for example of the partner of a coupled problem: F_ext += f(t). `forces` adds
  /// them to a zeroed Vec of layout(); it is called on all ranks, for each residual, and may give other forces at the
  /// same time after the partner has moved on.
  using NodalForces = std::function<void(PetscReal t, Vec forces)>;
  void add_nodal_forces(NodalForces forces);
  /// Supports act on the nodes of a face, curve or point (Mesh::curve_names()).
  void clamp(std::string_view face);          ///< displacement 0
  void fix(std::string_view face, int axis);  ///< component 0, 1 or 2 of the displacement is 0 (roller)
  /// Adds rollers on a plane or curved face of any direction: n . u = 0 with the normal n of the undeformed face at
  /// each node, and u = 0 in all directions normal to an edge across which the normal turns by more than 35 degrees, in
  /// a face or between faces with such rollers. Nodes that slide far along a curved face leave it along their tangents.
  void fix_normal(std::string_view face);
  void hold(std::string_view face, const struct SupportKind& kind);  ///< a support of one of the kinds of the library
  /// Prescribes the displacement g(t, X) of these components. Where it jumps, the nodes of the face jump.
  void move(std::string_view face, Motion motion, const std::array<bool, 3>& components = {true, true, true});
  void move(std::string_view face, const VectorExpression& motion,
            const std::array<bool, 3>& components = {true, true, true});
  /// Removes all supports of the face at time t, after the start of the motion: a step ends there, the integration
  /// restarts, and the face moves freely from its present position with its present velocity. Its reactions are 0 from
  /// then on, and it stays free unless an earlier state is restored. Statics has no time t: the face stays supported.
  /// If another support also holds its entries, where faces meet, that one then applies. set_up() throws OptionError
  /// for a face without supports.
  void release(std::string_view face, PetscReal t);
  /// Sets the factor of gravity, centrifugal and Euler forces, tractions, followers, pressures, gas and prescribed
  /// motion, for the load steps of a static solve. May be called at any time.
  void set_load_factor(PetscReal s);
  void set_solver(Solver solver);
  Solver solver() const;  ///< as it was set
  /// Sets the treatment of volume changes; displacement if not called. With `mixed`, set_up() refuses materials without
  /// a mixed formulation, tetrahedra of degree 1, and the solver jacobi.
  void set_formulation(Formulation formulation);

  /// Must be called once, after all other setters except set_load_factor(). Collective. OptionError without a material,
  /// or for kernels that this machine cannot run.
  void set_up();

  /// Returns the memory that set_up(), the tangent and the preconditioner will need on this rank. Materials and solver
  /// must have been set; set_up() need not have been called. With another number of `ranks`, methods are those of a run
  /// on so many, and the sizes those of this run. Collective. OptionError without a material.
  MemoryEstimate memory_estimate(int ranks = 0) const;

  Vec layout() const;  ///< a Vec with the layout of q, to be duplicated (borrowed)
  const Space& space() const;
  const Mesh& mesh() const;

  /// Return the material of a cell of this rank, its number, and the number of different materials: equal materials
  /// have equal numbers below material_count(), on all ranks. After set_up().
  const Material& material(PetscInt cell) const;
  int material_number(PetscInt cell) const;
  int material_count() const;
  /// Returns all materials of this rank's cells.
  std::vector<Material> materials() const;

  /// Calls `use` for each cell of this rank with the gradients, stresses and energies at its quadrature points in the
  /// state x; the energies and stresses of inverted points are meaningless, or NaN. Collective.
  void visit_points(const State& x, const PointVisitor& use) const;

  /// Returns true if supports, at rest or moving, prevent every rigid motion of the undeformed body. Collective.
  bool held_rigidly() const;
  /// Returns the faces under support, curves and points included, each once, in the order given.
  std::vector<std::string> supported_faces() const;
  /// Returns the force and moment that the supports of each of these faces exert on the body: sums of `reactions`
  /// (Stepper::reactions()) over the entries that follow the face, and their moments at positions X + q, for linear
  /// elasticity at X. Where faces meet, an entry counts for the face whose support applies; forces of rollers
  /// (fix_normal()) count for the faces along whose normals they act. Equal on all ranks. Collective.
  std::vector<Resultant> reactions(Vec reactions, Vec q) const;
  /// Returns the acceleration of the base at time t, times the load factor; nullopt if the base is at rest.
  std::optional<Vec3> base_acceleration(PetscReal t) const;
  /// Returns the names of loaded faces, each once: tractions, forces, torques, followers, pressures, gas, foundations
  /// and dashpots; the names of point forces; and the names of contacts.
  std::vector<std::string> loaded_faces() const;
  /// Returns what happened in each contact so far, in the order given. Equal on all ranks. Collective.
  std::vector<ContactReport> contact_reports(const State& x) const;
  /// Computes contact pressure, smallest gap, and speed of sliding where there is pressure, at each local node (see
  /// ContactReport; the gap is infinite without contacts). Collective.
  void contact_fields(const State& x, std::vector<Vec3>& values) const;
  /// Returns the sum of all loads on each of these faces at x, and their moments at positions as for reactions(). Equal
  /// on all ranks. Collective.
  std::vector<Resultant> loads(const State& x) const;
  /// Computes the nodal forces [force] at x that set_load_factor() scales, without prescribed motion: gravity, the base
  /// acceleration, tractions, forces, torques, followers, pressures, gas, nodal forces; dependent entries are treated
  /// as in residual(). Collective.
  void external_forces(const State& x, Vec forces) const;
  /// Returns the kinetic and stored energy of each region of the mesh (a cell counts for its last one), then of cells
  /// without a region. Collective.
  std::vector<Energy> region_energies(const State& x) const;
  /// Returns the linear and angular momentum, int rho v and int rho (X + q) x v. Equal on all ranks. Collective.
  Resultant momentum(const State& x) const;

  /// Returns this rank's own nodes on faces, each once and ascending: node i has the entries 3 i, 3 i + 1 and 3 i + 2
  /// of the rank's part of a Vec. Collective.
  std::vector<PetscInt> face_nodes(const std::vector<std::string>& faces) const;
  /// Adds int T . phi over the undeformed faces to `forces`, for tractions T [force/length^2] at nodes. Created once,
  /// by all ranks; every call is collective. The body must outlive it.
  using TractionIntegral = std::function<void(Vec tractions, Vec forces)>;
  TractionIntegral traction_integral(const std::vector<std::string>& faces) const;

  /// Writes the nodal values of a field at time t. Error on all ranks if it throws on one. Collective.
  void interpolate(const Field& field, PetscReal t, Vec values) const;

  void residual(const State& x, Vec r) override;
  void tangent(const State& x, Shifts s, Vec in, Vec out) override;
  std::unique_ptr<Linearization> make_linearization() override;
  void use_prefix(std::string_view prefix) override;
  Mat create_preconditioner_matrix() override;
  void configure(SNES snes) override;
  bool update_preconditioner(Linearization& tangent, Shifts s, PC pc) override;
  void keep_preconditioner(Linearization& tangent, Shifts s, PC pc) override;
  PetscInt inner_iterations() const override;
  /// Return true if single-precision levels of the preconditioner produced NaN, infinity or only zeros and levels in
  /// double replaced them, and the number of rebuilds before that. Not collective, equal on all ranks.
  bool levels_became_double() const;
  int level_repairs() const;
  /// Returns true without pressures, gas, followers and a rotating frame.
  bool symmetric() const override;
  IS constrained() const override;
  /// Numbers nodes in the order in which the mesh file's or box's cells touch them; nullptr if adopted. Collective.
  IS natural_numbering() const override;
  void prescribe(PetscReal t, Vec q, Vec v, Vec a) override;
  IS dependent() const override;
  void complete(PetscReal t, Vec q, Vec v, Vec a) override;
  std::optional<Break> next_break(PetscReal t, PetscReal until) override;
  PetscReal resolved_step(PetscReal t, PetscReal dt) override;
  /// Returns a T min(T, d), the response to the largest loads if the body only elongates uniformly: a is the
  /// acceleration of the whole mass, d the duration of the loads, 1/T the frequency of uniform elongation; the minimum
  /// is 1e-12 of the body's size.
  MotionEstimate expected_motion(const State& x, PetscReal until) override;
  /// Fits the rigid motion to the supported entries, by least squares, and to all nodes as far as the supports leave it
  /// undetermined. Returns false if supports at rest prevent every rigid motion.
  bool take_out_rigid_motion(Vec q, Vec v) override;
  PetscReal farthest_position() override;
  /// Returns 3: the components of a node's displacement.
  PetscInt vector_size() const override;
  std::optional<Energy> energy(const State& x) override;
  void accept(const State& x) override;
  void archive(Archive& state) override;
  /// Returns the layout of the stresses z_i of Maxwell branches (Material), for each cell in the rank's order, its
  /// quadrature points and their branches: 00 01 02 11 12 22 [force/length^2]. nullptr if no material has any, and
  /// before set_up().
  Vec internal_layout() const override;
  bool internal_follows_path() const override;
  /// Numbers the cells as in the mesh file or box; nullptr for adopted meshes, and without a layout. Collective.
  IS internal_numbering() const override;
  void internal_variables(const State& x, Vec z) override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gearshift::solid
