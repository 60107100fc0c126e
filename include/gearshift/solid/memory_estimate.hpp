#pragma once

/// @file
/// The memory that a body will need.

#include <gearshift/petsc/error.hpp>

namespace gearshift::solid {

/// Bytes that Body::set_up(), its tangent and its preconditioner allocate on this rank, estimated from the numbers of
/// cells, nodes and couplings before anything is allocated. The mesh and the body's own Space are not included, since
/// they exist already.
struct MemoryEstimate {
  double operators = 0;       ///< node numbers and geometry of the cells, supports, loads, terms and their tangents
  double points = 0;          ///< data that the tangent stores per quadrature point; 0 for linear laws
  double multigrid = 0;       ///< the levels below: their spaces, operators, vectors, prolongations, parts of terms
  double matrix = 0;          ///< the assembled tangent, above degree 1
  double coarse = 0;          ///< the assembled degree-1 matrix
  double hierarchy = 0;       ///< peak of algebraic multigrid during its set-up
  double direct = 0;          ///< direct coarse solver, on the first rank; 0 on the others
  double vector = 0;          ///< one Vec with the body's layout
  double internal = 0;        ///< one Vec of its internal variables (Body::internal_layout())
  double solver_vectors = 0;  ///< Vecs of the smoother on the body's own degree; of GMRES, for unsymmetric terms

  double sum() const { return operators + points + multigrid + matrix + coarse + hierarchy + direct + solver_vectors; }
};

}  // namespace gearshift::solid
