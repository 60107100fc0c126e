#pragma once

/// @file
/// A deformable body, discretized by finite elements, as a System.

#include <gearshift/dynamics/system.hpp>
#include <gearshift/solid/expression.hpp>
#include <gearshift/solid/formulation.hpp>
#include <gearshift/solid/kernel_options.hpp>
#include <gearshift/solid/material.hpp>
#include <gearshift/solid/memory_estimate.hpp>
#include <gearshift/solid/mesh.hpp>
#include <gearshift/solid/point_state.hpp>
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

/// How the tangent's linear systems are preconditioned.
///
/// - `automatic`: pmg; amg if a `-pc_type` of the options needs the entries of a matrix, and for degree 1 with any
///   `-pc_type` or `-solid_levels double`.
/// - `pmg`: multigrid over polynomial degrees p, p/2 (rounded up), ..., 1, matrix-free levels smoothed by
///   Chebyshev/Jacobi. `-solid_levels float` (the default): a PCSHELL that works in single precision, with rigid groups
///   of nodes below degree 1, apart for unlike materials, and groups of these below, down to a level that PCGAMG or,
///   of unlike materials, a direct solver solves. Its keys are `-mg_levels_ksp_max_it`,
///   `-mg_levels_ksp_chebyshev_esteig`, `-mg_levels_ksp_chebyshev_esteig_steps`, `-mg_corner_cycles`, `-mg_groups_*`
///   and `-mg_coarse_*`. `-solid_levels double` or `-pc_type mg` (degree >= 2): a PCMG in double precision, the
///   degree-1 level assembled and given to PCGAMG; keys `-pc_mg_*`, `-mg_levels_*`, `-mg_coarse_*`.
/// - `amg`: PCGAMG, or what `-pc_type` names, on the assembled tangent, whose memory grows with degree^3. Its keys are
///   `-pc_gamg_*`, `-mg_levels_*` and `-mg_coarse_*`.
/// - `jacobi`: PCJACOBI with the exact diagonal: no set-up to speak of, many iterations.
enum class Solver { automatic, pmg, amg, jacobi };

/// An elastic body in its reference configuration, as a System with q = displacement [length]:
///
///     R = M a + F_int(q) - s F_ext(t) + terms
///     F_int = int P(grad q, z) : grad phi,   F_ext = int rho g . phi + int_faces T . phi
///
/// where the terms are pressures, gas, foundations and dashpots. Consistent mass, quadrature as Element says,
/// everything matrix-free (by sum factorisation on hexahedra), several cells at a time (KernelOptions: `-solid_simd`,
/// `-solid_points`). Tangents are exact, and symmetric unless there are pressures, gas, followers or a rotating frame.
/// Set materials, loads and supports, call set_up() once, then create the Stepper. Loads and motions given as formulas
/// announce their jumps and kinks in t (next_break()); those given as functions do not: pass their jumps to
/// Stepper::add_discontinuity(). Where steps adapt, no step passes over a pulse of either that is longer than a
/// thousandth of the run, or of a later step (resolved_step()). A node under several supports follows the one that was
/// given last, component by component; where another one of them asks for a different displacement, a warning on stderr
/// names both faces, once.
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
/// Setters must be called on all ranks with the same arguments. Errors: OptionError (parameters, call order), MeshError
/// (unknown names), both on all ranks; callbacks throw InvalidState for inverted points, on the ranks that own them,
/// and Error for NaN in a load or motion, on all ranks.
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

  void set_material(const Material& material);                           ///< wherever no region has its own
  void set_material(std::string_view region, const Material& material);  ///< in one region
  /// Body force per unit mass [length/time^2]. `steady`: it does not depend on t and is evaluated only once.
  void set_gravity(Field gravity, bool steady = false);
  void set_gravity(const VectorExpression& gravity);
  /// The supports stand on a base that is shaken with the acceleration a(t) [length/time^2], in all of space the same:
  /// displacements, velocities and accelerations, prescribed ones too, are relative to it, and every part of the body
  /// feels -rho a. The work of that force is that of a load. OptionError for one that depends on the place.
  void set_base_acceleration(const VectorExpression& acceleration);
  void set_base_acceleration(std::function<Vec3(PetscReal t)> acceleration, bool steady = false);
  /// The body is described in a frame that turns with the angular velocity w [rad/time] about an axis through `centre`:
  /// R += M (2 w x v + w x (w x r) + w' x r), r = X + q - centre, of Coriolis', centrifugal and Euler's forces.
  /// Displacements, velocities, momenta and kinetic energy are relative to the frame, loads, supports and the base's
  /// acceleration have its axes; the potential of centrifugal forces is part of the stored energy. Where w varies, the
  /// frame does work as loads do, of the power -w' . L, L = int rho r x (v + w x r), so that the body's energy in the
  /// frame is in balance. Both are taken less their values for the undeformed body at rest in the frame. The tangent is
  /// exact and unsymmetric, so that GMRES solves; Rayleigh's r_k also multiplies the centrifugal part of K, and
  /// Euler's. Statics take w and w' at their time. A Spin has to be continuous; a formula that jumps ends the motion
  /// there in an OptionError, and where the derivative of one jumps, the integration begins anew. OptionError for a
  /// formula that depends on the place.
  void set_rotating_frame(const Vec3& spin, const Vec3& centre = {});
  void set_rotating_frame(Spin spin, const Vec3& centre = {});
  void set_rotating_frame(const VectorExpression& spin, const Vec3& centre = {});
  /// Dead traction per reference area [force/length^2]; several may act on one face.
  void add_traction(std::string_view face, Field traction, bool steady = false);
  void add_traction(std::string_view face, const VectorExpression& traction);
  /// A force F(t) [force] on the whole face, as a dead traction that is the same on every part of its reference area.
  /// OptionError for one that depends on the place.
  void add_force(std::string_view face, const VectorExpression& force);
  void add_force(std::string_view face, std::function<Vec3(PetscReal t)> force, bool steady = false);
  /// A torque M(t) [force length] on the whole face: a couple, without a resultant force and so the same about any
  /// point, of dead tractions a x (X - c) about the centroid c of the undeformed face. They keep their directions;
  /// where the face turns far, what they exert is no longer M (add_follower()). OptionError for one that depends on the
  /// place.
  void add_torque(std::string_view face, const VectorExpression& torque);
  void add_torque(std::string_view face, std::function<Vec3(PetscReal t)> torque, bool steady = false);
  /// A force F(t) [force] or torque M(t) [force length] on the whole face that is carried by its rotation R, the one
  /// that fits best: int |x - xc - R (X - Xc)|^2 dA is smallest over the undeformed face, xc and Xc its centroids.
  ///
  ///     force:        tractions R F / area, of the resultant R F at xc
  ///     torque:       tractions b x r, r = R (X - Xc), of the moment R M about any point and without a resultant
  ///     motor_torque: the same of the moment M, which turns the face through any angle about axes fixed in space
  ///
  /// b is the one for which a torque's power is that of its moment on the spin of R. The tangent is exact and
  /// unsymmetric, so that GMRES solves; multigrid and the matrix for preconditioners leave it out, of rank 9 per load,
  /// 6 on flat faces, at the cost of as many iterations at most. For materials that may turn far: not linear_elastic.
  /// InvalidState where the face folds upon a line, and set_up() throws MeshError for a face without an area;
  /// OptionError for a load that depends on the place. (W. Kabsch, Acta Cryst. A 32, 1976, for R.)
  void add_follower(std::string_view face, Follower kind, const VectorExpression& load);
  void add_follower(std::string_view face, Follower kind, std::function<Vec3(PetscReal t)> load, bool steady = false);
  /// A force F(t) [force] at a material point, distributed to the nodes of its cell by their shape functions; near it,
  /// stresses have no limit as meshes are refined. set_up() throws OptionError for a point outside of the body.
  void add_point_force(std::string_view name, const Vec3& X, const VectorExpression& force);
  void add_point_force(std::string_view name, const Vec3& X, std::function<Vec3(PetscReal t)> force,
                       bool steady = false);
  /// A mass that lies evenly on a face, or moves with a material point (as add_point_force()). It is a part of M:
  /// gravity and the base's acceleration act on it, momenta and kinetic energy have it; no stiffness comes with it.
  void add_mass(std::string_view face, PetscReal mass);
  void add_point_mass(std::string_view name, const Vec3& X, PetscReal mass);
  /// A pressure p(t, X) [force/length^2] that follows the deformed face: p > 0 pushes on it.
  void add_pressure(std::string_view face, ScalarField pressure, bool steady = false);
  void add_pressure(std::string_view face, const Expression& pressure);
  /// The same along the normal of the undeformed face and per undeformed area: a traction -p N, whose tangent is 0.
  void add_dead_pressure(std::string_view face, ScalarField pressure, bool steady = false);
  void add_dead_pressure(std::string_view face, const Expression& pressure);
  /// Gas enclosed by the face, p = p0 (V_0 / V)^gamma [force/length^2], V the enclosed volume; gamma = 1: isothermal.
  /// The face surrounds a cavity, by itself or together with planes of symmetry: with planes that have the
  /// point `closing` in common; if it is not given, with one plane, or with several through the origin. set_up() throws
  /// OptionError if they do not close the face.
  void add_gas(std::string_view face, PetscReal p0, PetscReal gamma, std::optional<Vec3> closing = std::nullopt);
  /// Springs to the ground, normal and tangential to the undeformed face, k per area [force/length^3].
  void add_foundation(std::string_view face, PetscReal normal, PetscReal tangential);
  /// Dashpots to the ground in the same directions, c per area [force time/length^3].
  void add_dashpots(std::string_view face, PetscReal normal, PetscReal tangential);
  /// Dashpots through which plane waves of the material leave the body (Lysmer, Kuhlemeyer 1969).
  void absorb_waves(std::string_view face);
  /// Nodal forces [force] from outside, as of a partner of a coupled problem: F_ext += f(t). `forces` adds them to a
  /// Vec of layout() that is zero; it is called on all ranks, for each residual, and may give other forces at the same
  /// time after a partner has moved on.
  using NodalForces = std::function<void(PetscReal t, Vec forces)>;
  void add_nodal_forces(NodalForces forces);
  /// Supports act on nodes of a face, or of a curve or point (Mesh::curve_names()).
  void clamp(std::string_view face);          ///< displacement 0
  void fix(std::string_view face, int axis);  ///< component 0, 1 or 2 of the displacement 0 (roller)
  /// Rollers on a plane or curved face of any direction: n . u = 0 with the normal n of the undeformed face at each
  /// node, and all that is normal to an edge where facets turn by more than 35 degrees, of one face or of several that
  /// are given so. Where a body slides far along a curved face, its nodes leave it along their tangents.
  void fix_normal(std::string_view face);
  /// Displacement g(t, X) of these components.
  void move(std::string_view face, Motion motion, const std::array<bool, 3>& components = {true, true, true});
  void move(std::string_view face, const VectorExpression& motion,
            const std::array<bool, 3>& components = {true, true, true});
  /// All supports of the face end at time t, after the start of the motion: the step there ends, the integration starts
  /// anew, and the face moves freely on from where it is with the velocity that it has. Its reactions are 0 from then
  /// on, and it stays free unless a state from before is restored. Statics know no t: they hold it. Another support of
  /// its entries, where faces meet, is obeyed then. set_up() throws OptionError for a face without supports.
  void release(std::string_view face, PetscReal t);
  /// Scales gravity, centrifugal and Euler's forces, tractions, followers, pressures, gas and prescribed motion, as
  /// load steps of a static solve do. May be called at any time.
  void set_load_factor(PetscReal s);
  void set_solver(Solver solver);
  /// How volume is held; displacement if not called. With `mixed`, set_up() refuses materials without a mixed
  /// formulation, tetrahedra of degree 1, and the solver jacobi.
  void set_formulation(Formulation formulation);

  /// To be called once, after all other setters but set_load_factor(). Collective. OptionError without a material, or
  /// for kernels that this machine cannot run.
  void set_up();

  /// The memory that set_up(), the tangent and the preconditioner will need on this rank. Materials and solver must
  /// have been set; set_up() need not have been called. Collective. OptionError without a material.
  MemoryEstimate memory_estimate() const;

  Vec layout() const;  ///< a Vec of q's layout, to be duplicated (borrowed)
  const Space& space() const;
  const Mesh& mesh() const;

  /// The material of a cell of this rank, and its number: equal materials have the same one of material_count(), on all
  /// ranks. After set_up().
  const Material& material(PetscInt cell) const;
  int material_number(PetscInt cell) const;
  int material_count() const;
  /// Every material that a cell of this rank has.
  std::vector<Material> materials() const;

  /// Calls `use` for each cell of this rank with the gradients, stresses and energies that its points carry at x;
  /// inverted points have energies and stresses of no meaning, or NaN. Collective.
  void visit_points(const State& x, const PointVisitor& use) const;

  /// Whether supports, at rest or moving, leave no rigid motion of the undeformed body open. Collective.
  bool held_rigidly() const;
  /// The faces under support, each once, in the order given; curves and points, too.
  std::vector<std::string> supported_faces() const;
  /// What the supports of each of these faces exert on the body: sums of `reactions` (Stepper::reactions()) over the
  /// entries that follow the face, and their moments at positions X + q, of linear elasticity at X. Where faces meet,
  /// an entry counts for the one whose support is obeyed; forces of rollers (fix_normal()) go to the faces along whose
  /// normals they act. The same on all ranks. Collective.
  std::vector<Resultant> reactions(Vec reactions, Vec q) const;
  /// The acceleration of the base at time t, under the load factor; nullopt where it stands.
  std::optional<Vec3> base_acceleration(PetscReal t) const;
  /// The faces that loads act on, each once: tractions, forces, torques, followers, pressures, gas, foundations and
  /// dashpots; and the names of point forces.
  std::vector<std::string> loaded_faces() const;
  /// What acts on each of these faces at x, all its loads together, and the moments at positions as of reactions(). The
  /// same on all ranks. Collective.
  std::vector<Resultant> loads(const State& x) const;
  /// forces = what set_load_factor() scales, prescribed motion apart, as nodal forces [force] at x: gravity, the base's
  /// acceleration, tractions, forces, torques, followers, pressures, gas, nodal forces; in entries that others depend
  /// on as residual() has them. Collective.
  void external_forces(const State& x, Vec forces) const;
  /// Kinetic and stored energy of each region of the mesh (a cell counts for its last one), then of cells without one.
  /// Collective.
  std::vector<Energy> region_energies(const State& x) const;
  /// Linear and angular momentum, int rho v and int rho (X + q) x v. The same on all ranks. Collective.
  Resultant momentum(const State& x) const;

  /// This rank's own nodes on faces, each once and ascending: node i has entries 3 i, 3 i + 1 and 3 i + 2 of the rank's
  /// part of a Vec. Collective.
  std::vector<PetscInt> face_nodes(const std::vector<std::string>& faces) const;
  /// What does forces += int T . phi over the undeformed faces, of tractions T [force/length^2] at nodes. Made once, by
  /// all ranks; every call is collective. The body must outlive it.
  using TractionIntegral = std::function<void(Vec tractions, Vec forces)>;
  TractionIntegral traction_integral(const std::vector<std::string>& faces) const;

  /// Nodal values of a field at time t. Collective.
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
  /// Whether the preconditioner's levels in single precision gave no number, so that levels in double precision have
  /// taken their place; and how often they were rebuilt before that. Not collective, the same on every rank.
  bool levels_became_double() const;
  int level_repairs() const;
  /// True without pressures, gas, followers and a rotating frame.
  bool symmetric() const override;
  IS constrained() const override;
  /// Nodes in the order in which the cells of the mesh file or box touch them; nullptr for adopted meshes. Collective.
  IS natural_numbering() const override;
  void prescribe(PetscReal t, Vec q, Vec v, Vec a) override;
  IS dependent() const override;
  void complete(PetscReal t, Vec q, Vec v, Vec a) override;
  std::optional<Break> next_break(PetscReal t, PetscReal until) override;
  PetscReal resolved_step(PetscReal t, PetscReal dt) override;
  /// a T min(T, d), the response to the largest loads if the body only elongates uniformly: a is the acceleration of
  /// the whole mass, d the duration of the loads, 1/T the frequency of uniform elongation; 1e-12 of the body's size or
  /// more.
  MotionEstimate expected_motion(const State& x, PetscReal until) override;
  /// Fits the rigid motion to the supported entries, by least squares, and to all nodes where these leave some of it
  /// open. Returns false if supports at rest leave nothing open.
  bool take_out_rigid_motion(Vec q, Vec v) override;
  /// 3: a node's displacement.
  PetscInt vector_size() const override;
  std::optional<Energy> energy(const State& x) override;
  void accept(const State& x) override;
  void archive(Archive& state) override;
  /// The stresses z_i of Maxwell branches (Material), of each cell in the rank's order, its quadrature points and their
  /// branches: 00 01 02 11 12 22 [force/length^2]. nullptr where no material has any, and before set_up().
  Vec internal_layout() const override;
  bool internal_follows_path() const override;
  /// Cells in the order of the mesh file or box; nullptr for adopted meshes, and where there is no layout. Collective.
  IS internal_numbering() const override;
  void internal_variables(const State& x, Vec z) override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gearshift::solid
