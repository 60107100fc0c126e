#pragma once

#include <gearshift/petsc/handle.hpp>

#include "dynamics/checkpoint/file.hpp"

#include <petscvec.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace gearshift {

/// Converts Vecs of a layout to an order that does not depend on the distribution over ranks, and back.
class NaturalOrder {
 public:
  /// @param natural the number of each owned entry in that order; nullptr: the natural order of the layout's DMDA, or
  /// else the global order. Collective. Throws IoError if the IS is not such a numbering.
  NaturalOrder(Vec layout, IS natural);

  /// Returns a Vec in that order that contains x; valid until the next call. Collective.
  Vec from(Vec x);
  /// The Vec to be filled before into(). Borrowed.
  Vec natural() const { return natural_.get(); }
  /// Sets x to the content of natural(). Collective.
  void into(Vec x);

  /// Returns true if the order differs from the global one.
  bool renumbered() const { return renumbered_; }
  /// A number that distinguishes this distribution of unknowns over ranks from others. It is equal on all ranks.
  std::int64_t fingerprint() const { return fingerprint_; }

 private:
  petsc::Handle<Vec> natural_;
  petsc::Handle<VecScatter> scatter_;
  bool renumbered_ = false;
  std::int64_t fingerprint_ = 0;
};

/// The Archive of a file: distributed vectors have an order in it that does not depend on the distribution over ranks.
class NaturalArchive : public Archive {
 public:
  explicit NaturalArchive(const CheckpointLayouts& layouts);

  void vec(std::string_view name, Vec x) final;
  void internal(std::string_view name, Vec z) final;

 protected:
  /// Writes or reads the natural() Vec of an order.
  virtual void ordered(std::string_view kind, std::string_view name, Vec natural) = 0;

  MPI_Comm comm_;
  NaturalOrder order_;
  int rank_ = 0, size_ = 1;

 private:
  void convert(std::string_view kind, std::string_view name, Vec x, NaturalOrder& order);

  std::optional<NaturalOrder> internal_;
};

}  // namespace gearshift
