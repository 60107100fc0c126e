#pragma once

#include <gearshift/dynamics/archive.hpp>

namespace gearshift {

/// Passes distributed vectors to another Archive as vectors of SystemInternalVariables::internal_layout().
class InternalArchive : public Archive {
 public:
  explicit InternalArchive(Archive& base) : base_(base) {}

  bool loading() const override { return base_.loading(); }
  void reals(std::string_view name, std::span<PetscReal> values) override { base_.reals(path(name), values); }
  void integers(std::string_view name, std::span<std::int64_t> values) override { base_.integers(path(name), values); }
  void local(std::string_view name, std::span<PetscReal> values) override { base_.local(path(name), values); }
  void internal(std::string_view name, Vec z) override { base_.internal(path(name), z); }
  void vec(std::string_view name, Vec x) override { internal(name, x); }

 private:
  Archive& base_;
};

}  // namespace gearshift
