#pragma once

/// @file
/// How levels are smoothed and visited.

#include <gearshift/solid/space.hpp>

#include <string_view>
#include <vector>

namespace gearshift::solid {

/// The smoother's keys are those of PCMG with KSPCHEBYSHEV.
struct CycleOptions {
  /// `-mg_levels_ksp_max_it`: steps before, and as many after the coarser levels. With one level (lowest_degree()) 2,
  /// or 3
  /// where shear moduli differ by more than a factor of 5, 6 where a tenth of all cells is more than 2.5 times as long
  /// as
  /// thick, 8 where it is more than 6 times; with higher degrees 3, or 5, 8 and 12 beyond 1.3, 2.5 and 6 times; 8 near
  /// incompressibility (lambda > 20 mu); at least 5, or 7 with higher degrees, where stiff parts turn about each other
  /// and shear moduli differ by more than a factor of 300.
  PetscInt steps = 3;
  /// `-mg_levels_ksp_chebyshev_esteig a,b,c,d`: the interval is [a l + b L, c l + d L], with the estimates l, L of the
  /// ends of the spectrum of D^-1 A; b is 0.2 with 2 steps, 0.1 with 3, 0.03 with 5 (0.04 for stiff parts that turn
  /// about each other) and 6, 0.02 with 7, 0.01 with 8 and 0.003 with 12.
  std::vector<PetscReal> interval{0, 0.1, 0, 1.1};
  /// `-mg_levels_ksp_chebyshev_esteig_steps`: products spent on the estimates.
  PetscInt estimate_steps = 10;
  /// `-mg_corner_cycles`: cycles over degree 1 and what is below it for one over the higher degrees, or for one
  /// application if there are none; 3, or 4 at higher degrees where cells are stretched, or 1 with one level of cells
  /// like
  /// cubes where shear moduli differ by more than a factor of 5 and no more than 300.
  PetscInt corner_cycles = 3;
};

/// The least degree of the levels: 1, or the body's own where a tenth of all cells is more than 11 times as long as
/// thick:
/// cells of a lower degree that are longer than the body is thick are far too stiff in bending to correct a higher one.
/// Collective.
int lowest_degree(const Space& finest);

/// What in a body's materials makes its tangent hard to solve.
struct Difficulties {
  bool stiff_in_bulk = false;  ///< nearly incompressible: lambda > 20 mu in some cell
  double contrast = 1;         ///< the largest shear modulus over the smallest
  bool hinged = false;         ///< stiff parts turn about each other (AggregateCouplings::hinged())
};

/// The defaults of the keys for so many levels, of which `lowest` is the space. Collective.
CycleOptions default_cycle(std::size_t levels, const Space& lowest, const Difficulties& body);

/// Reads the keys above. OptionError for invalid values. Collective.
CycleOptions read_cycle_options(MPI_Comm comm, std::string_view prefix, CycleOptions options);

/// Whether aggregates are better made of lines and planes of nodes across the short edges of the cells. Collective.
bool aggregate_near_nodes(std::size_t levels, const Space& lowest);

}  // namespace gearshift::solid
