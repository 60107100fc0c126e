#pragma once

/// @file
/// A multigrid level whose tangent is never assembled.

#include <gearshift/dynamics/archive.hpp>

#include "solid/multigrid/level_space.hpp"
#include "solid/operator/level_operator.hpp"
#include "solid/operator/operator.hpp"
#include "solid/operator/term/term_sum.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace gearshift::solid {

/// The repairs of levels in single precision whose cycles returned NaN, infinity or only zeros.
struct LevelRepairs {
  int rebuilt = 0;         ///< how often they were rebuilt at the tangent's current point: once at most
  bool in_double = false;  ///< rebuilding did not help: levels are in double precision permanently
  int loaded = 0;          ///< how often a loaded state had levels of the other precision

  void archive(Archive& state);
};

/// The body for which a hierarchy is built, as its finest level. All members must outlive the hierarchy.
struct FinestLevel {
  const Mesh& mesh;
  const Operator& op;
  const TermSum& terms;
  const Supports& supports;
  const MaterialTable& material;
  const KernelOptions& kernels;
  LevelRepairs& repairs;
};

/// The body at one degree, with arrays and arithmetic in the precision T. Functions are collective.
template <class T>
struct Level {
  Level(LevelSpace on, const FinestLevel& body)
      : own(std::move(on)),
        terms(body.terms, own.space()),
        op(own.space(), own.constraints(), body.material, body.kernels),
        material(body.material) {}

  /// Sets the tangent at u like LevelOperator::update(), and adds the contributions of the terms.
  void update(const T* u, Shifts s, const PointHistory& history) {
    if (history.store && !store) store.emplace(own.space(), material);
    if (store && history.store) store->take_means(*history.store, history.base, base);
    op.update(u, s, history.rate, base.data());
    op.set_blocks(terms.blocks(s, own.constraints()));
    op.set_couplings(terms.couplings(s));
  }

  LevelSpace own;
  TermSumLevel terms;
  LevelOperator<T> op;
  const MaterialTable& material;
  // For bodies that depend on the strain path:
  std::optional<QuadratureStore> store;
  std::vector<double> base;
};

}  // namespace gearshift::solid
