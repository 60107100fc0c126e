# Finds PETSc by pkg-config; included by gearshift's own build and by gearshiftConfig.cmake.
#
# PETSC_DIR and PETSC_ARCH (and SLEPC_DIR, in gearshift's own build), as variables of CMake or of the environment, are
# used or lead to an error: otherwise another PETSc than the intended one might be used without a message.

find_package(PkgConfig REQUIRED)

# Sets `result` to the value of a CMake variable or, if it is not set, of the environment variable.
function(gearshift_given variable result)
  if(DEFINED ${variable} AND NOT "${${variable}}" STREQUAL "")
    set(${result} "${${variable}}" PARENT_SCOPE)
  else()
    set(${result} "$ENV{${variable}}" PARENT_SCOPE)
  endif()
endfunction()

# Puts the folder of `package`.pc, below the folder given by `variable`, at the front of pkg-config's search path.
function(gearshift_package_of variable package)
  gearshift_given(${variable} folder)
  gearshift_given(PETSC_ARCH arch)
  string(REGEX REPLACE "(.)/+$" "\\1" folder "${folder}")
  # The results of pkg-config, with every path, stay in the cache, so that a new choice would be ignored. If no choice
  # is given, as when the build system runs CMake again, the first choice remains valid.
  set(choice "${folder}/${arch}")
  if(DEFINED CACHE{GEARSHIFT_CHOICE_OF_${package}} AND folder STREQUAL "")
    string(REGEX MATCH "^(.*)/([^/]*)$" ignored "$CACHE{GEARSHIFT_CHOICE_OF_${package}}")
    set(folder "${CMAKE_MATCH_1}")
    set(arch "${CMAKE_MATCH_2}")
    set(choice "${folder}/${arch}")
  elseif(DEFINED CACHE{GEARSHIFT_CHOICE_OF_${package}} AND NOT "$CACHE{GEARSHIFT_CHOICE_OF_${package}}" STREQUAL choice)
    message(FATAL_ERROR "${variable} or PETSC_ARCH has changed since this folder was configured "
                        "('$CACHE{GEARSHIFT_CHOICE_OF_${package}}' then, '${choice}' now): use a new "
                        "build folder, or cmake --fresh.")
  endif()
  if(folder STREQUAL "")
    if(NOT arch STREQUAL "" AND package STREQUAL PETSc)
      message(FATAL_ERROR "PETSC_ARCH (${arch}) without PETSC_DIR does not identify a PETSc: also set PETSC_DIR, or "
                          "unset PETSC_ARCH.")
    endif()
  else()
    set(place "${folder}/lib/pkgconfig")
    # SLEPc may be installed although PETSc is used from its source folder.
    if(NOT arch STREQUAL "" AND (package STREQUAL PETSc OR NOT EXISTS "${place}/${package}.pc"))
      set(place "${folder}/${arch}/lib/pkgconfig")
    endif()
    if(NOT EXISTS "${place}/${package}.pc")
      message(FATAL_ERROR "${variable}: no ${package}.pc in ${place}. Set ${variable} to a built or installed ${package}, with "
                          "PETSC_ARCH (now '${arch}') if it is in its source folder, and without PETSC_ARCH if it is "
                          "installed; or unset both to use the one that pkg-config finds.")
    endif()
    set(ENV{PKG_CONFIG_PATH} "${place}:$ENV{PKG_CONFIG_PATH}")
  endif()
  set(GEARSHIFT_CHOICE_OF_${package} "${choice}" CACHE INTERNAL "The values of ${variable} and PETSC_ARCH")
endfunction()

gearshift_package_of(PETSC_DIR PETSc)
# Without a choice of the user, the PETSc that gearshift was built with is preferred to the system's.
if(GEARSHIFT_BUILT_WITH_PETSC)
  set(ENV{PKG_CONFIG_PATH} "$ENV{PKG_CONFIG_PATH}:${GEARSHIFT_BUILT_WITH_PETSC}")
endif()
pkg_check_modules(PETSC IMPORTED_TARGET PETSc)
if(NOT PETSC_FOUND)
  message(FATAL_ERROR "PETSc was not found by pkg-config. On Debian or Ubuntu: apt-get install petsc-dev. "
                      "Your own build: set PETSC_DIR (and PETSC_ARCH), or add its lib/pkgconfig to PKG_CONFIG_PATH.")
endif()
pkg_get_variable(gearshift_petsc_prefix PETSc prefix)
message(STATUS "PETSc ${PETSC_VERSION} in ${gearshift_petsc_prefix}")
if(PETSC_VERSION VERSION_LESS 3.18)
  message(FATAL_ERROR "PETSc ${PETSC_VERSION} is too old: gearshift needs 3.18 or newer. Set PETSC_DIR to a newer one.")
endif()

# Users of a static PETSc must also link the libraries that PETSc needs: pkg-config lists them for static linking only.
# Programs export the functions of that PETSc, so that a plug-in such as libgearshift.so uses them and not its own copy.
set(gearshift_static_petsc)
foreach(library IN LISTS PETSC_LINK_LIBRARIES)
  if(library MATCHES "/libpetsc[^/]*[.]a$")
    set(gearshift_static_petsc "${library}")
  endif()
endforeach()
if(gearshift_static_petsc)
  target_link_libraries(PkgConfig::PETSC INTERFACE ${PETSC_STATIC_LDFLAGS})
  target_link_options(PkgConfig::PETSC INTERFACE -rdynamic)
endif()

# Use the MPI of that PETSc unless another is requested: PATH may contain a different one. PETSc.pc has the compiler as
# PETSc's configure was given it, as a path or as a name, such as mpicc.mpich.
foreach(language C CXX)
  string(TOLOWER ${language}compiler compiler)
  pkg_get_variable(compiler PETSc ${compiler})
  if(NOT DEFINED MPI_${language}_COMPILER AND compiler MATCHES "^mpi[^/ ]*$")
    find_program(gearshift_mpi_compiler "${compiler}" NO_CACHE)
    if(gearshift_mpi_compiler)
      set(compiler "${gearshift_mpi_compiler}")
    endif()
    unset(gearshift_mpi_compiler)
  endif()
  if(NOT DEFINED MPI_${language}_COMPILER AND IS_ABSOLUTE "${compiler}" AND EXISTS "${compiler}")
    set(MPI_${language}_COMPILER "${compiler}")
  endif()
endforeach()
