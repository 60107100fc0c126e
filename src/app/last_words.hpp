#pragma once

/// @file
/// What a run says at its end.

#include "app/analyses/analysis.hpp"

namespace gearshift::app {

/// Writes summary.json. Collective. Throws IoError.
/// @param memory the largest peak of any rank beyond the program itself [bytes]
/// @param analysis adds its results; nullptr: it ended with an error
void write_summary(const Run& run, const Outcome& outcome, double memory, const Analysis* analysis);

/// Prints the greatest values, the analysis' own results, and the last line. Collective.
void print_last_words(const Run& run, const Outcome& outcome, const Analysis& analysis);

}  // namespace gearshift::app
