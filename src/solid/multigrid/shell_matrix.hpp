#pragma once

/// @file
/// User-defined matrix-vector products for PETSc.

#include <gearshift/petsc/handle.hpp>

#include <petscmat.h>

#include <functional>

namespace gearshift::solid {

/// A MATSHELL of real, distributed products. Products that are not given are not supported.
class ShellMatrix {
 public:
  using Product = std::function<void(Vec in, Vec out)>;
  struct Products {
    Product multiply, multiply_transposed = {};
    std::function<void(Vec out)> diagonal = {};
    /// The inverses of the blocks on the diagonal, for PCPBJACOBI; valid until the next call.
    std::function<const PetscScalar*()> inverse_blocks = {};
  };
  /// @param rows, columns the local sizes of this rank. Collective.
  ShellMatrix(MPI_Comm comm, PetscInt rows, PetscInt columns, Products products);
  ShellMatrix& operator=(ShellMatrix&&) = delete;

  Mat get() const { return matrix_.get(); }

 private:
  template <Product Products::*product>
  static PetscErrorCode run(Mat matrix, Vec in, Vec out);

  Products products_;
  petsc::Handle<Mat> matrix_;
};

}  // namespace gearshift::solid
