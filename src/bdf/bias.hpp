#pragma once

namespace gearshift::bdf {

/// Factors by which Controller overestimates errors, for the order in use or a lower one, and for a higher one: steps
/// aim at an error of 1 / bias. They are CVODE's.
inline constexpr double bias = 6, bias_higher = 10;

}  // namespace gearshift::bdf
