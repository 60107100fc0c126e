#pragma once

/// @file
/// A softer bulk for the coarsest levels of nearly incompressible bodies.

#include "solid/operator/operator.hpp"

#include <optional>

namespace gearshift::solid {

/// Whether lambda > most mu in a cell of this rank, once Maxwell branches have relaxed.
bool any_above(double most, const MaterialTable& material);

/// A tangent with lambda <= most mu for corner matrices. Laws whose tangent is computed from the parameters at each
/// product take other parameters; for those that keep the modulus of every point it is linearized once more.
class SoftBulk {
 public:
  /// @param material of the rank's cells; referenced. Collective.
  SoftBulk(const Operator& op, const MaterialTable& material, double most);

  /// Moves to the tangent at u, with these internal variables. Collective.
  void update(Vec u, const PointHistory& history);

  /// Empty: the tangent's own ones are soft enough.
  const LargeArray<double>& parameters() const { return parameters_; }
  /// The tangent of laws that keep moduli; nullptr: there are none.
  const PointData<double>* moduli() const { return moduli_ ? &*moduli_ : nullptr; }

 private:
  const Operator& op_;
  const MaterialTable& material_;
  double max_;
  LargeArray<double> parameters_;
  PetscReal rate_ = -1;  // that they are for
  std::optional<PointData<double>> moduli_;
};

}  // namespace gearshift::solid
