#pragma once

/// @file
/// Move-only owners of PETSc objects.

#include <gearshift/petsc/error.hpp>

#include <petscsys.h>

#include <utility>

namespace gearshift::petsc {

/// Owns one reference to a PETSc object (Vec, Mat, KSP, DM, IS ...): `Handle<Vec> r; check(VecDuplicate(x, r.out()));`
///
/// Invariant: holds one counted reference or nothing. If it is destroyed after PetscFinalize, it does nothing.
/// Functions borrow objects as plain PETSc handles (`get()`); code that keeps an object beyond the call keeps
/// `share(object)`. Like PETSc's objects, it is not thread safe.
template <class T>
class Handle {
 public:
  Handle() = default;
  Handle(Handle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      reset();
      object_ = std::exchange(other.object_, nullptr);
    }
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { reset(); }

  /// Takes over the caller's reference.
  static Handle adopt(T object) {
    Handle handle;
    handle.object_ = object;
    return handle;
  }

  /// Adds a reference to an object that has other owners.
  static Handle share(T object) {
    if (object) check(PetscObjectReference(reinterpret_cast<PetscObject>(object)));
    return adopt(object);
  }

  /// Returns the borrowed object, or nullptr.
  T get() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

  /// Empties the handle and returns its slot for a PETSc function that creates an object: `VecDuplicate(x,
  /// handle.out())`.
  T* out() {
    reset();
    return &object_;
  }

  /// Transfers the reference to the caller.
  [[nodiscard]] T release() { return std::exchange(object_, nullptr); }

  void reset() noexcept {
    if (!object_) return;
    PetscBool finalized = PETSC_FALSE;
    auto object = reinterpret_cast<PetscObject>(std::exchange(object_, nullptr));
    if (PetscFinalized(&finalized) == 0 && !finalized) (void)!PetscObjectDestroy(&object);
  }

 private:
  T object_ = nullptr;
};

}  // namespace gearshift::petsc
