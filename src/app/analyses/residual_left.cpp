#include "app/analyses/residual_left.hpp"

#include <gearshift/petsc/error.hpp>

#include <array>
#include <cstdio>

namespace gearshift::app {

void ResidualLeft::look(const Stepper& stepper, const StepReport& report) {
  const auto& norms = report.residual_norms;
  if (report.newton_reason != NewtonReason::rounding || norms.empty() || !(norms.front() > 0)) return;
  PetscReal rtol = 0, atol = 0;
  petsc::check(SNESGetTolerances(stepper.snes(), &atol, &rtol, nullptr, nullptr, nullptr));
  const PetscReal left = norms.back() / (report.reference_residual > 0 ? report.reference_residual : norms.front());
  if (left <= rtol || norms.back() <= atol || left <= left_) return;
  left_ = left;
  asked_ = rtol;
}

std::string ResidualLeft::remark() const {
  if (left_ == 0) return "";
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(),
                "rounding leaves up to %.2g of the residual, more than -snes_rtol %.2g and -snes_atol allow", left_,
                asked_);
  return text.data();
}

}  // namespace gearshift::app
