#include "solid/operator/term/term_sum.hpp"

#include "petsc/ranks/deferred.hpp"

namespace gearshift::solid {

TermSumTangent::TermSumTangent(const TermSum& terms) : terms_(terms) {
  for (const auto& term : terms.terms_)
    if (auto tangent = term->make_tangent()) tangents_.push_back(std::move(tangent));
}

void TermSum::add_residual(const State& x, Vec r, const PetscReal* ghosts) {
  TermPoint point(*space_, x, load_factor_, ghosts, storage_);
  SharedSum sum(*space_, r, storage_.out);
  for (const auto& term : terms_) term->add_residual(point, sum);
  sum.finish();
}

std::vector<std::string> TermSum::faces() const {
  std::vector<std::string> all;
  for (const auto& term : terms_)
    for (std::string& face : term->faces())
      if (std::find(all.begin(), all.end(), face) == all.end()) all.push_back(std::move(face));
  return all;
}

void TermSum::add_residual_on(const std::string& face, const State& x, Vec r) {
  TermPoint point(*space_, x, load_factor_, nullptr, storage_);
  SharedSum sum(*space_, r, storage_.out);
  for (const auto& term : terms_) {
    const auto faces = term->faces();
    if (std::find(faces.begin(), faces.end(), face) != faces.end()) term->add_residual_on(face, point, sum);
  }
  sum.finish();
}

void TermSum::add_energy(const State& x, Energy& energy, const PetscReal* ghosts) {
  TermPoint point(*space_, x, load_factor_, ghosts, storage_);
  for (const auto& term : terms_) term->add_energy(point, energy);
}

void TermSum::add_momentum(const State& x, Vec p) {
  TermPoint point(*space_, x, load_factor_, nullptr, storage_);
  SharedSum sum(*space_, p, storage_.out);
  for (const auto& term : terms_) term->add_momentum(point, sum);
  sum.finish();
}

void TermSumTangent::update(const State& x, const PetscReal* ghosts) {
  TermPoint point(*terms_.space_, x, terms_.load_factor(), ghosts, storage_);
  // Exceptions are rethrown only after all tangents are updated, since products may follow an exception.
  petsc::Deferred all;
  for (const auto& tangent : tangents_) all.run([&] { tangent->update(point); });
  all.rethrow();
}

void TermSumTangent::add_apply(Shifts s, Vec in, Vec out, const PetscReal* ghosts) {
  TermProduct product(*terms_.space_, s, in, out, ghosts, storage_);
  for (const auto& tangent : tangents_) tangent->add_apply(product);
  product.finish();
}

void TermSumTangent::add_diagonal(Shifts s, Vec d) {
  if (tangents_.empty()) return;
  NodalSum sum(*terms_.space_, d, storage_.out);
  for (const auto& tangent : tangents_) tangent->add_diagonal(s, sum);
  sum.finish();
}

bool TermSumTangent::add_stiffness_derivative(Vec direction, Vec in, Vec out) {
  if (tangents_.empty()) return true;
  const Space& space = *terms_.space_;
  const NodalValues along(space, direction, nullptr, storage_.q), of(space, in, nullptr, storage_.v);
  NodalSum sum(space, out, storage_.out);
  const bool all = std::all_of(tangents_.begin(), tangents_.end(),
                               [&](const auto& tangent) { return tangent->add_stiffness_derivative(along, of, sum); });
  sum.finish();
  return all;
}

TermSumLevel::TermSumLevel(const TermSum& terms, const Space& level) : space_(level) {
  for (const auto& term : terms.terms_)
    if (auto own = term->on(level)) terms_.push_back(std::move(own));
}

NodeBlocks TermSumLevel::blocks(Shifts s, const Constraints& constraints, bool lumped) const {
  if (terms_.empty()) return {};
  NodeBlocks result(space_);
  for (const auto& term : terms_) term->add_blocks(s, result);
  if (lumped)
    for (const NodeCouplings& own : couplings(s)) own.add_to(result);
  result.gather(space_, constraints);
  return result;
}

std::vector<NodeCouplings> TermSumLevel::couplings(Shifts s) const {
  std::vector<NodeCouplings> all;
  for (const auto& term : terms_) term->add_couplings(s, all);
  return all;
}

}  // namespace gearshift::solid
