#pragma once

/// @file
/// What a user writes: the equations of motion R(t, q, v, a) = 0.

#include <gearshift/dynamics/system_parts.hpp>

#include <petscsnes.h>

#include <concepts>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <typeinfo>

namespace gearshift {

/// The equations of motion R(t, q, v, a) = 0 with v = q', a = v'; in mechanics R = M a - F(t, q, v).
///
/// One function is enough: residual(). With tangent() as well, or with a Linearization that caches what products need,
/// Newton-Krylov runs at full speed. Signs: stiffness K = R_q, damping C = R_v, mass M = R_a, all positive for a stable
/// structure. Loads, prescribed motion and explicit time dependence are taken at x.t.
///
/// Everything else is optional: a System inherits the interfaces of system_parts.hpp that it implements.
///
/// ```cpp
/// class Pendulum : public gearshift::System, public gearshift::SystemEnergies { ... };
/// ```
///
/// The System must outlive the Stepper. Every call is collective on the layout's communicator. Callbacks may throw
/// InvalidState on any subset of the ranks (the step backs up), or any other exception (it reaches the caller of
/// Stepper::step() on every rank), after their last collective call.
class GEARSHIFT_EXPORT System {
 public:
  virtual ~System() = default;

  /// r = R(t, q, v, a) [force]; in constrained entries r is the reaction. x is read-locked; r comes with any content.
  virtual void residual(const State& x, Vec r) = 0;

  /// The easy way to a tangent: out = (s.q R_q + s.v R_v + s.a R_a) in, at x.
  /// Default: central differences of residual() along the direction (two residuals per product), with a step scaled to
  /// the state component by component (VecSetBlockSize tells components of different units apart).
  virtual void tangent(const State& x, Shifts s, Vec in, Vec out);

  /// The fast way: a Linearization that caches at update(). Made at set-up, not per step. Default: wraps tangent().
  virtual std::unique_ptr<Linearization> make_linearization();

  /// Called once at set-up, before the options are read: set a DM, a near-null space, a default KSP or PC.
  virtual void configure(SNES snes);

  /// Returns true if s.q R_q + s.v R_v + s.a R_a is symmetric; called at each rebuild. true makes CG the default, else
  /// GMRES.
  virtual bool symmetric() const;

  /// Returns how many entries in a row, of each rank's own, are components of one vector (3: the displacement of a
  /// node); errors are measured relative to its length, so that they do not depend on the directions of the axes. The
  /// same on every rank, and a divisor of each rank's number of entries. Default: 1, each entry by itself.
  virtual PetscInt vector_size() const;

  /// For checkpoints that are read on another number of ranks: returns for each owned entry its number in a numbering
  /// that does not depend on the ranks, a permutation of 0 .. n-1. Borrowed. nullptr (default): the natural order of
  /// the layout's DM where it has one (DMDA), else the global order.
  virtual IS natural_numbering() const;

  /// Returns the optional interfaces of this System, always the same objects, on every rank; does not throw. Not
  /// collective. Default: the interfaces that its class inherits publicly. A System that wraps another one may hand out
  /// the parts of that one; if that one overrides deprecated functions, it has to forward these.
  virtual SystemParts parts();

  /// @name Deprecated
  /// Inherit the interface named instead. Overrides of these functions still work. Their defaults call the part. If
  /// this System is the part itself, they do what the defaults of the interface do, so that an override may call its
  /// base. In a class that inherits an interface without overriding all of its functions, the others have two
  /// declarations; name one of them to call it through the class: `using SystemConstraints::dependent;`.
  /// @{
  virtual void use_prefix(std::string_view prefix);                             ///< SystemPreconditioner
  virtual Mat create_preconditioner_matrix();                                   ///< SystemPreconditioner
  virtual bool update_preconditioner(Linearization& tangent, Shifts s, PC pc);  ///< SystemPreconditioner
  virtual void keep_preconditioner(Linearization& tangent, Shifts s, PC pc);    ///< SystemPreconditioner
  virtual PetscInt inner_iterations() const;                                    ///< SystemPreconditioner
  virtual IS constrained() const;                                               ///< SystemConstraints
  virtual void prescribe(PetscReal t, Vec q, Vec v, Vec a);                     ///< SystemConstraints
  virtual IS dependent() const;                                                 ///< SystemConstraints
  virtual void complete(PetscReal t, Vec q, Vec v, Vec a);                      ///< SystemConstraints
  virtual std::optional<Break> next_break(PetscReal t, PetscReal until);        ///< SystemLoads
  virtual PetscReal resolved_step(PetscReal t, PetscReal dt);                   ///< SystemLoads
  virtual MotionEstimate expected_motion(const State& x, PetscReal until);      ///< SystemLoads
  virtual bool take_out_rigid_motion(Vec q, Vec v);                             ///< SystemRigidMotion
  virtual void project(Vec q, Vec v);                                           ///< SystemProjection
  virtual std::optional<Energy> energy(const State& x);                         ///< SystemEnergies
  virtual Vec internal_layout() const;                                          ///< SystemInternalVariables
  virtual bool internal_follows_path() const;                                   ///< SystemInternalVariables
  virtual void internal_variables(const State& x, Vec z);                       ///< SystemInternalVariables
  virtual IS internal_numbering() const;                                        ///< SystemInternalVariables
  virtual void accept(const State& x);                                          ///< SystemHistory
  virtual void archive(Archive& state);                                         ///< SystemHistory
  /// @}
};

/// Flags of the deprecated functions of a System that a class overrides; the ranks skip the agreement about the others.
/// They are found from types, not from calls: an override may call its base at any time. Unknown functions count as
/// overridden.
struct Overrides {
  bool next_break = true, resolved_step = true, take_out_rigid_motion = true, project = true, accept = true;

  /// Those of `system`, if S is its whole type. Not collective.
  template <class S>
  static Overrides of(const S& system) {
    static_assert(publicly<S, SystemConstraints, SystemProjection, SystemLoads, SystemInternalVariables,
                           SystemPreconditioner, SystemEnergies, SystemRigidMotion, SystemHistory>,
                  "a System inherits its interfaces publicly, each once");
    if (typeid(system) != typeid(S)) return {};
    // A function that S does not override is a member of System for `&`; one that cannot be named is taken as
    // overridden. A class with the interface overrides that: System::parts() then says whether it is used.
    constexpr bool loads = std::is_base_of_v<SystemLoads, S>;
    Overrides known;
    known.next_break = !loads && !requires {
      requires std::same_as<decltype(&S::next_break), decltype(&System::next_break)>;
    };
    known.resolved_step = !loads && !requires {
      requires std::same_as<decltype(&S::resolved_step), decltype(&System::resolved_step)>;
    };
    known.take_out_rigid_motion = !std::is_base_of_v<SystemRigidMotion, S> && !requires {
      requires std::same_as<decltype(&S::take_out_rigid_motion), decltype(&System::take_out_rigid_motion)>;
    };
    known.project = !std::is_base_of_v<SystemProjection, S> && !requires {
      requires std::same_as<decltype(&S::project), decltype(&System::project)>;
    };
    known.accept = !std::is_base_of_v<SystemHistory, S> && !requires {
      requires std::same_as<decltype(&S::accept), decltype(&System::accept)>;
    };
    return known;
  }

 private:
  template <class S, class... Interface>
  static constexpr bool publicly = ((!std::is_base_of_v<Interface, S> || std::is_convertible_v<S*, Interface*>)&&...);
};

}  // namespace gearshift
