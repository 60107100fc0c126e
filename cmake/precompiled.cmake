# Headers of the standard library and of PETSc that most files include are parsed only once; this saves a third of the
# time of a complete build. Each file still includes all headers that it uses; builds with clang, and programs that
# build the library as a part of theirs, do not precompile.
set(precompile OFF)
if(PROJECT_IS_TOP_LEVEL AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(precompile ON)
endif()
option(GEARSHIFT_PRECOMPILE "Precompile headers of the standard library and of PETSc" ${precompile})

if(GEARSHIFT_CCACHE AND GEARSHIFT_PRECOMPILE AND CMAKE_CXX_COMPILER_LAUNCHER STREQUAL GEARSHIFT_CCACHE)
  # ccache requires this setting and GCC's -fpch-preprocess below; otherwise it compiles every file again.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${GEARSHIFT_CCACHE})
endif()

# gearshift_precompiled_headers(<name> <kind> <headers>...): precompiles headers for code of that kind, PIC or PIE; the
# two cannot be mixed.
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

# gearshift_precompile(<name> <target>...): compiles the targets with these headers. GCC 12's false warning about the
# operator+ of std::string (see warnings.cmake) has two more names there, which GCC does not suppress in precompiled
# headers.
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
