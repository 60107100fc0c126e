#include "solid/multigrid/cycle_options.hpp"

#include <gearshift/petsc/options.hpp>

#include "solid/multigrid/coarse/stiff_inclusions.hpp"
#include "solid/multigrid/constants.hpp"
#include "solid/multigrid/stretch.hpp"

#include <algorithm>

namespace gearshift::solid {

namespace {

bool many_beyond(const Space& space, double ratio) { return share_stretched(space, ratio) > multigrid::many_cells; }

}  // namespace

int lowest_degree(const Space& finest) { return many_beyond(finest, multigrid::needles) ? finest.degree() : 1; }

CycleOptions default_cycle(std::size_t levels, const Space& lowest, const Difficulties& body) {
  const auto& [stiff_in_bulk, contrast, hinged] = body;
  CycleOptions cycle;
  const auto smooth = [&](PetscInt steps, PetscReal low) {
    cycle.steps = std::max(cycle.steps, steps);
    cycle.interval[1] = std::min(cycle.interval[1], low);
  };
  // Modes along the longer edges of cells, which aggregates and degree 1 cannot represent, are soft compared with those
  // along the shorter ones.
  const bool stretched = many_beyond(lowest, multigrid::stretched_cells),
             very = many_beyond(lowest, multigrid::very_stretched);
  if (levels == 1) {
    // Few steps and many cycles: cycles over the aggregates are cheap, and keep the number of iterations small.
    cycle.steps = 2;
    cycle.interval[1] = 0.2;
    // With unlike materials, cycles over the aggregates cost more: they run in double precision and use sweeps.
    if (contrast > multigrid::weak_contrast) smooth(3, 0.1);
    if (contrast > multigrid::weak_contrast && contrast <= multigrid::strong_contrast && !stretched)
      cycle.corner_cycles = 1;
    if (stretched) very ? smooth(8, 0.01) : smooth(6, 0.03);
  } else {
    // Three steps cover enough of the spectrum only for cubes.
    if (many_beyond(lowest, 1.3)) smooth(5, 0.03);
    if (stretched) very ? smooth(12, 0.003) : smooth(8, 0.01);
    cycle.corner_cycles = stretched ? 4 : 3;
  }
  // If stiff parts rotate relative to each other, smoothing must compensate for the aggregates.
  if (hinged && contrast > multigrid::strong_contrast) levels == 1 ? smooth(5, 0.04) : smooth(7, 0.02);
  // Near incompressibility, volumetric modes widen the spectrum: more steps, over more of it, are needed, and more
  // cycles; an odd number of cycles is positive even beyond the interval.
  if (stiff_in_bulk) {
    smooth(8, 0.01);
    cycle.corner_cycles = 3;
  }
  return cycle;
}

bool aggregate_near_nodes(std::size_t levels, const Space& lowest) {
  return many_beyond(lowest, levels == 1 ? multigrid::stretched_cells : multigrid::very_stretched);
}

CycleOptions read_cycle_options(MPI_Comm comm, std::string_view prefix, CycleOptions options) {
  petsc::read_options(comm, prefix, "Smoothing on the multigrid's levels", [&](petsc::Options& o) {
    o.integer("-mg_levels_ksp_max_it", "Chebyshev steps before and after the coarser levels", options.steps);
    o.reals("-mg_levels_ksp_chebyshev_esteig",
            "a,b,c,d: smooth between a l + b L and c l + d L, with l and L the estimated ends of the spectrum",
            options.interval);
    o.integer("-mg_levels_ksp_chebyshev_esteig_steps", "matrix-vector products for these estimates",
              options.estimate_steps);
    o.integer("-mg_corner_cycles", "cycles over degree 1 and below per cycle over the higher degrees",
              options.corner_cycles);
    o.reals(
        "-mg_inertia",
        "f,c: no levels below one whose inertial shift is more than this fraction of its largest stiffness; f on the "
        "finest level, c on coarser ones",
        options.inertia);
  });
  if (options.inertia.size() != 2 || !(options.inertia[0] >= 0 && options.inertia[1] >= 0))
    throw OptionError("option -mg_inertia: give two numbers of 0 or more, e.g. 0.02,0.05");
  if (options.corner_cycles < 1) throw OptionError("option -mg_corner_cycles: give 1 or more");
  if (options.steps < 1) throw OptionError("option -mg_levels_ksp_max_it: give 1 or more");
  if (options.estimate_steps < 1) throw OptionError("option -mg_levels_ksp_chebyshev_esteig_steps: give 1 or more");
  if (options.interval.size() != 4)
    throw OptionError("option -mg_levels_ksp_chebyshev_esteig: give four numbers, e.g. 0,0.03,0,1.1");
  return options;
}

}  // namespace gearshift::solid
