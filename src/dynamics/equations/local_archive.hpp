#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/petsc/views.hpp>

namespace gearshift {

/// Hands distributed vectors to another Archive as each rank's own numbers: for layouts that are not the stepper's.
class LocalArchive : public Archive {
 public:
  explicit LocalArchive(Archive& base) : base_(base) {}

  bool loading() const override { return base_.loading(); }
  void reals(std::string_view name, std::span<PetscReal> values) override { base_.reals(path(name), values); }
  void integers(std::string_view name, std::span<std::int64_t> values) override { base_.integers(path(name), values); }
  void local(std::string_view name, std::span<PetscReal> values) override { base_.local(path(name), values); }
  void vec(std::string_view name, Vec x) override {
    const petsc::WriteView values(x);
    local(name, values.span());
  }

 private:
  Archive& base_;
};

}  // namespace gearshift
