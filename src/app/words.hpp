#pragma once

/// @file
/// The first and last printed lines of a run, and its summary.

#include "app/analyses/analysis.hpp"

namespace gearshift::app {

/// Prints the size of the problem and the folder of the results. Collective.
void print_first_words(const solid::Body& body, const Results& results);

/// Writes summary.json. Collective. Throws IoError if it cannot be written and on_error is `stop`; otherwise warns.
/// @param memory the largest peak of any rank, without the program itself [bytes]
/// @param analysis adds its results; nullptr after an error
void write_summary(const Run& run, const Outcome& outcome, double memory, const Analysis* analysis,
                   OnWriteError on_error);

/// Prints the greatest values, the results of the analysis, and the last line. Collective.
void print_last_words(const Run& run, const Outcome& outcome, const Analysis& analysis);

}  // namespace gearshift::app
