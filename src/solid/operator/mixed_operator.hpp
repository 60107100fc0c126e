#pragma once

/// @file
/// Products of an Operator with a separate pressure field, Operator::bulk(). Every function is collective.

#include "solid/operator/operator.hpp"

#include <vector>

namespace gearshift::solid {

/// Computes the pressures after a step from the state of the point data, to first order.
void pressures_after(const Operator& op, Vec step, PointData<double>& points, std::vector<double>& pressures);

/// Computes out = (sq K + sa M) in with the soft part of the bulk, and adds the pressures: out += sq int p de/dF : grad
/// phi; sq must not be 0. Computes rows as in BulkPressure::finish_rows(). `pressures` and `rows` have the size BulkPressure::size().
void apply_mixed(const Operator& op, const PointData<double>& points, PetscReal sq, PetscReal sa, Vec in,
                 const double* pressures, Vec out, double* rows);

/// Computes out = sq int p de/dF : grad phi.
void push_pressures(const Operator& op, const PointData<double>& points, PetscReal sq, const double* pressures,
                    Vec out);

}  // namespace gearshift::solid
