#pragma once

/// @file
/// The equations of motion R(t, q, v, a) = 0, written by the user.

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
/// The user must write one function: residual(). For full speed, the user also writes tangent(), or a Linearization
/// that caches the data that products need. Signs: stiffness K = R_q, damping C = R_v, mass M = R_a, all positive for a
/// stable structure. Loads, prescribed motion and explicit time dependence are evaluated at x.t.
///
/// Everything else is optional: a System inherits those interfaces of system_parts.hpp that it implements.
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

  /// Computes r = R(t, q, v, a) [force]; in constrained entries r is the reaction. x is read-locked. The contents of r
  /// on entry are undefined.
  virtual void residual(const State& x, Vec r) = 0;

  /// Computes out = (s.q R_q + s.v R_v + s.a R_a) in, at x. This is the simple way to provide a tangent. Default:
  /// central differences of residual() along the direction (two residuals per product). Their step is scaled to the
  /// state component by component (VecSetBlockSize distinguishes components of different units).
  virtual void tangent(const State& x, Shifts s, Vec in, Vec out);

  /// Creates a Linearization that caches data in its update(). This is the fast way to provide a tangent. Called at
  /// set-up, not at each step. Default: wraps tangent().
  virtual std::unique_ptr<Linearization> make_linearization();

  /// Called once at set-up, before the options are read. May set a DM, a near-null space, a default KSP or PC.
  virtual void configure(SNES snes);

  /// Returns true if s.q R_q + s.v R_v + s.a R_a is symmetric; called at each rebuild. If true, the default solver is
  /// CG, otherwise GMRES.
  virtual bool symmetric() const;

  /// Returns the number of consecutive owned entries that are components of one vector (3: the displacement of a node).
  /// Errors are measured relative to the length of this vector, so that they do not depend on the directions of the
  /// axes. The number is equal on every rank and divides each rank's number of entries. Default: 1, single entries.
  virtual PetscInt vector_size() const;

  /// Returns for each owned entry its number in a numbering that does not depend on the ranks, a permutation of
  /// 0 .. n-1. It is used by checkpoints that are read on another number of ranks. Borrowed. nullptr (default): the
  /// natural order of the layout's DM if it has one (DMDA), else the global order.
  virtual IS natural_numbering() const;

  /// Returns the optional interfaces of this System, always the same objects, on every rank; does not throw. Not
  /// collective. Default: the interfaces that its class inherits publicly. A System that wraps another one may return
  /// the parts of the wrapped System; if that one overrides deprecated functions, the wrapper must forward them.
  virtual SystemParts parts();

  /// @name Deprecated
  /// Inherit the named interface instead. Overrides of these functions still work. Their defaults call the part. If
  /// this System is the part itself, they do the same as the defaults of the interface, so that an override may call
  /// its base. If a class inherits an interface without overriding all of its functions, the remaining functions have
  /// two declarations; name one of them to call it through the class: `using SystemConstraints::dependent;`.
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

/// Flags of the deprecated functions of a System that a class overrides. Functions that are not overridden are not
/// called, which saves the communication by which the ranks agree on the result. The flags are derived from types, not
/// from calls: an override may call its base at any time. If it is not known whether a function is overridden, its flag
/// is true.
struct Overrides {
  bool next_break = true, resolved_step = true, take_out_rigid_motion = true, project = true, accept = true;

  /// Returns the flags of `system` if S is its complete type. Not collective.
  template <class S>
  static Overrides of(const S& system) {
    static_assert(publicly<S, SystemConstraints, SystemProjection, SystemLoads, SystemInternalVariables,
                           SystemPreconditioner, SystemEnergies, SystemRigidMotion, SystemHistory>,
                  "a System inherits its interfaces publicly, each once");
    if (typeid(system) != typeid(S)) return {};
    // For `&`, a function that S does not override is a member of System; a function that cannot be named counts as
    // overridden. In a class with the interface this does not matter: System::parts() decides whether it is used.
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
