#pragma once

#include <algorithm>
#include <vector>

namespace gearshift::solid {

/// Sorts and removes duplicates.
template <class T>
void sort_unique(std::vector<T>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace gearshift::solid
