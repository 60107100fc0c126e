#pragma once

#include "search_system.hpp"

#include <string>
#include <vector>

namespace bench {

/// Settings of a run.
struct SearchSettings {
  std::string solver;               ///< name in the output
  std::string options;              ///< of the solver
  double tolerance = 1e-4;          ///< rtol; atol is this value times the scale of q
  bool scaled_atol_v = false;       ///< atol_v is the tolerance times the scale of v; false: gearshift's default
  long limit = 100000;              ///< maximum number of linear solves of a run
  std::vector<double> times;        ///< output times, equally spaced; the last one is the end
  double scale_q = 1, scale_v = 1;  ///< largest |q| and |v| of the exact motion at these times
};

/// The work and the results of a run. The motion is stored at the output times that it reached.
struct SearchRun {
  std::vector<Eigen::VectorXd> q, v;
  long steps = 0;
  long rejected = 0;
  long solves = 0;  ///< linear solves: Newton iterations of every attempt and every stage
  long forces = 0;
  long products = 0;  ///< tangent products, including those of the Krylov solver
  double cpu = 0;
  std::string status = "ok";  ///< or `limit`, `energy` (the run warned of numerical energy), `failed`
  std::string note;           ///< reason of the status
};

/// @name The integrators
/// @{
/// Runs gearshift's Stepper with `options`; options of the command line take precedence.
SearchRun search_gear(const SearchSystem& system, const SearchSettings& settings, int argc, char** argv);
/// Runs CVODE on the first-order form; every linear solve is exact. `options` is the highest order.
SearchRun search_cvode(const SearchSystem& system, const SearchSettings& settings);
/// @}

}  // namespace bench
