#pragma once

#include <gearshift/dynamics/report.hpp>
#include <gearshift/dynamics/stepper_options.hpp>

#include <string>
#include <string_view>

namespace gearshift {

/// What to say of StepReport::growth_warning, and what to try. @param root of the options' names: -gear_ or -ts_gear_
std::string growth_warning(const StepReport& report, const StepperOptions& options, std::string_view root);

}  // namespace gearshift
