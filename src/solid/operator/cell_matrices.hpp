#pragma once

/// @file
/// The entries of a tangent, cell by cell. No function is collective.

#include "solid/operator/operator.hpp"

#include <functional>
#include <span>
#include <vector>

namespace gearshift::solid {

/// Calls add(cell, matrix of the corners, row-major, row 3 corner + component) with the restriction of sq K + sa M of
/// every cell to degree 1. Other law parameters and, for laws that store moduli, other moduli are used if they are
/// given.
template <class Add>
void visit_corner_matrices(const Operator& op, const PointData<double>& points, PetscReal sq, PetscReal sa,
                           const LargeArray<double>& parameters, const PointData<double>* moduli, Add&& add) {
  const BatchArrays<double>& arrays = op.loop().arrays();
  const auto width = static_cast<std::size_t>(arrays.lanes());
  std::vector<double> batch, matrix;
  for (int b = 0; b < arrays.count(); ++b) {
    Batches<double> view = arrays.view(b);
    if (!parameters.empty()) view.parameters = parameters.data();
    const auto rows = 3 * static_cast<std::size_t>(op.space().element(arrays.cell(b, 0)).vertices());
    batch.resize(rows * rows * width);
    matrix.resize(rows * rows);
    (moduli && arrays.keeps_modulus(b) ? *moduli : points).corner_matrix(view, sq, sa, b, batch.data());
    for (int l = 0; l < arrays.used(b); ++l) {
      for (std::size_t e = 0; e < matrix.size(); ++e) matrix[e] = batch[e * width + static_cast<std::size_t>(l)];
      add(arrays.cell(b, l), matrix.data());
    }
  }
}

/// Calls add(cell, matrix of all nodes, row-major, row 3 node + component) with sq K + sa M of every cell, computed by
/// one product per column.
using AddMatrix = std::function<void(PetscInt cell, double* matrix)>;
void visit_cell_matrices(const Operator& op, const PointData<double>& points, PetscReal sq, PetscReal sa,
                         const AddMatrix& add);

/// Calls add(cell, products, [row][column]) with sq K + sa M of every cell times the columns that set(cell, columns)
/// has written, also [row][column], by one product for each nonzero column. Parameters and moduli are those of
/// visit_corner_matrices(); Operator::bulk() is not included.
using SetColumns = std::function<void(PetscInt cell, std::vector<double>& columns)>;
using AddProducts = std::function<void(PetscInt cell, std::span<const double> products)>;
void visit_cell_products(const Operator& op, const PointData<double>& points, PetscReal sq, PetscReal sa,
                         const LargeArray<double>& parameters, const PointData<double>* moduli, const SetColumns& set,
                         const AddProducts& add);

}  // namespace gearshift::solid
