#pragma once

/// @file
/// Transfers between vectors of nodes, with three components side by side, and packs of one component each. Loads and
/// stores never access more than a node's own numbers, so that a node that has just been written can be read again
/// without delay, and no vector needs padding.

#include "solid/numerics/lanes.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

template <class T>
using Two = typename Pack<T, 2>::Register;

template <class T>
GEARSHIFT_INLINE Two<T> load_two(const T* x) {
  Two<T> result;
  __builtin_memcpy(&result, x, sizeof result);
  return result;
}
template <class T>
GEARSHIFT_INLINE void add_two(T* y, Two<T> v) {
  v += load_two(y);
  __builtin_memcpy(y, &v, sizeof v);
}

/// Loads the components a, b, c of the nodes whose first entries are x[at[0]], x[at[1]], ...
template <class T>
GEARSHIFT_INLINE void load_nodes(const T* x, const int* at, Pack<T, 2>& a, Pack<T, 2>& b, Pack<T, 2>& c) {
  const T *x0 = x + at[0], *x1 = x + at[1];
  const Two<T> p = load_two(x0), q = load_two(x1);
  a.v = __builtin_shufflevector(p, q, 0, 2);
  b.v = __builtin_shufflevector(p, q, 1, 3);
  c.v = Two<T>{x0[2], x1[2]};
}
template <class T>
GEARSHIFT_INLINE void add_nodes(T* y, const int* at, const Pack<T, 2>& a, const Pack<T, 2>& b, const Pack<T, 2>& c) {
  T *y0 = y + at[0], *y1 = y + at[1];  // before any store: the compiler must assume that a store changes `at`
  add_two(y0, __builtin_shufflevector(a.v, b.v, 0, 2));
  y0[2] += c.v[0];
  add_two(y1, __builtin_shufflevector(a.v, b.v, 1, 3));
  y1[2] += c.v[1];
}

template <class T>
GEARSHIFT_INLINE void load_nodes(const T* x, const int* at, Pack<T, 4>& a, Pack<T, 4>& b, Pack<T, 4>& c) {
  const T *x0 = x + at[0], *x1 = x + at[1], *x2 = x + at[2], *x3 = x + at[3];
  const auto even = __builtin_shufflevector(load_two(x0), load_two(x2), 0, 1, 2, 3);
  const auto odd = __builtin_shufflevector(load_two(x1), load_two(x3), 0, 1, 2, 3);
  a.v = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
  b.v = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
  c.v = typename Pack<T, 4>::Register{x0[2], x1[2], x2[2], x3[2]};
}
template <class T>
GEARSHIFT_INLINE void add_nodes(T* y, const int* at, const Pack<T, 4>& a, const Pack<T, 4>& b, const Pack<T, 4>& c) {
  T *y0 = y + at[0], *y1 = y + at[1], *y2 = y + at[2], *y3 = y + at[3];
  const auto even = __builtin_shufflevector(a.v, b.v, 0, 4, 2, 6), odd = __builtin_shufflevector(a.v, b.v, 1, 5, 3, 7);
  add_two(y0, __builtin_shufflevector(even, even, 0, 1));
  y0[2] += c.v[0];
  add_two(y1, __builtin_shufflevector(odd, odd, 0, 1));
  y1[2] += c.v[1];
  add_two(y2, __builtin_shufflevector(even, even, 2, 3));
  y2[2] += c.v[2];
  add_two(y3, __builtin_shufflevector(odd, odd, 2, 3));
  y3[2] += c.v[3];
}

/// Wider packs are handled in two halves.
template <class T, int W>
GEARSHIFT_INLINE void load_nodes(const T* x, const int* at, Pack<T, W>& a, Pack<T, W>& b, Pack<T, W>& c) {
  Pack<T, W / 2> low[3], high[3];
  load_nodes(x, at, low[0], low[1], low[2]);
  load_nodes(x, at + W / 2, high[0], high[1], high[2]);
  Pack<T, W>* const whole[3] = {&a, &b, &c};
  for (int i = 0; i < 3; ++i) {
    __builtin_memcpy(&whole[i]->v, &low[i].v, sizeof low[i].v);
    __builtin_memcpy(reinterpret_cast<char*>(&whole[i]->v) + sizeof low[i].v, &high[i].v, sizeof high[i].v);
  }
}
template <class T, int W>
GEARSHIFT_INLINE void add_nodes(T* y, const int* at, const Pack<T, W>& a, const Pack<T, W>& b, const Pack<T, W>& c) {
  const Pack<T, W>* const whole[3] = {&a, &b, &c};
  Pack<T, W / 2> low[3], high[3];
  for (int i = 0; i < 3; ++i) {
    __builtin_memcpy(&low[i].v, &whole[i]->v, sizeof low[i].v);
    __builtin_memcpy(&high[i].v, reinterpret_cast<const char*>(&whole[i]->v) + sizeof low[i].v, sizeof high[i].v);
  }
  add_nodes(y, at, low[0], low[1], low[2]);
  add_nodes(y, at + W / 2, high[0], high[1], high[2]);
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
