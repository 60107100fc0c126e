#pragma once

#include "sequences/sequence.hpp"

#include <string>

namespace sequences {

/// A run whose event ends a step early compared with a run that is told to stop there; empty: they are alike.
std::string event_as_stop(const Sequence& drawn);

}  // namespace sequences
