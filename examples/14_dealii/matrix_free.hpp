#pragma once

// The residual and the action of its tangent by deal.II's MatrixFree; only a diagonal is assembled.

#include "problem.hpp"

#include <deal.II/base/aligned_vector.h>
#include <deal.II/base/timer.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/matrix_free/fe_evaluation.h>
#include <deal.II/matrix_free/matrix_free.h>
#include <deal.II/matrix_free/tools.h>

#include <algorithm>
#include <utility>

namespace beam {

using Lanes = dealii::VectorizedArray<double>;
using Cells = dealii::MatrixFree<dim, double>;
using Evaluation = dealii::FEEvaluation<dim, degree, degree + 1, dim, double>;
using Vector = dealii::LinearAlgebra::distributed::Vector<double>;  // the vector type of MatrixFree
using Range = std::pair<unsigned int, unsigned int>;

inline void copy(Vec from, Vector& to) {
  const gearshift::petsc::ReadView entries(from);
  to.zero_out_ghost_values();
  std::copy(entries.begin(), entries.end(), to.begin());
}

inline void copy(const Vector& from, Vec to) {
  const gearshift::petsc::WriteView entries(to);
  std::copy_n(from.begin(), entries.size(), entries.begin());
}

/// Evaluates the law at all quadrature points of a batch of cells, from the displacement that `q` has read.
/// @return true if det F > 0 at all of them
template <class Store>
bool law_points(const NeoHookean& law, Evaluation& q, const Store& store) {
  q.evaluate(dealii::EvaluationFlags::gradients);
  bool sound = true;
  for (unsigned int x = 0; x < q.n_q_points; ++x) {
    const auto H = q.get_gradient(x);
    const Lanes J1 = volume_change(H);
    for (unsigned int lane = 0; lane < Lanes::size(); ++lane) sound = sound && J1[lane] > -1;
    if (sound) store(x, H, law.at(H, J1));
  }
  return sound;
}

/// s.q f'(q) + s.a M at a displacement q. Only F^-T and one scalar are stored at each quadrature point.
class Tangent : public gearshift::Linearization {
 public:
  Tangent(const Problem& problem, const Cells& cells, dealii::TimerOutput& timer)
      : problem_(problem), cells_(cells), timer_(timer) {
    cells_.initialize_dof_vector(in_);
    cells_.initialize_dof_vector(out_);
    points_.resize(cells_.n_cell_batches() * Evaluation::static_n_q_points);
  }

  void update(const gearshift::State& x) override {
    const dealii::TimerOutput::Scope scope(timer_, "linearise");
    copy(x.q, in_);
    bool inverted = false;
    cells_.cell_loop<Vector, Vector>(
        [&](const Cells&, Vector&, const Vector& q, const Range& range) {
          Evaluation values(cells_);
          for (unsigned int cell = range.first; cell < range.second; ++cell) {
            values.reinit(cell);
            values.read_dof_values(q);
            inverted = !law_points(problem_.law, values, [&](unsigned int i, const auto&, const auto& point) {
              points_[cell * Evaluation::static_n_q_points + i] = point;
            }) || inverted;
          }
        },
        out_, in_);
    refuse_inverted(inverted);
  }

  void apply(gearshift::Shifts s, Vec in, Vec out) override {
    const dealii::TimerOutput::Scope scope(timer_, "tangent product");
    copy(in, in_);
    cells_.cell_loop<Vector, Vector>(
        [&](const Cells&, Vector& y, const Vector& x, const Range& range) {
          Evaluation values(cells_);
          for (unsigned int cell = range.first; cell < range.second; ++cell) {
            values.reinit(cell);
            values.read_dof_values(x);
            act(s, values);
            values.distribute_local_to_global(y);
          }
        },
        out_, in_, true);
    copy(out_, out);
  }

  /// This override is optional; it saves a copy, because MatrixFree leaves constrained entries out by itself.
  bool apply_free(gearshift::Shifts s, Vec in, Vec out) override {
    apply(s, in, out);
    const gearshift::petsc::ReadView x(in);
    const gearshift::petsc::WriteView y(out);
    for (const unsigned int i : cells_.get_constrained_dofs()) y[i] = x[i];
    return true;
  }

  /// Computes the diagonal, for a Jacobi preconditioner.
  bool diagonal(gearshift::Shifts s, Vec d) override {
    const dealii::TimerOutput::Scope scope(timer_, "diagonal");
    out_ = 0;  // because compute_diagonal() adds to it
    dealii::MatrixFreeTools::compute_diagonal<dim, degree, degree + 1, dim, double, Lanes>(
        cells_, out_, [&](Evaluation& values) { act(s, values); });
    copy(out_, d);
    return true;
  }

 private:
  void act(gearshift::Shifts s, Evaluation& values) const {
    using namespace dealii::EvaluationFlags;
    values.evaluate(dealii::EvaluationFlags::values | gradients);
    const auto* points = &points_[values.get_current_cell_index() * Evaluation::static_n_q_points];
    for (unsigned int x = 0; x < Evaluation::static_n_q_points; ++x) {
      values.submit_gradient(s.q * problem_.law.tangent(values.get_gradient(x), points[x]), x);
      values.submit_value(s.a * problem_.law.density * values.get_value(x), x);
    }
    values.integrate(dealii::EvaluationFlags::values | gradients);
  }

  const Problem& problem_;
  const Cells& cells_;
  dealii::TimerOutput& timer_;
  dealii::AlignedVector<NeoHookean::Point<Lanes>> points_;
  Vector in_, out_;
};

class MatrixFreeSystem : public gearshift::System, public gearshift::SystemConstraints {
 public:
  MatrixFreeSystem(const Problem& problem, dealii::TimerOutput& timer) : problem_(problem), timer_(timer) {
    Cells::AdditionalData data;
    data.tasks_parallel_scheme = Cells::AdditionalData::none;
    data.mapping_update_flags = dealii::update_values | dealii::update_gradients | dealii::update_JxW_values;
    cells_.reinit(dealii::MappingQ1<dim>(), problem.dofs, problem.constraints, dealii::QGauss<1>(degree + 1), data);
    for (Vector* x : {&q_, &a_, &r_}) cells_.initialize_dof_vector(*x);
  }

  void residual(const gearshift::State& x, Vec r) override {
    const dealii::TimerOutput::Scope scope(timer_, "residual");
    copy(x.q, q_);
    copy(x.a, a_);
    a_.update_ghost_values();
    const auto load = Problem::load(x.t);
    dealii::Tensor<1, dim, Lanes> b;
    for (unsigned int c = 0; c < dim; ++c) b[c] = load[c];
    bool inverted = false;
    cells_.cell_loop<Vector, Vector>(
        [&](const Cells&, Vector& y, const Vector& displacement, const Range& range) {
          Evaluation q(cells_), a(cells_);
          for (unsigned int cell = range.first; cell < range.second; ++cell) {
            q.reinit(cell);
            q.read_dof_values(displacement);
            a.reinit(cell);
            a.read_dof_values(a_);
            a.evaluate(dealii::EvaluationFlags::values);
            inverted = !law_points(problem_.law, q, [&](unsigned int i, const auto& H, const auto& point) {
              q.submit_gradient(problem_.law.stress(H, point), i);
              a.submit_value(problem_.law.density * (a.get_value(i) - b), i);
            }) || inverted;
            if (inverted) continue;
            q.integrate(dealii::EvaluationFlags::gradients);
            a.integrate(dealii::EvaluationFlags::values);
            q.distribute_local_to_global(y);
            a.distribute_local_to_global(y);
          }
        },
        r_, q_, true);
    copy(r_, r);
    refuse_inverted(inverted);
  }

  std::unique_ptr<gearshift::Linearization> make_linearization() override {
    return std::make_unique<Tangent>(problem_, cells_, timer_);
  }
  bool symmetric() const override { return true; }
  IS constrained() const override { return problem_.constrained.get(); }

 private:
  const Problem& problem_;
  dealii::TimerOutput& timer_;
  Cells cells_;
  Vector q_, a_, r_;
};

}  // namespace beam
