#pragma once

/// @file
/// Arrays without what supports hold.

#include "solid/constraints/supports.hpp"

#include <algorithm>
#include <vector>

namespace gearshift::solid {

/// The free part of arrays of owned entries, for products with identity in what supports hold.
class HeldEntries {
 public:
  explicit HeldEntries(const Supports& supports) : supports_(supports) {}

  /// The array with 0 in held entries: itself, as Krylov methods keep it, or a copy, until the next call.
  const double* of(const double* in, std::size_t size) {
    const std::vector<PetscInt>& held = supports_.entries();
    if (std::all_of(held.begin(), held.end(), [in](PetscInt entry) { return in[entry] == 0; })) return in;
    copy_.assign(in, in + size);
    for (const PetscInt entry : held) copy_[static_cast<std::size_t>(entry)] = 0;
    return copy_.data();
  }
  /// out = in, in held entries
  void copy_held(const double* in, double* out) const {
    for (const PetscInt entry : supports_.entries()) out[entry] = in[entry];
  }
  /// out = 0 there, after what belongs to entries that others depend on has gone to these
  void clear_held(double* out) const {
    supports_.dependent().fold(out);
    for (const PetscInt entry : supports_.entries()) out[entry] = 0;
  }

 private:
  const Supports& supports_;
  std::vector<double> copy_;
};

}  // namespace gearshift::solid
