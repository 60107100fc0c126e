#pragma once

/// @file
/// A level of multigrid whose tangent is never assembled.

#include "solid/multigrid/level_space.hpp"
#include "solid/operator/level_operator.hpp"
#include "solid/operator/operator.hpp"
#include "solid/operator/term_sum.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace gearshift::solid {

/// What has become of levels in single precision whose cycles gave no number.
struct LevelRepairs {
  int rebuilt = 0;         ///< times at the point that the tangent stood at
  bool in_double = false;  ///< which did not help: levels are in double precision for good
};

/// The body that a hierarchy is built for, as its finest level. All of it must outlive the hierarchy.
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

  /// Takes the tangent at u, as LevelOperator does, with what terms add to it.
  void update(const T* u, Shifts s, const PointHistory& history) {
    if (history.store && !store) store.emplace(own.space(), material);
    if (store && history.store) store->take_means(*history.store, history.base, base);
    op.update(u, s, history.rate, base.data());
    op.set_blocks(terms.blocks(s, own.constraints()));
  }

  LevelSpace own;
  TermSumLevel terms;
  LevelOperator<T> op;
  const MaterialTable& material;
  // Of bodies that follow a path:
  std::optional<QuadratureStore> store;
  std::vector<double> base;
};

}  // namespace gearshift::solid
