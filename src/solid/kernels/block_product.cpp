/// Products with a symmetric matrix of blocks of six. Compiled once for each instruction set, as kernels.cpp is.

#include "solid/kernels/block_table.hpp"
#include "solid/numerics/lanes.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// y = A x, see MultiplyBlocks. With a block A_ab, y_b += A_ab' x_a adds up its rows, and y_a += A_ab x_b multiplies all of
/// them with x_b at once: sums over the entries of a row wait until the row of blocks is finished. The two lanes beyond
/// six hold what does not matter.
template <class T>
void multiply_blocks(int rows, const unsigned long* begins, const int* columns, const T* blocks, const T* x, T* y) {
  constexpr int six = 6, width = 8;
  using Row = Pack<T, width>;
  for (long i = 0; i < static_cast<long>(width) * rows; ++i) y[i] = 0;
  for (int a = 0; a < rows; ++a) {
    const T* const mine = x + static_cast<long>(width) * a;
    Row sums[six] = {};
    for (unsigned long k = begins[a]; k < begins[a + 1]; ++k) {
      const T* const block = blocks + six * six * k;
      const int b = columns[k];
      const Row other = Row::load(x + static_cast<long>(width) * b);
      if (b == a || b >= rows) {
        for (int l = 0; l < six; ++l) sums[l] += Row::load(block + six * l) * other;
        continue;
      }
      T* const to = y + static_cast<long>(width) * b;
      Row even = Row::load(to), odd = {};
      for (int l = 0; l < six; l += 2) {
        const Row first = Row::load(block + six * l), second = Row::load(block + six * (l + 1));
        sums[l] += first * other;
        sums[l + 1] += second * other;
        even += first * Row(static_cast<double>(mine[l]));
        odd += second * Row(static_cast<double>(mine[l + 1]));
      }
      even += odd;
      even.store(to);
    }
    T* const to = y + static_cast<long>(width) * a;
    for (int l = 0; l < six; ++l) {
      T row[width];
      sums[l].store(row);
      to[l] += ((row[0] + row[1]) + (row[2] + row[3])) + (row[4] + row[5]);
    }
  }
}

extern const BlockKernels block_table;
const BlockKernels block_table{multiply_blocks<double>, multiply_blocks<float>};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
