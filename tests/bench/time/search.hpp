#pragma once

#include "search_system.hpp"

#include <string>
#include <vector>

namespace bench {

/// How to run.
struct SearchSettings {
  std::string solver;               ///< name in the output
  std::string options;              ///< of the solver
  double tolerance = 1e-4;          ///< rtol; atol is that times the scale of q
  bool scaled_atol_v = false;       ///< atol_v is the tolerance times the scale of v; false: gearshift's default
  long limit = 100000;              ///< linear solves after which a run is given up
  std::vector<double> times;        ///< of outputs, equally spaced, the last is the end
  double scale_q = 1, scale_v = 1;  ///< largest |q| and |v| of the exact motion at these times
};

/// What a run did. The motion is kept at the output times that it reached.
struct SearchRun {
  std::vector<Eigen::VectorXd> q, v;
  long steps = 0;
  long rejected = 0;
  long solves = 0;  ///< linear solves: Newton iterations of every attempt and every stage
  long forces = 0;
  long products = 0;  ///< tangent products, those of the Krylov solver included
  double cpu = 0;
  std::string status = "ok";  ///< or `limit`, `energy` (the run warned of energy of its own making), `failed`
  std::string note;           ///< why
};

/// @name The integrators
/// @{
/// gearshift's Stepper with `options`, over them those of the command line.
SearchRun search_gear(const SearchSystem& system, const SearchSettings& settings, int argc, char** argv);
/// CVODE on the first-order form; every linear solve is exact. `options` is the highest order.
SearchRun search_cvode(const SearchSystem& system, const SearchSettings& settings);
/// @}

}  // namespace bench
