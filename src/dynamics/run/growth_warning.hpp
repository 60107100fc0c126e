#pragma once

#include <gearshift/dynamics/report.hpp>
#include <gearshift/dynamics/stepper_options.hpp>

#include <string>
#include <string_view>

namespace gearshift {

/// Returns the text for StepReport::growth_warning, with advice. @param root of the option names: -gear_ or -ts_gear_
std::string growth_warning(const StepReport& report, const StepperOptions& options, std::string_view root);

}  // namespace gearshift
