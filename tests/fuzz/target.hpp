#pragma once

/// @file
/// Functions shared by the fuzz targets. Each target is a file with LLVMFuzzerTestOneInput, called by
/// libFuzzer if the compiler has it, otherwise by driver.cpp.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
/// Defined by targets that need PETSc.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);

namespace gearshift::test {

/// Ends the program if a reader violates one of its guarantees.
inline void require(bool good, const std::string& promise) {
  if (good) return;
  std::fprintf(stderr, "broken promise: %s\n", promise.c_str());
  std::abort();
}

}  // namespace gearshift::test
