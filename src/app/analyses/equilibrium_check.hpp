#pragma once

/// @file
/// Which equilibria of a static solution are kept.

#include <gearshift/dynamics/stepper.hpp>
#include <gearshift/solid/body.hpp>

#include <string>

namespace gearshift::app {

/// Of unstable equilibria.
inline constexpr const char* buckles =
    "the equilibrium is unstable: the body buckles and leaves it at the slightest disturbance";
inline constexpr const char* buckles_advice = "follow its motion, or give it an imperfection";

/// Why an equilibrium is refused.
struct Refusal {
  std::string word;    ///< for the line of the load step; empty: it is kept
  std::string reason;  ///< a clause, for the last line
  std::string advice;
  bool unstable = false;
  explicit operator bool() const { return !word.empty(); }
};

/// Refuses equilibria that loads which grow slowly do not lead to: unstable ones, those on another branch, and those at which
/// the law softens because the volume has grown (solid::softening_volume).
class EquilibriumCheck {
 public:
  /// @param keep_unstable unstable ones are wanted all the same
  EquilibriumCheck(const solid::Body& body, bool keep_unstable);
  /// Collective; the same on all ranks.
  /// @param wary a larger load has led to a refusal, so the path is likely to jump
  Refusal look(const State& x, const StepReport& report, bool wary) const;

 private:
  Refusal look_at_volumes(const State& x) const;
  const solid::Body& body_;
  bool keep_unstable_, softens_;  ///< whether any cell has such a law
};

}  // namespace gearshift::app
