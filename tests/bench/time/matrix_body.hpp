#pragma once

#include "problem.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace bench {

/// A small body given by matrices on a line of nodes, m v' = f(t) - C v - K q + g(q_i, v_i) in every entry i.
struct MatrixBodyShape {
  struct Entry {
    PetscInt row, column;
    double value;
  };
  /// A nonlinear force of a single entry, with its derivatives.
  struct Local {
    double force = 0, fq = 0, fv = 0;
  };
  using Matrix = std::vector<Entry>;

  PetscInt nodes = 1, per_node = 1;
  PetscInt reach = 1;  ///< maximum number of nodes between a row and a column of K and C
  double mass = 1;
  Matrix stiffness, damping;  ///< duplicate entries are added
  bool symmetric = true;
  std::function<double(PetscInt entry, double t)> load;
  std::function<Local(double q, double v)> local;
  std::function<double(PetscInt entry)> initial_q, initial_v;
  double end = 1, scale_q = 1, scale_v = 1;
};

std::unique_ptr<Problem> make_matrix_body(MatrixBodyShape shape);

}  // namespace bench
