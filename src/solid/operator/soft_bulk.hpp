#pragma once

/// @file
/// A reduced bulk modulus for the coarsest levels of nearly incompressible bodies.

#include "solid/operator/operator.hpp"

#include <optional>

namespace gearshift::solid {

/// Returns true if lambda > most mu in a cell of this rank after Maxwell branches have relaxed.
bool any_above(double most, const MaterialTable& material);

/// A tangent with lambda <= most mu for corner matrices. Laws whose tangent is computed from the parameters at each
/// product get other parameters; for laws that store the modulus of every point, the tangent is linearized a second
/// time.
class SoftBulk {
 public:
  /// @param material the materials of the rank's cells; referenced. Collective.
  SoftBulk(const Operator& op, const MaterialTable& material, double most);

  /// Sets the tangent at u, with these internal variables. Collective.
  void update(Vec u, const PointHistory& history);

  /// Returns the reduced parameters; empty if the tangent's parameters are soft enough.
  const LargeArray<double>& parameters() const { return parameters_; }
  /// Returns the tangent of laws that store moduli; nullptr if there are none.
  const PointData<double>* moduli() const { return moduli_ ? &*moduli_ : nullptr; }

 private:
  /// Computes parameters_ for internal variables of that rate.
  void find_parameters(PetscReal rate);

  const Operator& op_;
  const MaterialTable& material_;
  double max_;
  LargeArray<double> parameters_;
  PetscReal rate_ = -1;  // for which parameters_ were computed
  std::optional<PointData<double>> moduli_;
};

}  // namespace gearshift::solid
