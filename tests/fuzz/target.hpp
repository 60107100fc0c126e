#pragma once

/// @file
/// What the fuzz targets share. Each target is a file with LLVMFuzzerTestOneInput, which libFuzzer calls where the
/// compiler has it, and driver.cpp elsewhere.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
/// Of targets that need PETSc.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);

namespace gearshift::test {

/// Ends the program where a reader does not keep what it promises.
inline void require(bool good, const std::string& promise) {
  if (good) return;
  std::fprintf(stderr, "broken promise: %s\n", promise.c_str());
  std::abort();
}

}  // namespace gearshift::test
