#pragma once

// The beam: mesh, elements, constraints, law and load. The problem is that of deal.II's step-44 with inertia:
//   rho u'' = Div P(Grad u) + rho b(t),   u = 0 at x = 0,   in the undeformed body (total Lagrangian).

#include <gearshift/gearshift.hpp>

#include <deal.II/base/index_set.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/base/tensor.h>
#include <deal.II/base/vectorization.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_renumbering.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/lac/affine_constraints.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace beam {

constexpr int dim = 3, degree = 2;

template <class Number>
using Matrix = dealii::Tensor<2, dim, Number>;

/// Returns J - 1 for F = 1 + H, accurate to rounding however small H is.
template <class Number>
Number volume_change(const Matrix<Number>& H) {
  return trace(H) + (trace(H) * trace(H) - trace(H * H)) / 2. + determinant(H);
}

inline double log1p(double x) { return std::log1p(x); }
template <std::size_t lanes>
dealii::VectorizedArray<double, lanes> log1p(dealii::VectorizedArray<double, lanes> x) {
  for (unsigned int lane = 0; lane < lanes; ++lane) x[lane] = std::log1p(x[lane]);
  return x;
}

/// Compressible neo-Hookean law, W = mu/2 (F:F - 3) - mu ln J + lambda/2 (ln J)^2 with F = 1 + H, for numbers or SIMD
/// lanes of numbers. Unlike formulas in F, these do not lose the digits of stresses at small strains, which a motion
/// that starts from rest needs.
struct NeoHookean {
  double mu = 0, lambda = 0;  ///< [Pa]
  double density = 0;         ///< density of the undeformed body [kg/m^3]

  /// The data that the tangent needs; nothing else is stored at a quadrature point.
  template <class Number>
  struct Point {
    Matrix<Number> inverse;  ///< F^-T
    Number log_J;
  };

  /// @param J1 volume_change(H), > -1
  template <class Number>
  Point<Number> at(const Matrix<Number>& H, const Number& J1) const {
    Matrix<Number> F = H;
    for (unsigned int i = 0; i < dim; ++i) F[i][i] += 1.;
    return {transpose(invert(F)), log1p(J1)};
  }
  /// Returns P = mu (F - F^-T) + lambda ln J F^-T = F^-T (mu (F^T F - 1) + lambda ln J 1).
  template <class Number>
  Matrix<Number> stress(const Matrix<Number>& H, const Point<Number>& x) const {
    Matrix<Number> inner = mu * (H + transpose(H) + transpose(H) * H);
    for (unsigned int i = 0; i < dim; ++i) inner[i][i] += lambda * x.log_J;
    return x.inverse * inner;
  }
  /// Returns the change of P caused by the change dH.
  template <class Number>
  Matrix<Number> tangent(const Matrix<Number>& dH, const Point<Number>& x) const {
    return mu * dH + (mu - lambda * x.log_J) * (x.inverse * transpose(dH) * x.inverse) +
           (lambda * scalar_product(x.inverse, dH)) * x.inverse;
  }
};

/// Must be called after the last communication of a callback. It may throw on some ranks only; the step is then
/// repeated with a smaller size.
inline void refuse_inverted(bool inverted) {
  if (inverted) throw gearshift::InvalidState("an element is inverted: det F <= 0");
}

struct Problem {
  dealii::parallel::distributed::Triangulation<dim> mesh;
  const dealii::FESystem<dim> element{dealii::FE_Q<dim>(degree), dim};
  const dealii::QGauss<dim> quadrature{degree + 1};
  dealii::DoFHandler<dim> dofs{mesh};
  dealii::IndexSet owned, relevant;
  dealii::AffineConstraints<double> constraints;             ///< clamp and hanging nodes
  gearshift::petsc::Handle<IS> constrained;                  ///< their owned entries, not unknowns in deal.II or here
  NeoHookean law{1e7 / 2.6, 0.3 * 1e7 / (1.3 * 0.4), 1000};  // E = 10 MPa, nu = 0.3
  PetscInt tip = -1;  ///< index of the deflection of a corner of the free end, if owned

  /// Creates a beam of 1 m x 0.1 m x 0.1 m and refines its cells next to the clamp `refinements` times.
  Problem(MPI_Comm comm, const std::vector<unsigned int>& cells, PetscInt refinements) : mesh(comm) {
    dealii::GridGenerator::subdivided_hyper_rectangle(mesh, cells, {0, 0, 0}, {1, 0.1, 0.1}, true);
    for (; refinements > 0; --refinements) {
      for (const auto& cell : mesh.active_cell_iterators())
        if (cell->is_locally_owned() && cell->at_boundary(0)) cell->set_refine_flag();
      mesh.execute_coarsening_and_refinement();
    }
    dofs.distribute_dofs(element);
    // Numbers the DoFs by cells, independently of the number of ranks, so that a checkpoint can be read on a different
    // number.
    dealii::DoFRenumbering::hierarchical(dofs);
    owned = dofs.locally_owned_dofs();
    relevant = dealii::DoFTools::extract_locally_relevant_dofs(dofs);
#if DEAL_II_VERSION_GTE(9, 6, 0)
    constraints.reinit(owned, relevant);
#else
    constraints.reinit(relevant);
#endif
    dealii::DoFTools::make_hanging_node_constraints(dofs, constraints);
    dealii::DoFTools::make_zero_boundary_constraints(dofs, 0, constraints);
    constraints.close();
    std::vector<PetscInt> entries;
    for (const auto i : owned)
      if (constraints.is_constrained(i)) entries.push_back(static_cast<PetscInt>(i));
    gearshift::petsc::check(ISCreateGeneral(comm, static_cast<PetscInt>(entries.size()), entries.data(),
                                            PETSC_COPY_VALUES, constrained.out()));
    for (const auto& cell : dofs.active_cell_iterators())
      if (cell->is_locally_owned())
        for (const unsigned int vertex : cell->vertex_indices()) {
          const auto dof = cell->vertex_dof_index(vertex, 2);
          if (cell->vertex(vertex).distance({1, 0, 0}) < 1e-10 && owned.is_element(dof))
            tip = static_cast<PetscInt>(dof);
        }
  }

  /// Returns the load per unit of mass [m/s^2]: the beam is shaken across, once a second.
  static dealii::Tensor<1, dim> load(double t) {
    return dealii::Tensor<1, dim>({0, 0, 10 * (1 - std::cos(2 * std::numbers::pi * t))});
  }

  /// Returns the deflection of the tip [m]. Collective.
  double deflection(Vec q) const {
    double value = tip < 0 ? 0 : gearshift::petsc::ReadView(q)[static_cast<std::size_t>(tip) - first()];
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, mesh.get_communicator());
    return value;
  }

  std::size_t first() const { return owned.n_elements() == 0 ? 0 : owned.nth_index_in_set(0); }
};

}  // namespace beam
