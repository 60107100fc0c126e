#pragma once

/// @file
/// Options of the smoothing of levels and of the cycle over them.

#include <gearshift/solid/space.hpp>

#include <string_view>
#include <vector>

namespace gearshift::solid {

/// The smoother's keys are those of PCMG with KSPCHEBYSHEV.
struct CycleOptions {
  /// `-mg_levels_ksp_max_it`: the number of steps before, and again after, the coarser levels. The default is the
  /// largest number that applies:
  ///
  ///                                                                     one level   several levels
  ///     always                                                              2             3
  ///     shear moduli differ by more than a factor of 5                      3             -
  ///     a tenth of the cells has an aspect ratio of more than 1.3           -             5
  ///                                                      more than 2.5      6             8
  ///                                                      more than 6        8            12
  ///     nearly incompressible (lambda > 20 mu)                              8             8
  ///     stiff parts rotate relative to each other, and shear moduli
  ///     differ by more than a factor of 300                                 5             7
  ///
  /// With one level (lowest_degree()) there are no levels of lower degrees.
  PetscInt steps = 3;
  /// `-mg_levels_ksp_chebyshev_esteig a,b,c,d`: the interval is [a l + b L, c l + d L], with the estimates l, L of the
  /// ends of the spectrum of D^-1 A. The default of b follows the number of steps:
  ///
  ///     steps   2     3     5      6      7      8      12
  ///     b       0.2   0.1   0.03   0.03   0.02   0.01   0.003
  ///
  /// except that 5 steps for stiff parts that rotate relative to each other have b = 0.04.
  std::vector<PetscReal> interval{0, 0.1, 0, 1.1};
  /// `-mg_levels_ksp_chebyshev_esteig_steps`: the number of matrix-vector products spent on the estimates.
  PetscInt estimate_steps = 10;
  /// `-mg_corner_cycles`: the number of cycles over degree 1 and the levels below it per cycle over the higher degrees,
  /// or per application if there are no higher degrees. The default is 3, with two exceptions: 4 with several levels if
  /// cells are stretched (2.5 in the table above), and 1 with one level if they are not and the factor between shear
  /// moduli is more than 5 and not more than 300. Near incompressibility it is 3 in any case.
  PetscInt corner_cycles = 3;
  /// `-mg_inertia f,c`: there are no levels below one whose inertial shift is more than the fraction f, on the finest
  /// level, or c, on a coarser one, of its largest stiffness: smoothing then solves it at less cost. Found by runs at
  /// fixed steps, degrees 1 to 4, hexahedra and tetrahedra, 1e4 to 2e5 unknowns, where half and twice these values cost
  /// up to a quarter more (tests/bench/choice).
  std::vector<PetscReal> inertia{0.02, 0.05};
};

/// Returns the lowest degree of the levels: 1, or the body's own degree if a tenth of all cells is more than 11 times
/// as long as thick. Such cells are longer than the body is thick; at a lower degree they would be far too stiff in
/// bending to correct a higher one. Collective.
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
