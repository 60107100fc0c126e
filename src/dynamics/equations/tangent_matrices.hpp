#pragma once

#include <gearshift/dynamics/state.hpp>
#include <gearshift/petsc/handle.hpp>

#include <petscmat.h>

#include <array>
#include <exception>
#include <functional>

namespace gearshift {

/// Returns a matrix of zeros with the layout, nonzeros and near-null space of `pattern`; entries outside of this
/// pattern are errors. Collective.
petsc::Handle<Mat> duplicate_pattern(Mat pattern);

/// The matrices s.q R_q + s.v R_v + s.a R_a of one point, each filled on first use. The last two are kept.
///
/// An exception that a fill throws on a rank is thrown there again at every use of that matrix until forget(), after
/// the collective part of the use: all ranks thus agree on which matrices are filled.
class TangentMatrices {
 public:
  using Fill = std::function<void(Shifts, Mat)>;
  using Use = std::function<void(Mat)>;

  /// @param pattern referenced
  /// @param fill adds to a matrix of zeros; the matrix is assembled afterwards
  TangentMatrices(Mat pattern, Fill fill);

  /// Calls use(A) with the matrix of these shifts. Collective.
  void with(Shifts s, const Use& use);

  /// Discards all filled matrices; called when the point has moved.
  void forget();

 private:
  struct Entry {
    petsc::Handle<Mat> matrix;
    Shifts shifts;
    bool filled = false;
    std::exception_ptr failure;
  };

  Entry& entry(Shifts s);

  petsc::Handle<Mat> pattern_;
  Fill fill_;
  std::array<Entry, 2> entries_;
  std::size_t latest_ = 0;
};

}  // namespace gearshift
