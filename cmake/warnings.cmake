# The project's own code is compiled with these options; PETSc's headers count as system headers. GCC's warnings after
# inlining (the last line) differ between releases and are mostly false alarms about the standard library and Eigen, so
# they are not errors. -Wno-restrict: GCC 12 reports overlaps in the operator+ of std::string that do not exist (GCC bug
# 105651).
add_library(gearshift_warnings INTERFACE)
target_compile_options(gearshift_warnings INTERFACE
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual>
  $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wpedantic>
  $<$<BOOL:${GEARSHIFT_WERROR}>:-Werror>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-error=maybe-uninitialized$<SEMICOLON>-Wno-error=array-bounds$<SEMICOLON>-Wno-error=stringop-overflow$<SEMICOLON>-Wno-error=restrict>)
