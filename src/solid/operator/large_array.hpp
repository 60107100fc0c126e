#pragma once

/// @file
/// Arrays that kernels stream through.

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace gearshift::solid {

/// Memory aligned to cache lines; big blocks ask for huge pages, whose fewer address translations are worth up to a
/// tenth of a product's time. New numbers are left as they are: who sizes an array fills it.
template <class T>
struct LargeAllocator {
  using value_type = T;
  LargeAllocator() = default;
  template <class U>
  LargeAllocator(const LargeAllocator<U>&) {}

  T* allocate(std::size_t count) {
    constexpr std::size_t page = std::size_t{1} << 21;
    const std::size_t bytes = count * sizeof(T), unit = bytes < 4 * page ? 64 : page;
    void* block = std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit);
    if (!block) throw std::bad_alloc();
#if defined(__linux__)
    if (unit == page) (void)madvise(block, (bytes + unit - 1) / unit * unit, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(block);
  }
  void deallocate(T* block, std::size_t) { std::free(block); }
  template <class U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    ::new (static_cast<void*>(at)) U(static_cast<Arguments&&>(arguments)...);
  }
  friend bool operator==(const LargeAllocator&, const LargeAllocator&) { return true; }
};

template <class T>
using LargeArray = std::vector<T, LargeAllocator<T>>;

}  // namespace gearshift::solid
