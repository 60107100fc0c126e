#include "solid/operator/tangent.hpp"

#include <gearshift/petsc/views.hpp>

#include "petsc/log.hpp"
#include "solid/element/vectors.hpp"
#include "solid/operator/mixed_operator.hpp"

#include <algorithm>

namespace gearshift::solid {

using petsc::check;

Tangent::Tangent(const Operator& op, const TermSum& terms, const Constraints& constraints, const RotatingFrame* frame)
    : op_(op), constraints_(constraints), points_(op.make_point_data()), terms_(terms), frame_(frame) {
  for (auto* vec : {&displacement_, &completed_}) check(VecDuplicate(op_.space().layout(), vec->out()));
  if (!frame_) return;
  for (auto* work : {&frame_in_, &frame_out_}) check(VecDuplicate(op_.space().layout(), work->out()));
}

void Tangent::update(const State& x) { linearize(x, nullptr); }

void Tangent::follow(const State& x) {
  if (!op_.bulk()) return update(x);
  check(VecAYPX(displacement_.get(), -1, x.q));
  pressures_after(op_, displacement_.get(), points_, pressures_);
  linearize(x, pressures_.data());
}

void Tangent::linearize(const State& x, const double* pressures) {
  const petsc::ScopedEvent event(petsc::Event::linearize);
  if (frame_) spin_ = frame_->at(x.t);
  check(VecCopy(x.q, displacement_.get()));
  internal_ = {nullptr, x.internal.factor, x.internal.rate};
  if (op_.store().follows_path()) {
    history_.assign(static_cast<std::size_t>(op_.store().size()), 0.0);
    if (x.internal.base) {
      const petsc::ReadView base(x.internal.base);
      std::transform(base.begin(), base.end(), history_.begin(), [&](double z) { return x.internal.factor * z; });
    }
  }
  const std::string inverted = op_.linearize(x.q, x.internal, points_, pressures);
  terms_.update(x, op_.ghosts());
  if (!inverted.empty()) throw InvalidState(inverted);
}

Vec Tangent::expanded(Vec in) {
  if (const petsc::ReadView values(in); constraints_.expanded(values.span().data())) return in;
  check(VecCopy(in, completed_.get()));
  const petsc::WriteView values(completed_.get());
  constraints_.apply(values.span().data());
  return completed_.get();
}

Vec Tangent::completed(Vec in, petsc::Handle<Vec>& copy) const {
  if (!constraints_.depend()) return in;
  if (!copy) check(VecDuplicate(op_.space().layout(), copy.out()));
  check(VecCopy(in, copy.get()));
  const petsc::WriteView values(copy.get());
  constraints_.complete(values.span().data());
  return copy.get();
}

void Tangent::fold(Vec out) const {
  if (!constraints_.depend()) return;
  const petsc::WriteView values(out);
  constraints_.fold(values.span().data());
}

void Tangent::reduce(Vec out, Vec in) const {
  fold(out);
  const petsc::ReadView from(in);
  const petsc::WriteView to(out);
  constraints_.copy(from.span().data(), to.span().data());
}

void Tangent::apply(Shifts s, Vec in, Vec out) {
  const petsc::ScopedEvent event(petsc::Event::tangent);
  apply_all(s, completed(in, completed_), out);
  fold(out);
}

void Tangent::apply_all(Shifts s, Vec in, Vec out) {
  op_.apply(points_, s.q, s.a, in, out);
  terms_.add_apply(s, in, out, op_.ghosts());
  add_frame(s, in, out);
}

bool Tangent::apply_free(Shifts s, Vec in, Vec out) {
  const petsc::ScopedEvent event(petsc::Event::tangent);
  apply_all(s, expanded(in), out);
  reduce(out, in);
  return true;
}

void Tangent::add_frame(Shifts s, Vec in, Vec out) {
  if (!frame_ || (s.q == 0 && s.v == 0)) return;
  check(VecCopy(in, frame_out_.get()));
  frame_->tangent(spin_, s.q * terms_.terms().load_factor(), s.v, frame_out_.get(), frame_in_.get());
  op_.apply_mass(frame_in_.get(), frame_out_.get());
  terms_.add_apply({0, 0, 1}, frame_in_.get(), frame_out_.get());
  check(VecAXPY(out, 1, frame_out_.get()));
}

bool Tangent::diagonal(Shifts s, Vec d) {
  if (op_.bulk()) return false;
  add_up_diagonal(s, d);
  const petsc::WriteView values(d);
  constraints_.fold_diagonal(values.span().data());
  return true;
}

void Tangent::add_up_diagonal(Shifts s, Vec d) {
  op_.diagonal(points_, s.q, s.a, d);
  terms_.add_diagonal(s, d);
  if (!frame_ || s.q == 0) return;
  op_.diagonal(points_, 0, 1, frame_out_.get());
  terms_.add_diagonal({0, 0, 1}, frame_out_.get());
  const Vec3 factors = (s.q * terms_.terms().load_factor()) * RotatingFrame::diagonal(spin_);
  const petsc::ReadView masses(frame_out_.get());
  const petsc::WriteView values(d);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += factors[i % 3] * masses[i];
}

bool Tangent::apply_stiffness_derivative(Vec direction, Vec in, Vec out) {
  if (!op_.has_derivative() || op_.bulk()) return false;
  const Vec along = completed(direction, completed_direction_), all = completed(in, completed_);
  op_.derivative(displacement_.get(), internal_.rate, along, all, out);
  const bool known = terms_.add_stiffness_derivative(along, all, out);
  fold(out);
  return known;
}

void Tangent::apply_mixed(Shifts s, Vec in, const double* pressures, Vec out, double* rows) {
  const petsc::ScopedEvent event(petsc::Event::tangent);
  const Vec all = expanded(in);
  solid::apply_mixed(op_, points_, s.q, s.a, all, pressures, out, rows);
  terms_.add_apply(s, all, out, op_.ghosts());
  add_frame(s, all, out);
  reduce(out, in);
}

void Tangent::pressure_forces(Shifts s, const double* pressures, Vec out) const {
  push_pressures(op_, points_, s.q, pressures, out);
  const petsc::WriteView values(out);
  constraints_.apply_transposed(values.span().data());
}

bool Tangent::assemble(Shifts s, Mat P) {
  if (!assembly_) assembly_.reset(new Assembly{NodeMatrixSum(op_.space()), TermSumLevel(terms_.terms(), op_.space())});
  give_to_levels();
  const NodeBlocks blocks = assembly_->terms.lumped_blocks(s, constraints_);
  if (op_.space().degree() == 1 && !op_.bulk())
    assemble_corners(s, assembly_->cells, blocks, constraints_, P);
  else
    assemble_into(assembly_->cells, blocks, constraints_, P,
                  [&](const AddMatrix& add) { visit_cell_matrices(op_, points_, s.q, s.a, add); });
  return true;
}

void Tangent::assemble_corners(Shifts s, NodeMatrixSum& sum, const NodeBlocks& blocks, const Constraints& constraints,
                               Mat P) const {
  assemble_into(sum, blocks, constraints, P,
                [&](auto&& add) { visit_corner_matrices(op_, points_, s.q, s.a, {}, nullptr, add); });
}

template <class Visit>
void Tangent::assemble_into(NodeMatrixSum& sum, const NodeBlocks& blocks, const Constraints& constraints, Mat P,
                            Visit&& visit) const {
  const Space& space = sum.space();
  check(MatZeroEntries(P));
  visit([&](PetscInt cell, double* matrix) {
    constraints.reduce(space.cell_nodes(cell), matrix);
    sum.add(cell, matrix, P);
  });
  sum.finish(P);
  for (std::size_t i = 0; i < blocks.count(); ++i) {
    const PetscInt row = space.first_node() + blocks.node(i);
    const auto values = whole(blocks.block(i));
    check(MatSetValuesBlocked(P, 1, &row, 1, &row, values.data(), ADD_VALUES));
  }
  for (const PetscInt entry : constraints.entries()) {
    const PetscInt row = 3 * space.first_node() + entry;
    check(MatSetValue(P, row, row, 1.0, ADD_VALUES));
  }
  check(MatAssemblyBegin(P, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(P, MAT_FINAL_ASSEMBLY));
}

}  // namespace gearshift::solid
