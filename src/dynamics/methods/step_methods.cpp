#include "dynamics/methods/step_methods.hpp"

namespace gearshift {

SdirkMethod& StepMethods::of(Method kind) {
  const bool esdirk = kind == Method::esdirk;
  std::unique_ptr<SdirkMethod>& method = esdirk ? esdirk_ : sdirk_;
  if (!method)
    method = std::make_unique<SdirkMethod>(esdirk ? bdf::esdirk5() : bdf::sdirk4(), solver_, history_.slopes().now(),
                                           history_.levels(), esdirk ? taught_by_esdirk_ : taught_by_sdirk_);
  return *method;
}

void StepMethods::begin(Method kind, PetscReal t) {
  kind_ = kind;
  t_ = t;
}

State StepMethods::state() const {
  const State at = solver_.motion().state();
  const std::array<Vec, 2> to = history_.next();
  return {t_, to[0], to[1] ? to[1] : at.v, at.a, history_.internal().next()};
}

void StepMethods::error(Vec error_q, Vec error_v) const {
  if (one_step())
    one_step()->error(history_.scheme().dt(), error_q, error_v);
  else
    bdf_.error(error_q, error_v);
}

int StepMethods::error_order() const {
  return one_step() ? one_step()->method().error_order + 1 : history_.scheme().formula().order + 1;
}

void StepMethods::archive_numbers(Archive& state) {
  const Archive::Group group(state, "taught");
  taught_by_sdirk_.archive(state);
  const Archive::Group of_esdirk(state, "esdirk");
  taught_by_esdirk_.archive(state);
}

}  // namespace gearshift
