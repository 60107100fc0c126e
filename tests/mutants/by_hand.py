"""Mutants that once survived: file, line, and its replacement (empty: the line is deleted)."""
BY_HAND = [
    ("src/dynamics/control/successive_errors.cpp", "check(VecScale(before_.get(), std::pow(step.dt / step_.dt, step.order)));", ""),
    ("src/dynamics/newton/wrms_newton.cpp", 'state("solves", solves_);', ""),
    ("src/dynamics/control/method_choice.cpp", 'state("radians", radians_);', ""),
    ("src/dynamics/run/step_loop.cpp", 'state("growing", growing_);', ""),
    ("src/dynamics/control/mode_control.cpp", "growth_.restart();", ""),
    ("src/dynamics/run/integrator_state.cpp", "archive_numbers(numbers_before_);", ""),
    ("src/dynamics/run/integrator_state.cpp", "control_.adopt_settings();", ""),
    ("src/dynamics/methods/internal_history.cpp", "std::swap(slope_, slope_before_);", ""),
    ("src/dynamics/control/error_control.cpp", "limiter_.failed(dt);", ""),
    ("src/dynamics/run/step_loop.cpp", "if (due.announced) integrator_.find_constrained();", ""),
    ("src/dynamics/methods/slopes.cpp", "std::swap(now_, before_);", ""),
    ("src/solid/body/sums.cpp", "const bool deformed = !I.small_strains;", "const bool deformed = !I.small_strains && !MUTANT({number});"),
    ("src/solid/material/mass_points.hpp",
     "element.weigh_mass(determinant(space.mesh_cells().jacobian(cell, points[q])), q) * material[cell].rho,",
     "element.weigh_mass(determinant(space.mesh_cells().jacobian(cell, points[q])), q) * "
     "material[MUTANT({number}) ? 0 : cell].rho,"),
    ("src/solid/body/system.cpp", "if (multigrid && multigrid->outdated()) multigrid = I.renew_multigrid(pc);", ""),
]
