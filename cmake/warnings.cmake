# The project's own code is compiled with these; PETSc's headers count as system headers.
add_library(gearshift_warnings INTERFACE)
target_compile_options(gearshift_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual>
  $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wpedantic>
  $<$<BOOL:${GEARSHIFT_WERROR}>:-Werror>)
