#pragma once

/// @file
/// Damage to the bytes of files, the same on every machine.

#include <random>
#include <string>

namespace gearshift::test {

/// One damage of many kinds, drawn from `random`: bits, bytes, numbers, lines; changed, swapped, doubled, gone; an early
/// end. Lines and words of text are taken for what they are.
std::string damaged(std::string bytes, bool binary, std::mt19937_64& random);

}  // namespace gearshift::test
