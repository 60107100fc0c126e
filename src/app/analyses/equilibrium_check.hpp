#pragma once

/// @file
/// Accepts or refuses the equilibria of a static solution.

#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/solid/body.hpp>

#include <string>

namespace gearshift::app {

/// Texts about unstable equilibria.
inline constexpr const char* buckles = "the equilibrium is unstable: the body buckles at the slightest disturbance";
inline constexpr const char* buckles_advice = "compute the motion instead, or add an imperfection";

/// The reason why an equilibrium is refused.
struct Refusal {
  std::string word;         ///< for the printed line of the load step; empty: the equilibrium is accepted
  std::string reason;       ///< a clause, for the last line
  std::string advice = {};  ///< empty: the reason contains it
  bool unstable = false;
  explicit operator bool() const { return !word.empty(); }
  std::string text() const { return reason + (advice.empty() ? "" : "; " + advice); }
};

/// Refuses equilibria that the body does not reach under slowly growing loads: unstable ones, those on another branch,
/// and those at which the material law softens because the volume has grown (solid::softening_volume). With friction
/// tangents tell nothing of jumps: the path of a body has kinks where points begin to slide.
class EquilibriumCheck {
 public:
  /// @param keep_unstable true: accept unstable equilibria
  EquilibriumCheck(const solid::Body& body, bool keep_unstable);
  /// Returns the reason to refuse the equilibrium x, or an empty Refusal. Collective; the same on all ranks.
  /// @param before the equilibrium under the former load
  /// @param wary a larger load has led to a refusal, so that a jump of the path is likely
  Refusal look(const State& before, const State& x, const StepReport& report, bool wary) const;

 private:
  Refusal look_at_volumes(const State& x) const;
  Refusal look_at_turns(const State& before, const State& x) const;
  const solid::Body& body_;
  bool keep_unstable_, friction_;  ///< friction_: of some contact
  bool softens_;                   ///< some cell has a law that softens
};

}  // namespace gearshift::app
