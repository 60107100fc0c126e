#pragma once

/// @file
/// The sum of all terms of a body in addition to elasticity and inertia.

#include "solid/operator/term/term.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gearshift::solid {

class TermSum;

// The ghost values of x.q or `in` may be passed if an exchange has already fetched them; nullptr: not known.

/// The derivatives of all terms at one point.
class TermSumTangent {
 public:
  explicit TermSumTangent(const TermSum& terms);
  const TermSum& terms() const { return terms_; }
  void update(const State& x, const PetscReal* ghosts = nullptr);
  void give_to_levels() {
    for (const auto& tangent : tangents_) tangent->give_to_levels();
  }
  void add_apply(Shifts s, Vec in, Vec out, const PetscReal* ghosts = nullptr);
  void add_diagonal(Shifts s, Vec d);
  bool add_stiffness_derivative(Vec direction, Vec in, Vec out);

 private:
  const TermSum& terms_;
  TermStorage storage_;
  std::vector<std::unique_ptr<TermTangent>> tangents_;
};

/// The contributions of the terms to one multigrid level.
class TermSumLevel {
 public:
  TermSumLevel(const TermSum& terms, const Space& level);
  /// Return C' B C of the terms' blocks B; with those of the couplings, for matrices whose entries are those of the
  /// cells. Collective.
  NodeBlocks blocks(Shifts s, const Constraints& constraints) const { return blocks(s, constraints, false); }
  NodeBlocks lumped_blocks(Shifts s, const Constraints& constraints) const { return blocks(s, constraints, true); }
  /// Returns the stiffness between nodes that no cell joins, a sum. Collective.
  std::vector<NodeCouplings> couplings(Shifts s) const;

 private:
  NodeBlocks blocks(Shifts s, const Constraints& constraints, bool lumped) const;

  const Space& space_;
  std::vector<std::unique_ptr<LevelTerm>> terms_;
};

/// The terms, and the load factor.
class TermSum {
 public:
  explicit TermSum(const Space& space) : space_(&space) {}
  void add(std::unique_ptr<Term> term) { terms_.push_back(std::move(term)); }
  void set_load_factor(PetscReal factor) { load_factor_ = factor; }
  PetscReal load_factor() const { return load_factor_; }
  bool empty() const { return terms_.empty(); }

  void add_residual(const State& x, Vec r, const PetscReal* ghosts = nullptr);
  void add_energy(const State& x, Energy& energy, const PetscReal* ghosts = nullptr);
  /// Adds the momenta of the terms to p.
  void add_momentum(const State& x, Vec p);
  /// Returns the faces on which terms act, each once.
  std::vector<std::string> faces() const;
  /// Adds to r the part of the residual that acts on one of these faces.
  void add_residual_on(const std::string& face, const State& x, Vec r);
  bool any_steady() const {
    return std::any_of(terms_.begin(), terms_.end(), [](const auto& term) { return term->steady(); });
  }
  /// Returns the time histories of all terms.
  std::vector<TimeHistory> time_histories() const {
    std::vector<TimeHistory> all;
    for (const auto& term : terms_) {
      auto own = term->time_histories();
      std::move(own.begin(), own.end(), std::back_inserter(all));
    }
    return all;
  }
  /// Returns the terms of one kind.
  template <class Kind>
  std::vector<Kind*> all_of() const {
    std::vector<Kind*> found;
    for (const auto& term : terms_)
      if (auto* own = dynamic_cast<Kind*>(term.get())) found.push_back(own);
    return found;
  }
  double bytes() const {
    return sum([](const Term& term) { return term.bytes() + term.tangent_bytes(); });
  }
  double level_bytes(int degree) const {
    return sum([&](const Term& term) { return term.level_bytes(degree); });
  }
  bool symmetric() const {
    return std::all_of(terms_.begin(), terms_.end(), [](const auto& term) { return term->symmetric(); });
  }

 private:
  friend class TermSumTangent;
  friend class TermSumLevel;
  template <class Of>
  double sum(Of&& of) const {
    double result = 0;
    for (const auto& term : terms_) result += of(*term);
    return result;
  }
  const Space* space_;
  std::vector<std::unique_ptr<Term>> terms_;
  TermStorage storage_;
  PetscReal load_factor_ = 1;
};

}  // namespace gearshift::solid
