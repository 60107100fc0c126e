#pragma once

#include <gearshift/dynamics/linearization.hpp>

#include "petsc/ranks/callback_guard.hpp"

#include <memory>

namespace gearshift {

/// The tangent of a GuardedSystem. After a callback that moves its point has thrown on a rank, all its products are NaN
/// there until the next update().
class GuardedLinearization : public Linearization {
 public:
  GuardedLinearization(std::unique_ptr<Linearization> base, petsc::CallbackGuard& guard);

  void update(const State& x) override;
  void follow(const State& x) override;
  void apply(Shifts s, Vec in, Vec out) override;
  bool apply_free(Shifts s, Vec in, Vec out) override;
  bool diagonal(Shifts s, Vec d) override;
  bool assemble(Shifts s, Mat P) override;
  bool apply_stiffness_derivative(Vec direction, Vec in, Vec out) override;

  Linearization& base() { return *base_; }
  /// Returns true if this rank's products are unusable. Not collective.
  bool spoiled() const { return spoiled_; }
  void spoil() { spoiled_ = true; }

 private:
  template <class Body>
  bool product(Vec out, Body&& body);

  std::unique_ptr<Linearization> base_;
  petsc::CallbackGuard& guard_;
  bool spoiled_ = false;
};

}  // namespace gearshift
