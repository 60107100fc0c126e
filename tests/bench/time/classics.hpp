#pragma once

#include "problem.hpp"

#include <memory>

namespace bench {

/// A mass 1 falls from height 1 under the acceleration 1 onto an elastic sphere's wall, F = 1e4 x^1.5 at the
/// penetration x (Hertz), and bounces without loss until t = 11, the middle of a flight.
std::unique_ptr<Problem> make_hertzian_wall();

/// q'' = 100 (1 - q^2) q' - q (van der Pol) from q = 2, q' = 0: slow motion, a jump and a part of the next slow motion.
std::unique_ptr<Problem> make_van_der_pol();

/// A block of mass 1 on a spring of stiffness 1, on a belt of speed 0.3: friction (0.4 + 0.6 exp(-3 |s|)) tanh(100 s) at
/// the slip s, so that it sticks and slips; 40 time units from rest.
std::unique_ptr<Problem> make_stick_slip();

/// `masses` masses 1 in a row on springs 1, each held to the ground by q + 5 q^3, the whole under the load 0.3 cos(1.4 t)
/// (Duffing); 100 time units from rest.
struct DuffingShape {
  PetscInt masses = 20;
};
std::unique_ptr<Problem> make_duffing_chain(const DuffingShape& shape);

/// A shaft of `stations` discs in two directions y, z between two bearings, first whirl frequency 1 without spin. It
/// spins at W = 1.5, above its critical speed: gyroscopic forces g W S v, S = [0, 1; -1, 0]; damping b K in the
/// rotating shaft, so that circulatory forces b W K S q drive forward whirl; damping c v in the bearings' housing,
/// enough to stabilise it; an unbalance that grows along the shaft. Starts at rest with a bent shape, 20 turns.
struct RotorShape {
  PetscInt stations = 20;
};
std::unique_ptr<Problem> make_rotor(const RotorShape& shape);

/// A frame of equal storeys, first period 1, Rayleigh damping 2 % at its first and at eight times its first frequency,
/// with base excitation for 20 periods: six sines of 0.6 to 7 times the first frequency that rise and fall. q is
/// relative to the base, so that the load is - m times the base's acceleration.
struct FrameShape {
  PetscInt storeys = 20;
  bool blast = false;  ///< the load is a half sine of a tenth of the first period on all storeys, for 5 periods in all
};
std::unique_ptr<Problem> make_shaken_frame(const FrameShape& shape);

/// A cantilever beam by second differences, first period 1, at rest until a load is suddenly applied to its tip at t =
/// 0; Rayleigh damping of the ratio `damping` at its first and fourth frequencies; 10 periods.
struct BeamShape {
  PetscInt nodes = 40;
  double damping = 0.01;
  /// A foundation that pushes up only, by this factor times the square of a node's penetration [force/length^2]. The load
  /// of the tip is then harmonic, with 0.7 of the beam's first frequency, so that the beam lifts off and lands.
  double foundation = 0;
};
std::unique_ptr<Problem> make_beam(const BeamShape& shape);

}  // namespace bench
