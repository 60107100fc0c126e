# Compiles kernels, and user-defined laws, for several instruction sets, one of which a program selects when it starts.

# Sets `variable` to the widest instruction set of this machine.
function(gearshift_native_set variable)
  set(widest baseline)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    include(CheckCXXSourceRuns)
    check_cxx_source_runs("int main() { return !(__builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\")); }"
                          GEARSHIFT_HAS_AVX2)
    check_cxx_source_runs("int main() { return !(__builtin_cpu_supports(\"avx512f\") && __builtin_cpu_supports(\"avx512dq\") &&
      __builtin_cpu_supports(\"avx512vl\") && __builtin_cpu_supports(\"avx512bw\")); }" GEARSHIFT_HAS_AVX512)
    if(GEARSHIFT_HAS_AVX2)
      set(widest avx2)
      if(GEARSHIFT_HAS_AVX512)
        set(widest avx512)
      endif()
    endif()
  endif()
  message(STATUS "Kernels: only ${widest}, the instruction set of this machine (GEARSHIFT_KERNELS=native)")
  set(${variable} ${widest} PARENT_SCOPE)
endfunction()

# gearshift_instruction_sets: the instruction sets of gearshift's own kernels; gearshiftConfig.cmake sets it before.
set(sets baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(sets baseline avx2 avx512)
  set(gearshift_baseline_name sse2)
  set(gearshift_avx2_name avx2)
  set(gearshift_avx2_flags -mavx2 -mfma)
  set(gearshift_avx512_name avx512)
  set(gearshift_avx512_flags -mavx2 -mfma -mavx512f -mavx512dq -mavx512vl -mavx512bw -mprefer-vector-width=512)
else()
  set(gearshift_baseline_name neon)
endif()
if(NOT DEFINED gearshift_instruction_sets)
  set(gearshift_instruction_sets ${sets})
  if(GEARSHIFT_KERNELS STREQUAL native)
    gearshift_native_set(gearshift_instruction_sets)
  elseif(NOT GEARSHIFT_KERNELS STREQUAL all)
    message(FATAL_ERROR "GEARSHIFT_KERNELS: '${GEARSHIFT_KERNELS}' is neither all nor native")
  endif()
endif()
set(gearshift_baseline_lanes 2)
set(gearshift_avx2_lanes 4)
set(gearshift_avx512_lanes 8)

# gearshift_compile_kernels(<prefix> <source>...): creates object libraries <prefix>_<set>, one for each instruction
# set. They are always optimised, and contain no code of other files (the linker merges inline functions). -O3 unrolls the
# loops over components and over terms of polynomials: with GCC 12 and AVX-512 it makes products a third faster in
# hexahedra and two thirds faster in tetrahedra, residuals and updates one and a half times to twice as fast.
# -Wno-psabi: no vector is passed between files. With sanitizers -O1 is used and only addresses are checked: more checks
# take many minutes to compile, because all of this code is inlined.
function(gearshift_compile_kernels prefix)
  set(level -O3)
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
    set(level -O1 -fno-sanitize=undefined -fno-var-tracking)
  endif()
  foreach(set IN LISTS gearshift_instruction_sets)
    add_library(${prefix}_${set} OBJECT ${ARGN})
    target_compile_definitions(${prefix}_${set} PRIVATE GEARSHIFT_KERNELS=${set}
      GEARSHIFT_LANES=${gearshift_${set}_lanes} GEARSHIFT_KERNELS_NAME="${gearshift_${set}_name}")
    target_compile_features(${prefix}_${set} PRIVATE cxx_std_20)
    target_compile_options(${prefix}_${set} PRIVATE
      ${level} -fno-math-errno -fno-trapping-math -ffp-contract=fast -Wno-psabi ${gearshift_${set}_flags})
    set_target_properties(${prefix}_${set} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endforeach()
endfunction()

# gearshift_add_law(<target> <header> <class>)
#
# Creates a shared library lib<target>.so with a material law, compiled for the same instruction sets as gearshift's own
# kernels. The header contains the class (see gearshift's example 05_own_law). Programs of gearshift load it by
# -dll_append <folder>/lib<target>.so; others link <target> and call PetscDLLibraryRegister_<target>(). The options of
# the law are -material <its name> and one for each of its parameters.
function(gearshift_add_law target header class)
  get_filename_component(GEARSHIFT_LAW_HEADER ${header} ABSOLUTE)
  set(GEARSHIFT_LAW_TARGET ${target})
  set(GEARSHIFT_LAW_CLASS ${class})
  set(GEARSHIFT_LAW_DECLARATIONS)
  set(GEARSHIFT_LAW_VERSIONS)
  set(objects)
  foreach(set IN LISTS gearshift_instruction_sets)
    string(APPEND GEARSHIFT_LAW_DECLARATIONS "namespace ${set} {\nextern const CompiledLaw law_${target};\n}\n")
    list(APPEND GEARSHIFT_LAW_VERSIONS "&${set}::law_${target}")
    list(APPEND objects $<TARGET_OBJECTS:${target}_law_${set}>)
  endforeach()
  list(JOIN GEARSHIFT_LAW_VERSIONS ", " GEARSHIFT_LAW_VERSIONS)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}_law)
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/law.cpp.in ${folder}/law.cpp @ONLY)
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/register_law.cpp.in ${folder}/register_law.cpp @ONLY)
  gearshift_compile_kernels(${target}_law ${folder}/law.cpp)
  foreach(set IN LISTS gearshift_instruction_sets)
    target_include_directories(${target}_law_${set} PRIVATE ${GEARSHIFT_KERNEL_HEADERS}
      $<TARGET_PROPERTY:gearshift::solid,INTERFACE_INCLUDE_DIRECTORIES>)
    set_property(SOURCE ${folder}/law.cpp APPEND PROPERTY OBJECT_DEPENDS ${GEARSHIFT_LAW_HEADER})
  endforeach()
  add_library(${target} SHARED ${folder}/register_law.cpp ${objects})
  target_link_libraries(${target} PUBLIC gearshift::solid)
endfunction()
