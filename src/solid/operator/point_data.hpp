#pragma once

/// @file
/// The tangent at quadrature points.

#include "solid/operator/choose_kernels.hpp"
#include "solid/operator/large_array.hpp"

#include <cstddef>
#include <type_traits>
#include <vector>

namespace gearshift::solid {

/// The data that products with the tangent need at every quadrature point of some batches, in the precision T of their
/// vectors, or ("lean") in single precision for products in double. The data of inner and edge batches are stored in
/// one array.
template <class T>
class PointData {
 public:
  /// @param size number of values of all batches: BatchArrays::point_data_size()
  /// @param bulk, pressures the same numbers of BulkPressure
  PointData(const Kernels& kernels, std::size_t size, bool lean, std::size_t bulk = 0, std::size_t pressures = 0)
      : kernels_(kernels), lean_(std::is_same_v<T, double> && lean), bulk_(bulk), pressures_(pressures, 0.0) {
    lean_ ? lean_numbers_.resize(size) : numbers_.resize(size);
  }

  /// Computes the point data of the tangent at u.
  void linearize(const Batches<T>& b, Range range, const T* u, Inversion* found) {
    use(*this, [&](const auto& kernels, auto* numbers) { kernels.linearize(b, range, u, numbers, found); });
  }
  /// Computes out += (sq K + sa M) in, after clearing the entries that these batches are the first to write.
  void apply(const Batches<T>& b, Range range, double sq, double sa, const T* in, T* out) const {
    use(*this, [&](const auto& kernels, const auto* numbers) { kernels.apply(b, range, numbers, sq, sa, in, out); });
  }
  /// The same for cells with a separate pressure, see BulkKernels::apply; sq must not be 0.
  void apply(const Batches<double>& b, Range range, const BulkCells& cells, double sq, double sa, const double* in,
             const double* pressures, double* out, double* caused) const requires std::is_same_v<T, double> {
    if (lean_)
      kernels_.bulk.lean_apply(b, range, cells, lean_numbers_.data(), bulk(), sq, sa, in, pressures, out, caused);
    else
      kernels_.bulk.apply(b, range, cells, numbers_.data(), bulk(), sq, sa, in, pressures, out, caused);
  }
  /// Computes out += diag(sq K + sa M), after clearing as in apply().
  void diagonal(const Batches<T>& b, Range range, double sq, double sa, T* out) const {
    use(*this, [&](const auto& kernels, const auto* numbers) { kernels.diagonal(b, range, numbers, sq, sa, out); });
  }
  double* bulk() { return bulk_.data(); }
  std::vector<double>& pressures() { return pressures_; }
  const double* bulk() const { return bulk_.data(); }
  /// Computes the corner matrix of a batch, see CornerMatrix.
  void corner_matrix(const Batches<T>& b, double sq, double sa, int batch,
                     double* matrix) const requires std::is_same_v<T, double> {
    lean_ ? kernels_.lean_corner_matrix(b, lean_numbers_.data(), sq, sa, batch, matrix)
          : kernels_.corner_matrix(b, numbers_.data(), sq, sa, batch, matrix);
  }

 private:
  template <class Self, class Use>
  static void use(Self& self, Use&& with) {
    if constexpr (std::is_same_v<T, double>)
      if (self.lean_) return with(self.kernels_.lean_tangent, self.lean_numbers_.data());
    with(in_precision<T>(self.kernels_).tangent, self.numbers_.data());
  }

  const Kernels& kernels_;
  bool lean_;
  LargeArray<T> numbers_;
  LargeArray<float> lean_numbers_;
  LargeArray<double> bulk_;
  std::vector<double> pressures_;
};

}  // namespace gearshift::solid
