#pragma once

#include <gearshift/petsc/handle.hpp>

#include <petscvec.h>

#include <cstdint>

namespace gearshift {

/// Brings Vecs of a layout into an order that does not depend on the ranks, and back.
class NaturalOrder {
 public:
  /// @param natural for each owned entry its number in that order; nullptr: the natural order of the layout's DMDA, or
  /// else the global order. Collective. Throws IoError for an IS that is no such numbering.
  NaturalOrder(Vec layout, IS natural);

  /// A Vec in that order that holds x; valid until the next call. Collective.
  Vec from(Vec x);
  /// A Vec to be filled for into(). Borrowed.
  Vec natural() const { return natural_.get(); }
  /// x = the content of natural(). Collective.
  void into(Vec x);

  /// Whether there is an order of its own; false: the global one.
  bool renumbered() const { return renumbered_; }
  /// A number that tells this distribution of unknowns over ranks from others. The same on all ranks.
  std::int64_t fingerprint() const { return fingerprint_; }

 private:
  petsc::Handle<Vec> natural_;
  petsc::Handle<VecScatter> scatter_;
  bool renumbered_ = false;
  std::int64_t fingerprint_ = 0;
};

}  // namespace gearshift
