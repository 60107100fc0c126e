#include "solid/operator/term_sum.hpp"

#include "petsc/deferred.hpp"

namespace gearshift::solid {

TermSumTangent::TermSumTangent(const TermSum& terms) : terms_(terms) {
  for (const auto& term : terms.terms_)
    if (auto tangent = term->make_tangent()) tangents_.push_back(std::move(tangent));
}

void TermSumTangent::update(const State& x) {
  // What one of them throws waits until all have moved: products may follow all the same.
  petsc::Deferred all;
  for (const auto& tangent : tangents_) all.run([&] { tangent->update(x, terms_.load_factor()); });
  all.rethrow();
}

void TermSumTangent::add_apply(Shifts s, Vec in, Vec out, const Supports* held) const {
  for (const auto& tangent : tangents_) tangent->add_apply(s, in, out, held);
}

void TermSumTangent::add_diagonal(Shifts s, Vec d) const {
  for (const auto& tangent : tangents_) tangent->add_diagonal(s, d);
}

bool TermSumTangent::add_stiffness_derivative(Vec direction, Vec in, Vec out) const {
  return std::all_of(tangents_.begin(), tangents_.end(),
                     [&](const auto& tangent) { return tangent->add_stiffness_derivative(direction, in, out); });
}

TermSumLevel::TermSumLevel(const TermSum& terms, const Space& level) : space_(level) {
  for (const auto& term : terms.terms_)
    if (auto own = term->on(level)) terms_.push_back(std::move(own));
}

NodeBlocks TermSumLevel::blocks(Shifts s, const Supports& held) const {
  if (terms_.empty()) return {};
  NodeBlocks result(space_);
  for (const auto& term : terms_) term->add_blocks(s, result);
  result.gather(space_, held);
  return result;
}

}  // namespace gearshift::solid
