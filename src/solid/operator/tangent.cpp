#include "solid/operator/tangent.hpp"

#include <gearshift/petsc/views.hpp>

#include "petsc/log.hpp"
#include "solid/element/vectors.hpp"

#include <algorithm>

namespace gearshift::solid {

using petsc::check;

Tangent::Tangent(const Operator& op, const TermSum& terms, const Supports& supports, const RotatingFrame* frame)
    : op_(op), space_(op.space()), supports_(supports), points_(op.make_point_data()), terms_(terms), frame_(frame) {
  check(VecDuplicate(space_.layout(), displacement_.out()));
  if (!frame_) return;
  for (auto* work : {&frame_in_, &frame_out_}) check(VecDuplicate(space_.layout(), work->out()));
}

void Tangent::update(const State& x) { linearize(x, nullptr); }

void Tangent::follow(const State& x) {
  if (!op_.bulk()) return update(x);
  check(VecAYPX(displacement_.get(), -1, x.q));
  op_.pressures_after(displacement_.get(), points_, pressures_);
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

/// The vector with its dependent entries: a copy, until the next call.
Vec Tangent::completed(Vec in, bool free) {
  if (!completed_) check(VecDuplicate(space_.layout(), completed_.out()));
  check(VecCopy(in, completed_.get()));
  const petsc::WriteView values(completed_.get());
  for (const PetscInt entry : supports_.entries())
    if (free) values[static_cast<std::size_t>(entry)] = 0;
  supports_.dependent().complete(values.span().data());
  return completed_.get();
}

/// C' out, and `in` in what supports hold where it is given.
void Tangent::fold(Vec out, Vec in) const {
  const petsc::WriteView values(out);
  supports_.dependent().fold(values.span().data());
  if (!in) return;
  const petsc::ReadView held(in);
  for (const PetscInt entry : supports_.entries())
    values[static_cast<std::size_t>(entry)] = held[static_cast<std::size_t>(entry)];
}

void Tangent::apply(Shifts s, Vec in, Vec out) {
  const petsc::ScopedEvent event(petsc::Event::tangent);
  if (supports_.depend()) {
    apply_all(s, completed(in, false), out);
    return fold(out, nullptr);
  }
  apply_all(s, in, out);
}

void Tangent::apply_all(Shifts s, Vec in, Vec out) {
  op_.apply(points_, s.q, s.a, Rows::all, in, out);
  terms_.add_apply(s, in, out, nullptr, op_.ghosts());
  add_frame(s, in, out, nullptr);
}

bool Tangent::apply_free(Shifts s, Vec in, Vec out) {
  const petsc::ScopedEvent event(petsc::Event::tangent);
  if (supports_.depend()) {
    apply_all(s, completed(in, true), out);
    fold(out, in);
    return true;
  }
  op_.apply(points_, s.q, s.a, Rows::free, in, out);
  terms_.add_apply(s, in, out, &supports_, op_.ghosts());
  add_frame(s, in, out, &supports_);
  return true;
}

void Tangent::add_frame(Shifts s, Vec in, Vec out, const Supports* held) {
  if (!frame_ || (s.q == 0 && s.v == 0)) return;
  const auto hold = [held](Vec x) {
    if (!held) return;
    const petsc::WriteView values(x);
    for (const PetscInt entry : held->entries()) values[static_cast<std::size_t>(entry)] = 0;
  };
  check(VecCopy(in, frame_out_.get()));
  hold(frame_out_.get());
  frame_->tangent(spin_, s.q * terms_.terms().load_factor(), s.v, frame_out_.get(), frame_in_.get());
  op_.apply_mass(frame_in_.get(), frame_out_.get());
  terms_.add_apply({0, 0, 1}, frame_in_.get(), frame_out_.get(), nullptr);
  hold(frame_out_.get());
  check(VecAXPY(out, 1, frame_out_.get()));
}

bool Tangent::diagonal(Shifts s, Vec d) {
  if (op_.bulk()) return false;
  add_up_diagonal(s, d);
  if (!supports_.depend()) return true;
  const petsc::WriteView values(d);
  supports_.dependent().fold_diagonal(values.span().data());
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
  if (!op_.has_derivative()) return false;
  if (op_.bulk()) return false;
  const bool depend = supports_.depend();
  if (depend) {
    if (!completed_direction_) check(VecDuplicate(space_.layout(), completed_direction_.out()));
    check(VecCopy(completed(direction, false), completed_direction_.get()));
    direction = completed_direction_.get();
    in = completed(in, false);
  }
  op_.derivative(displacement_.get(), internal_.rate, direction, in, out);
  const bool known = terms_.add_stiffness_derivative(direction, in, out);
  if (depend) fold(out, nullptr);
  return known;
}

void Tangent::apply_mixed(Shifts s, Vec in, const double* pressures, Vec out, double* rows) {
  const petsc::ScopedEvent event(petsc::Event::tangent);
  if (supports_.depend()) {
    const Vec all = completed(in, true);
    op_.apply_mixed(points_, s.q, s.a, Rows::all, all, pressures, out, rows);
    terms_.add_apply(s, all, out, nullptr, op_.ghosts());
    add_frame(s, all, out, nullptr);
    return fold(out, in);
  }
  op_.apply_mixed(points_, s.q, s.a, Rows::free, in, pressures, out, rows);
  terms_.add_apply(s, in, out, &supports_, op_.ghosts());
  add_frame(s, in, out, &supports_);
}

void Tangent::pressure_forces(Shifts s, const double* pressures, Vec out) const {
  op_.pressure_forces(points_, s.q, pressures, out);
}

bool Tangent::assemble(Shifts s, Mat P) {
  if (!assembled_) {
    assembled_ = std::make_unique<NodeMatrixSum>(space_);
    assembled_terms_ = std::make_unique<TermSumLevel>(terms_.terms(), space_);
  }
  const NodeBlocks blocks = assembled_terms_->blocks(s, supports_);
  if (space_.degree() == 1 && !op_.bulk())
    assemble_corners(s, *assembled_, blocks, supports_, P);
  else
    assemble_into(*assembled_, blocks, supports_, P,
                  [&](const Operator::AddMatrix& add) { op_.cell_matrices(points_, s.q, s.a, add); });
  return true;
}

void Tangent::assemble_corners(Shifts s, NodeMatrixSum& sum, const NodeBlocks& blocks, const Supports& held,
                               Mat P) const {
  assemble_into(sum, blocks, held, P, [&](auto&& add) { op_.corner_matrices(points_, s.q, s.a, {}, nullptr, add); });
}

template <class Visit>
void Tangent::assemble_into(NodeMatrixSum& sum, const NodeBlocks& blocks, const Supports& held, Mat P,
                            Visit&& visit) const {
  const Space& space = sum.space();
  check(MatZeroEntries(P));
  visit([&](PetscInt cell, double* matrix) {
    const auto nodes = space.cell_nodes(cell);
    const std::size_t rows = 3 * nodes.size();
    if (held.depend())
      for (std::size_t row = 0; row < rows; ++row)
        if (const DependentEntry* d = held.dependent().find(3 * static_cast<std::size_t>(nodes[row / 3]) + row % 3))
          DependentEntries::fold_matrix(*d, matrix, rows, row - row % 3);
    for (std::size_t row = 0; row < rows; ++row)
      if (held.held(3 * static_cast<std::size_t>(nodes[row / 3]) + row % 3))
        for (std::size_t other = 0; other < rows; ++other) matrix[rows * row + other] = matrix[rows * other + row] = 0;
    sum.add(cell, matrix, P);
  });
  sum.finish(P);
  for (std::size_t i = 0; i < blocks.count(); ++i) {
    const PetscInt row = space.first_node() + blocks.node(i);
    const auto values = whole(blocks.block(i));
    check(MatSetValuesBlocked(P, 1, &row, 1, &row, values.data(), ADD_VALUES));
  }
  for (const PetscInt entry : held.entries()) {
    const PetscInt row = 3 * space.first_node() + entry;
    check(MatSetValue(P, row, row, 1.0, ADD_VALUES));
  }
  check(MatAssemblyBegin(P, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(P, MAT_FINAL_ASSEMBLY));
}

}  // namespace gearshift::solid
