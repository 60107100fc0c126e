# Headers of the standard library and of PETSc that most files include are parsed once, not in every file: a third of the
# time of a build from nothing. Each file still includes what it uses; clang, and programs that build the library as part
# of theirs, do without.
set(precompile OFF)
if(PROJECT_IS_TOP_LEVEL AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(precompile ON)
endif()
option(GEARSHIFT_PRECOMPILE "Precompile headers of the standard library and of PETSc" ${precompile})

if(GEARSHIFT_CCACHE AND GEARSHIFT_PRECOMPILE AND CMAKE_CXX_COMPILER_LAUNCHER STREQUAL GEARSHIFT_CCACHE)
  # What ccache asks for, and GCC's -fpch-preprocess below; else it compiles every file anew.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${GEARSHIFT_CCACHE})
endif()

# gearshift_precompiled_headers(<name> <kind> <headers>...): headers for code of that kind, PIC or PIE, which do not mix.
function(gearshift_precompiled_headers name kind)
  if(NOT GEARSHIFT_PRECOMPILE)
    return()
  endif()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp CONTENT "")
  add_library(${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -f${kind} $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
  target_link_libraries(${name} PRIVATE PkgConfig::PETSC MPI::MPI_CXX gearshift_warnings)
  target_precompile_headers(${name} PRIVATE
    <algorithm> <array> <cmath> <cstddef> <cstdint> <cstdio> <cstdlib> <cstring> <filesystem> <fstream> <functional> <limits>
    <map> <memory> <numbers> <numeric> <optional> <span> <sstream> <stdexcept> <string> <string_view> <tuple> <type_traits>
    <utility> <vector> <petscdmplex.h> <petscts.h> ${ARGN})
endfunction()

# gearshift_precompile(<name> <target>...): the targets are compiled with these headers. GCC 12's false alarm of the operator+ of
# std::string (see warnings.cmake) goes by two more names there, which it does not suppress in precompiled headers.
function(gearshift_precompile name)
  foreach(target IN LISTS ARGN)
    if(TARGET ${name})
      target_precompile_headers(${target} REUSE_FROM ${name})
      target_compile_options(${target} PRIVATE
        $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
        $<$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>:-Wno-stringop-overflow;-Wno-array-bounds>)
    endif()
  endforeach()
endfunction()
