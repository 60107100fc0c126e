#pragma once

/// @file
/// Options of the smoothing of levels and of the cycle over them.

#include <gearshift/solid/space.hpp>

#include <string_view>
#include <vector>

namespace gearshift::solid {

/// The smoother's keys are those of PCMG with KSPCHEBYSHEV.
struct CycleOptions {
  /// `-mg_levels_ksp_max_it`: the number of steps before, and again after, the coarser levels. With one level
  /// (lowest_degree()) it is 2, or 3 if shear moduli differ by more than a factor of 5, 6 if a tenth of all cells is
  /// more than 2.5 times as long as thick, 8 if it is more than 6 times as long. With higher degrees it is 3, or 5, 8
  /// and 12 above aspect ratios of 1.3, 2.5 and 6. It is 8 near incompressibility (lambda > 20 mu), and no less than 5,
  /// or 7 with higher degrees, if stiff parts rotate relative to each other and shear moduli differ by more than a
  /// factor of 300.
  PetscInt steps = 3;
  /// `-mg_levels_ksp_chebyshev_esteig a,b,c,d`: the interval is [a l + b L, c l + d L], with the estimates l, L of the
  /// ends of the spectrum of D^-1 A; b is 0.2 with 2 steps, 0.1 with 3, 0.03 with 5 (0.04 for stiff parts that rotate
  /// relative to each other) and 6, 0.02 with 7, 0.01 with 8 and 0.003 with 12.
  std::vector<PetscReal> interval{0, 0.1, 0, 1.1};
  /// `-mg_levels_ksp_chebyshev_esteig_steps`: the number of matrix-vector products spent on the estimates.
  PetscInt estimate_steps = 10;
  /// `-mg_corner_cycles`: the number of cycles over degree 1 and the levels below it per cycle over the higher degrees,
  /// or per application if there are none. It is 3, or 4 at higher degrees if cells are stretched, or 1 with one level
  /// of cube-like cells if shear moduli differ by more than a factor of 5 and no more than 300.
  PetscInt corner_cycles = 3;
  /// `-mg_inertia f,c`: there are no levels below one whose inertial shift is more than the fraction f, on the finest
  /// level, or c, on a coarser one, of its largest stiffness: smoothing then solves it at less cost. Found by runs at
  /// fixed steps, degrees 1 to 4, hexahedra and tetrahedra, 1e4 to 2e5 unknowns, where half and twice these values cost
  /// up to a quarter more (tests/bench/choice).
  std::vector<PetscReal> inertia{0.02, 0.05};
};

/// Returns the lowest degree of the levels: 1, or the body's own degree if a tenth of all cells is more than 11 times
/// as long as thick: cells of a lower degree that are longer than the body is thick are far too stiff in bending to
/// correct a higher one. Collective.
int lowest_degree(const Space& finest);

/// Properties of a body's materials that make its tangent hard to solve.
struct Difficulties {
  bool stiff_in_bulk = false;  ///< nearly incompressible: lambda > 20 mu in some cell
  double contrast = 1;         ///< the largest shear modulus divided by the smallest
  bool hinged = false;         ///< stiff parts rotate relative to each other (AggregateCouplings::hinged())
};

/// Returns the defaults of the keys for this number of levels; `lowest` is the space of the lowest one. Collective.
CycleOptions default_cycle(std::size_t levels, const Space& lowest, const Difficulties& body);

/// Reads the keys above. Throws OptionError for invalid values. Collective.
CycleOptions read_cycle_options(MPI_Comm comm, std::string_view prefix, CycleOptions options);

/// Returns true if lines and planes of nodes across the short edges of the cells make better aggregates. Collective.
bool aggregate_near_nodes(std::size_t levels, const Space& lowest);

}  // namespace gearshift::solid
