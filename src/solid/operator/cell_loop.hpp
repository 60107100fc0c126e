#pragma once

/// @file
/// The loop of the kernels over the cells of a rank.

#include "solid/operator/batch_arrays.hpp"
#include "solid/operator/exchange/halo.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace gearshift::solid {

/// The treatment of ghosts at edge cells: their values are exchanged with the owners, or read as 0 and dropped.
enum class Ghosts { exchanged, left_out };

/// Runs kernels on all cells of a rank. Most cells read and write the arrays of owned entries directly. Edge cells work
/// on a copy, whose ghosts are exchanged while inner cells are computed: one half of the inner cells while ghost values
/// arrive, the other half while the contributions of the edge cells are sent to the owners. Functions are collective,
/// and must not run concurrently.
template <class T>
class CellLoop {
 public:
  /// @param material the material of each cell of the rank; already checked.
  /// @param inputs   the maximum number of inputs of a kernel
  CellLoop(const Space& space, const MaterialTable& material, const Kernels& kernels, std::size_t inputs)
      : size_(3 * static_cast<std::size_t>(space.owned_nodes())),
        kernels_(kernels),
        arrays_(space, material, kernels),
        halo_(space),
        inputs_(inputs, std::vector<T>(arrays_.edges().size())),
        output_(arrays_.edges().size()) {}

  const BatchArrays<T>& arrays() const { return arrays_; }
  const Kernels& kernels() const { return kernels_; }
  /// Returns the number of entries of the nodes that this rank owns.
  std::size_t size() const { return size_; }
  /// Returns the ghost values of an input of the last run() with Ghosts::exchanged.
  const T* ghosts(std::size_t input) const { return inputs_[input].data() + arrays_.edges().ghosts(); }

  /// Runs kernel(batches, range, inputs, output) on inner and edge cells and sets output to the sum of their
  /// contributions. An input or output that is not given is passed to the kernel as a null pointer. The arguments are
  /// optional because a null pointer alone cannot mean "not given": on a rank that has cells but owns no node, the
  /// address of an array is null.
  template <std::size_t count, class Kernel>
  void run(const std::array<std::optional<const T*>, count>& inputs, std::optional<T*> output, Ghosts ghosts,
           Kernel&& kernel) {
    const Edges& edges = arrays_.edges();
    const bool exchanged = ghosts == Ghosts::exchanged;
    std::array<const T*, count> owned{}, copied{};
    // Only one exchange can be in progress at a time: all inputs except the first arrive before the inner cells begin.
    for (std::size_t i = count; i-- > 0;) {
      if (!inputs[i]) continue;
      T* copy = inputs_[i].data();
      owned[i] = *inputs[i];
      copied[i] = copy;
      edges.load(owned[i], copy);
      if (exchanged) halo_.spread_begin(owned[i]);
      if (exchanged && i > 0) halo_.spread_end(copy + edges.ghosts());
      if (!exchanged)
        std::fill(inputs_[i].begin() + static_cast<std::ptrdiff_t>(edges.ghosts()), inputs_[i].end(), T(0));
    }
    T* const to = output.value_or(nullptr);
    if (output && arrays_.inner_after().end == 0) std::fill(to, to + size_, T(0));
    const auto inner = [&](const Batches<T>& b, Range range) { kernel(b, range, owned, to); };
    arrays_.each(arrays_.inner_before(), inner);
    if (inputs[0] && exchanged) halo_.spread_end(inputs_[0].data() + edges.ghosts());
    std::fill(output_.begin(), output_.end(), T(0));
    arrays_.each(arrays_.edge(), [&](Batches<T> b, Range range) {
      b.zero_until = nullptr;
      kernel(b, range, copied, output_.data());
    });
    if (output && exchanged) halo_.gather_begin(output_.data() + edges.ghosts());
    arrays_.each(arrays_.inner_after(), inner);
    if (!output) return;
    edges.add(output_.data(), to);
    if (exchanged) halo_.gather_end(to);
  }

 private:
  std::size_t size_;
  const Kernels& kernels_;
  BatchArrays<T> arrays_;
  Halo<T> halo_;
  std::vector<std::vector<T>> inputs_;  // the edge cells' copies
  std::vector<T> output_;
};

}  // namespace gearshift::solid
