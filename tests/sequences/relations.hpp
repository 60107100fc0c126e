#pragma once

#include "sequences/sequence.hpp"

#include <string>

namespace sequences {

/// Compares a run whose event ends a step early with a run that stops there by request; returns an
/// empty text if they agree.
std::string event_as_stop(const Sequence& drawn);

}  // namespace sequences
