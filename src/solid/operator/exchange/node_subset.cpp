#include "solid/operator/exchange/node_subset.hpp"

#include <gearshift/petsc/handle.hpp>

#include "solid/numerics/sort_unique.hpp"

#include <algorithm>

namespace gearshift::solid {

using petsc::check;

NodeSubset::NodeSubset(const Space& space, std::vector<PetscInt> globals) : globals_(std::move(globals)) {
  sort_unique(globals_);
  std::vector<PetscInt> numbers;
  for (std::size_t i = 0; i < globals_.size(); ++i) {
    const PetscInt owned = globals_[i] - space.first_node();
    owned_.push_back(owned >= 0 && owned < space.owned_nodes() ? owned : -1);
    if (owned_.back() >= 0) continue;
    others_.push_back(i);
    numbers.push_back(globals_[i]);
  }
  PetscLayout layout = nullptr;
  check(PetscLayoutCreate(space.comm(), &layout));
  check(PetscLayoutSetLocalSize(layout, space.owned_nodes()));
  check(PetscLayoutSetUp(layout));
  petsc::Handle<PetscSF> sf;
  check(PetscSFCreate(space.comm(), sf.out()));
  check(PetscSFSetGraphLayout(sf.get(), layout, static_cast<PetscInt>(numbers.size()), nullptr, PETSC_COPY_VALUES,
                              numbers.data()));
  check(PetscLayoutDestroy(&layout));
  check(PetscSFSetUp(sf.get()));
  doubles_ = std::make_shared<Halo<double>>(space.comm(), sf.get());
  floats_ = std::make_shared<Halo<float>>(space.comm(), sf.get());
}

std::size_t NodeSubset::find(PetscInt global) const {
  return static_cast<std::size_t>(std::lower_bound(globals_.begin(), globals_.end(), global) - globals_.begin());
}

template <class T>
void NodeSubset::fetch(const T* owned, std::vector<std::array<T, 3>>& values) const {
  std::vector<T> others(3 * others_.size());
  halo<T>().spread_begin(owned);
  values.resize(count());
  for (std::size_t i = 0; i < count(); ++i)
    if (owned_[i] >= 0) std::copy_n(owned + 3 * owned_[i], 3, values[i].begin());
  halo<T>().spread_end(others.data());
  for (std::size_t i = 0; i < others_.size(); ++i)
    std::copy_n(others.begin() + static_cast<std::ptrdiff_t>(3 * i), 3, values[others_[i]].begin());
}

double NodeSubset::bytes() const {
  return static_cast<double>(count() * (2 * sizeof(PetscInt)) + others_.size() * (sizeof(std::size_t) + 72));
}

template void NodeSubset::fetch(const double*, std::vector<std::array<double, 3>>&) const;
template void NodeSubset::fetch(const float*, std::vector<std::array<float, 3>>&) const;

}  // namespace gearshift::solid
