/// Products and sweeps with a symmetric matrix of blocks of six. Compiled once for each instruction set, like
/// kernels.cpp.

#include "solid/kernels/block_table.hpp"
#include "solid/numerics/lanes.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

constexpr int six = 6, width = 8;

template <class T>
T sum_of_six(const Pack<T, width>& values) {
  T row[width];
  values.store(row);
  return ((row[0] + row[1]) + (row[2] + row[3])) + (row[4] + row[5]);
}

/// Computes y = A x, see MultiplyBlocks. With a block A_ab, y_b += A_ab' x_a adds up its rows, and y_a += A_ab x_b
/// multiplies all rows by x_b at once: sums over the entries of a row are postponed until the row of blocks is
/// finished. The two lanes beyond six hold meaningless numbers.
template <class T>
void multiply_blocks(int rows, const unsigned long* begins, const int* columns, const T* blocks, const T* x, T* y) {
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
    for (int l = 0; l < six; ++l) to[l] += sum_of_six(sums[l]);
  }
}

/// Blocks of vectors of doubles.
using Six = Pack<double, width>;

/// Returns A' x of one block A: its rows times the entries of x.
Six add_up_rows(const double* block, const double* x) {
  Six even = Six::load(block) * Six(x[0]), odd = Six::load(block + six) * Six(x[1]);
  for (int l = 2; l < six; l += 2) {
    even += Six::load(block + six * l) * Six(x[l]);
    odd += Six::load(block + six * (l + 1)) * Six(x[l + 1]);
  }
  return even + odd;
}

/// See SolveBlocks: one pass down the rows with the blocks to the left of the diagonal (the transposes of those to the
/// right), and one pass up. The entries of a block of x beyond six are 0 once its row is done.
void solve_blocks(int rows, const unsigned long* begins, const int* columns, const double* blocks,
                  const double* inverses, double* x) {
  const auto at = [x](int a) { return x + static_cast<long>(width) * a; };
  const auto inverse = [inverses](int a) { return inverses + static_cast<long>(six * six) * a; };
  const auto put = [](const Six& values, double* to) {
    values.store(to);
    to[six] = to[six + 1] = 0;
  };
  for (int a = 0; a < rows; ++a) {
    double* const mine = at(a);
    put(add_up_rows(inverse(a), mine), mine);
    for (unsigned long k = begins[a]; k < begins[a + 1]; ++k) {
      const int b = columns[k];
      if (b == a || b >= rows) continue;
      (Six::load(at(b)) - add_up_rows(blocks + six * six * k, mine)).store(at(b));
    }
  }
  for (int a = rows - 1; a >= 0; --a) {
    Six sums[six] = {};
    for (unsigned long k = begins[a]; k < begins[a + 1]; ++k) {
      const int b = columns[k];
      if (b == a || b >= rows) continue;
      const Six other = Six::load(at(b));
      for (int l = 0; l < six; ++l) sums[l] += Six::load(blocks + six * six * k + six * l) * other;
    }
    double row[six];
    for (int l = 0; l < six; ++l) row[l] = sum_of_six(sums[l]);
    put(Six::load(at(a)) - add_up_rows(inverse(a), row), at(a));
  }
}

extern const BlockKernels block_table;
const BlockKernels block_table{multiply_blocks<double>, multiply_blocks<float>, solve_blocks};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
