#pragma once

/// @file
/// The interface to products and sweeps with matrices of blocks of six.

#include "solid/kernels/table.hpp"

#include <type_traits>

namespace gearshift::solid {

/// y = A x with a symmetric matrix A of blocks of six, row by row. Only one half is stored: row a has the blocks
/// begins[a] to begins[a + 1], whose columns are a or higher. Columns from `rows` on belong to other ranks; x includes
/// them and y does not. A block of x and y begins at eight times its number; its last two entries are 0 in x and
/// meaningless in y. Two numbers beyond the last block of A are read.
template <class T>
using MultiplyBlocks = void (*)(int rows, const unsigned long* begins, const int* columns, const T* blocks, const T* x,
                                T* y);

/// x = (E + U)^-1 E (E + U')^-1 x with the blocks U to the right of the diagonal of such a matrix, without other ranks'
/// columns, and blocks E on the diagonal. Their symmetric inverses, row by row, are stored in order; two
/// numbers beyond the last are read. Blocks of x are laid out as above.
using SolveBlocks = void (*)(int rows, const unsigned long* begins, const int* columns, const double* blocks,
                             const double* inverses, double* x);

struct BlockKernels {
  MultiplyBlocks<double> in_double;
  MultiplyBlocks<float> in_float;
  SolveBlocks solve;

  template <class T>
  MultiplyBlocks<T> multiply() const {
    if constexpr (std::is_same_v<T, float>)
      return in_float;
    else
      return in_double;
  }
};

/// Returns the kernels of the same instruction set.
const BlockKernels& block_kernels(const Kernels& kernels);

}  // namespace gearshift::solid
