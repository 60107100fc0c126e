#pragma once

/// @file
/// The owned entries of a Vec as a std::span during the lifetime of a view.

#include <gearshift/petsc/error.hpp>

#include <petscvec.h>

#include <span>

namespace gearshift::petsc {

/// Gives read access to the owned entries: `for (PetscScalar x : ReadView(v)) ...`. Not collective; must not be copied
/// or stored.
class ReadView {
 public:
  explicit ReadView(Vec vec) : vec_(vec) {
    PetscInt size = 0;
    check(VecGetLocalSize(vec_, &size));
    check(VecGetArrayRead(vec_, &array_));
    span_ = {array_, static_cast<std::size_t>(size)};
  }
  ~ReadView() { (void)!VecRestoreArrayRead(vec_, &array_); }
  ReadView(const ReadView&) = delete;
  ReadView& operator=(const ReadView&) = delete;

  const PetscScalar& operator[](std::size_t i) const { return span_[i]; }
  std::size_t size() const { return span_.size(); }
  std::span<const PetscScalar> span() const { return span_; }
  auto begin() const { return span_.begin(); }
  auto end() const { return span_.end(); }

 private:
  Vec vec_;
  const PetscScalar* array_ = nullptr;
  std::span<const PetscScalar> span_;
};

/// Gives read and write access to the owned entries. Not collective; must not be copied or stored.
class WriteView {
 public:
  explicit WriteView(Vec vec) : vec_(vec) {
    PetscInt size = 0;
    check(VecGetLocalSize(vec_, &size));
    check(VecGetArray(vec_, &array_));
    span_ = {array_, static_cast<std::size_t>(size)};
  }
  ~WriteView() { (void)!VecRestoreArray(vec_, &array_); }
  WriteView(const WriteView&) = delete;
  WriteView& operator=(const WriteView&) = delete;

  PetscScalar& operator[](std::size_t i) const { return span_[i]; }
  std::size_t size() const { return span_.size(); }
  std::span<PetscScalar> span() const { return span_; }
  auto begin() const { return span_.begin(); }
  auto end() const { return span_.end(); }

 private:
  Vec vec_;
  PetscScalar* array_ = nullptr;
  std::span<PetscScalar> span_;
};

}  // namespace gearshift::petsc
