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

void Tangent::apply(Shifts s, Vec in, Vec out) {
  const petsc::ScopedEvent event(petsc::Event::tangent);
  op_.apply(points_, s.q, s.a, Rows::all, in, out);
  terms_.add_apply(s, in, out, nullptr, op_.ghosts());
  add_frame(s, in, out, nullptr);
}

bool Tangent::apply_free(Shifts s, Vec in, Vec out) {
  const petsc::ScopedEvent event(petsc::Event::tangent);
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
  op_.diagonal(points_, s.q, s.a, d);
  terms_.add_diagonal(s, d);
  if (!frame_ || s.q == 0) return true;
  op_.diagonal(points_, 0, 1, frame_out_.get());
  terms_.add_diagonal({0, 0, 1}, frame_out_.get());
  const Vec3 factors = (s.q * terms_.terms().load_factor()) * RotatingFrame::diagonal(spin_);
  const petsc::ReadView masses(frame_out_.get());
  const petsc::WriteView values(d);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += factors[i % 3] * masses[i];
  return true;
}

bool Tangent::apply_stiffness_derivative(Vec direction, Vec in, Vec out) {
  if (!op_.has_derivative()) return false;
  if (op_.bulk()) return false;
  op_.derivative(displacement_.get(), internal_.rate, direction, in, out);
  return terms_.add_stiffness_derivative(direction, in, out);
}

void Tangent::apply_mixed(Shifts s, Vec in, const double* pressures, Vec out, double* rows) {
  const petsc::ScopedEvent event(petsc::Event::tangent);
  op_.apply_mixed(points_, s.q, s.a, in, pressures, out, rows);
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
