#pragma once

/// @file
/// Damage to the bytes of files, identical on every machine.

#include <random>
#include <string>

namespace gearshift::test {

/// Applies one damage of many kinds, drawn from `random`: bits, bytes, numbers, lines; changed, swapped, doubled,
/// removed; an early end. In text files lines and words are damaged as such.
std::string damaged(std::string bytes, bool binary, std::mt19937_64& random);

}  // namespace gearshift::test
