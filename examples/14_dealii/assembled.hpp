#pragma once

// Residual and tangent by FEValues, as most deal.II programs assemble them, into PETSc's vectors and matrices.

#include "problem.hpp"

#include <deal.II/base/timer.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/petsc_sparse_matrix.h>
#include <deal.II/lac/petsc_vector.h>
#include <deal.II/lac/sparsity_tools.h>

namespace beam {

/// Wraps a Mat owned by other code, in the form that deal.II's functions take.
class BorrowedMatrix : public dealii::PETScWrappers::MPI::SparseMatrix {
 public:
  explicit BorrowedMatrix(Mat other) {
    gearshift::petsc::check(MatDestroy(&matrix));
    gearshift::petsc::check(PetscObjectReference(reinterpret_cast<PetscObject>(other)));
    matrix = other;
  }
};

class Assembler {
 public:
  Assembler(const Problem& problem, dealii::TimerOutput& timer)
      : problem_(problem),
        timer_(timer),
        own_(problem.owned, problem.mesh.get_communicator()),
        q_(problem.owned, problem.relevant, problem.mesh.get_communicator()),
        a_(q_),
        values_(problem.element, problem.quadrature,
                dealii::update_values | dealii::update_gradients | dealii::update_JxW_values),
        gradients_(problem.quadrature.size()),
        accelerations_(gradients_.size()),
        points_(gradients_.size()) {
    dealii::DynamicSparsityPattern pattern(problem.relevant);
    dealii::DoFTools::make_sparsity_pattern(problem.dofs, pattern, problem.constraints, false);
    dealii::SparsityTools::distribute_sparsity_pattern(pattern, problem.owned, problem.mesh.get_communicator(),
                                                       problem.relevant);
    matrix_.reinit(problem.owned, problem.owned, pattern, problem.mesh.get_communicator());
  }

  Mat matrix() const { return matrix_; }
  Vec layout() const { return own_; }

  /// Computes r = M a + f(q) - rho b(t).
  void residual(double t, Vec q, Vec a, Vec r) {
    const dealii::TimerOutput::Scope scope(timer_, "residual");
    fetch(q, q_);
    fetch(a, a_);
    gearshift::petsc::check(VecZeroEntries(r));
    dealii::PETScWrappers::VectorBase out(r);
    const auto load = Problem::load(t);
    dealii::Vector<double> local(problem_.element.dofs_per_cell);
    const bool inverted = over_cells([&](const auto& entries) {
      values_[dealii::FEValuesExtractors::Vector(0)].get_function_values(a_, accelerations_);
      local = 0;
      for (const unsigned int x : values_.quadrature_point_indices()) {
        const auto stress = problem_.law.stress(gradients_[x], points_[x]) * values_.JxW(x);
        const auto force = problem_.law.density * (accelerations_[x] - load) * values_.JxW(x);
        for (const unsigned int i : values_.dof_indices()) {
          const unsigned int c = problem_.element.system_to_component_index(i).first;
          local(i) += stress[c] * values_.shape_grad(i, x) + force[c] * values_.shape_value(i, x);
        }
      }
      problem_.constraints.distribute_local_to_global(local, entries, out);
    });
    out.compress(dealii::VectorOperation::add);
    refuse_inverted(inverted);
  }

  /// Adds s.q f'(q) + s.a M to P.
  void tangent(Vec q, gearshift::Shifts s, Mat P) {
    const dealii::TimerOutput::Scope scope(timer_, "tangent matrix");
    fetch(q, q_);
    BorrowedMatrix borrowed(P);
    dealii::PETScWrappers::MPI::SparseMatrix& out = borrowed;
    dealii::FullMatrix<double> local(problem_.element.dofs_per_cell);
    const bool inverted = over_cells([&](const auto& entries) {
      local = 0;
      for (const unsigned int x : values_.quadrature_point_indices())
        for (const unsigned int j : values_.dof_indices()) {
          const unsigned int cj = problem_.element.system_to_component_index(j).first;
          Matrix<double> dH;
          dH[cj] = values_.shape_grad(j, x);
          const auto stress = problem_.law.tangent(dH, points_[x]) * (s.q * values_.JxW(x));
          const double mass = s.a * problem_.law.density * values_.shape_value(j, x) * values_.JxW(x);
          for (const unsigned int i : values_.dof_indices()) {
            const unsigned int ci = problem_.element.system_to_component_index(i).first;
            local(i, j) += stress[ci] * values_.shape_grad(i, x) + (ci == cj ? mass * values_.shape_value(i, x) : 0);
          }
        }
      problem_.constraints.distribute_local_to_global(local, entries, out);
    });
    out.compress(dealii::VectorOperation::add);
    refuse_inverted(inverted);
  }

 private:
  /// Calls do_cell(entries) for each owned cell, after updating gradients_ and points_; returns true if det F <= 0
  /// somewhere.
  bool over_cells(const auto& do_cell) {
    bool inverted = false;
    std::vector<dealii::types::global_dof_index> entries(problem_.element.dofs_per_cell);
    for (const auto& cell : problem_.dofs.active_cell_iterators()) {
      if (!cell->is_locally_owned()) continue;
      values_.reinit(cell);
      values_[dealii::FEValuesExtractors::Vector(0)].get_function_gradients(q_, gradients_);
      bool sound = true;
      for (const unsigned int x : values_.quadrature_point_indices()) {
        const double J1 = volume_change(gradients_[x]);
        sound = sound && J1 > -1;
        if (sound) points_[x] = problem_.law.at(gradients_[x], J1);
      }
      inverted = inverted || !sound;
      if (!sound) continue;
      cell->get_dof_indices(entries);
      do_cell(entries);
    }
    return inverted;
  }

  /// Copies a vector and fills in the entries of neighbours and of hanging nodes.
  void fetch(Vec from, dealii::PETScWrappers::MPI::Vector& to) {
    gearshift::petsc::check(VecCopy(from, own_));
    problem_.constraints.distribute(own_);
    to = own_;
  }

  const Problem& problem_;
  dealii::TimerOutput& timer_;
  dealii::PETScWrappers::MPI::SparseMatrix matrix_;
  dealii::PETScWrappers::MPI::Vector own_, q_, a_;
  dealii::FEValues<dim> values_;
  std::vector<Matrix<double>> gradients_;
  std::vector<dealii::Tensor<1, dim>> accelerations_;
  std::vector<NeoHookean::Point<double>> points_;
};

}  // namespace beam
