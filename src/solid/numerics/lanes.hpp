#pragma once

/// @file
/// Several cells side by side in one vector register. Every kernel translation unit is compiled with its own
/// GEARSHIFT_KERNELS namespace and GEARSHIFT_LANES, so that the linker never mixes code of different instruction sets.
/// The vectors are those of the compiler's language extension: the same source serves SSE2, AVX2, AVX-512 and NEON.

#ifndef GEARSHIFT_KERNELS
#define GEARSHIFT_KERNELS baseline
#endif
#ifndef GEARSHIFT_LANES
#define GEARSHIFT_LANES 2
#endif
#define GEARSHIFT_INLINE __attribute__((always_inline)) inline

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// One number for each of `Width` cells.
template <class T, int Width>
struct Pack {
  typedef T Register __attribute__((vector_size(sizeof(T) * Width)));
  using Scalar = T;
  static constexpr int width = Width;
  Register v;

  GEARSHIFT_INLINE Pack() = default;
  GEARSHIFT_INLINE Pack(double x) : v(Register{} + static_cast<T>(x)) {}
  GEARSHIFT_INLINE explicit Pack(Register x) : v(x) {}
  GEARSHIFT_INLINE static Pack load(const T* x) {
    Pack result;
    __builtin_memcpy(&result.v, x, sizeof(Register));
    return result;
  }
  /// Loads numbers of another precision.
  template <class U>
  GEARSHIFT_INLINE static Pack load(const U* x) {
    typename Pack<U, Width>::Register stored;
    __builtin_memcpy(&stored, x, sizeof stored);
    return Pack(__builtin_convertvector(stored, Register));
  }
  GEARSHIFT_INLINE void store(T* x) const { __builtin_memcpy(x, &v, sizeof(Register)); }
  template <class U>
  GEARSHIFT_INLINE void store(U* x) const {
    const auto stored = __builtin_convertvector(v, typename Pack<U, Width>::Register);
    __builtin_memcpy(x, &stored, sizeof stored);
  }
  GEARSHIFT_INLINE Pack& operator+=(const Pack& o) {
    v += o.v;
    return *this;
  }
  friend GEARSHIFT_INLINE Pack operator+(const Pack& a, const Pack& b) { return Pack(a.v + b.v); }
  friend GEARSHIFT_INLINE Pack operator-(const Pack& a, const Pack& b) { return Pack(a.v - b.v); }
  friend GEARSHIFT_INLINE Pack operator*(const Pack& a, const Pack& b) { return Pack(a.v * b.v); }
  friend GEARSHIFT_INLINE Pack operator/(const Pack& a, const Pack& b) { return Pack(a.v / b.v); }
  friend GEARSHIFT_INLINE Pack operator-(const Pack& a) { return Pack(-a.v); }
};

/// Evaluates a function of double packs for single precision: in double, on half of the lanes at a time, then rounded.
template <int W, class Function>
GEARSHIFT_INLINE Pack<float, W> in_double(const Pack<float, W>& x, Function&& function) {
  float numbers[W];
  x.store(numbers);
  for (int half = 0; half < W; half += W / 2) function(Pack<double, W / 2>::load(numbers + half)).store(numbers + half);
  return Pack<float, W>::load(numbers);
}

/// Calls f(I), ..., f(Count - 1), unrolled.
template <int I, int Count, class F>
GEARSHIFT_INLINE void unrolled(F&& f) {
  if constexpr (I < Count) {
    f(I);
    unrolled<I + 1, Count>(f);
  }
}

constexpr int lanes = GEARSHIFT_LANES;
using Lanes = Pack<double, lanes>;
/// The number of lanes for numbers of half the size.
constexpr int single_lanes = 2 * lanes;
using SingleLanes = Pack<float, single_lanes>;

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
