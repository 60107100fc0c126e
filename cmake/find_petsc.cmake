# PETSc by pkg-config; read by gearshift's own build and by gearshiftConfig.cmake.
#
# PETSC_DIR and PETSC_ARCH (and SLEPC_DIR, by gearshift's own build), as variables of CMake or of the environment, are obeyed or
# refused: otherwise another PETSc than the one that is meant would be used without a message.

find_package(PkgConfig REQUIRED)

# Sets `result` to the value of a CMake variable or, without one, of the environment's.
function(gearshift_given variable result)
  if(DEFINED ${variable} AND NOT "${${variable}}" STREQUAL "")
    set(${result} "${${variable}}" PARENT_SCOPE)
  else()
    set(${result} "$ENV{${variable}}" PARENT_SCOPE)
  endif()
endfunction()

# Puts the folder of `package`.pc below the folder that `variable` names before the others of pkg-config.
function(gearshift_package_of variable package)
  gearshift_given(${variable} folder)
  gearshift_given(PETSC_ARCH arch)
  string(REGEX REPLACE "(.)/+$" "\\1" folder "${folder}")
  # What pkg-config found is kept in the cache, with every path, so that a new choice would be overlooked; where nothing is given
  # any more, as when the build system runs CMake again, the choice holds.
  set(choice "${folder}/${arch}")
  if(DEFINED CACHE{GEARSHIFT_CHOICE_OF_${package}} AND folder STREQUAL "")
    string(REGEX MATCH "^(.*)/([^/]*)$" ignored "$CACHE{GEARSHIFT_CHOICE_OF_${package}}")
    set(folder "${CMAKE_MATCH_1}")
    set(arch "${CMAKE_MATCH_2}")
    set(choice "${folder}/${arch}")
  elseif(DEFINED CACHE{GEARSHIFT_CHOICE_OF_${package}} AND NOT "$CACHE{GEARSHIFT_CHOICE_OF_${package}}" STREQUAL choice)
    message(FATAL_ERROR "${variable} or PETSC_ARCH is another than when this folder was configured "
                        "('$CACHE{GEARSHIFT_CHOICE_OF_${package}}' then, '${choice}' now): take a new build folder, or cmake --fresh.")
  endif()
  if(folder STREQUAL "")
    if(NOT arch STREQUAL "" AND package STREQUAL PETSc)
      message(FATAL_ERROR "PETSC_ARCH (${arch}) without PETSC_DIR names no PETSc: set PETSC_DIR, too, or unset PETSC_ARCH.")
    endif()
  else()
    set(place "${folder}/lib/pkgconfig")
    # An installed SLEPc may stand beside a PETSc in its source folder.
    if(NOT arch STREQUAL "" AND (package STREQUAL PETSc OR NOT EXISTS "${place}/${package}.pc"))
      set(place "${folder}/${arch}/lib/pkgconfig")
    endif()
    if(NOT EXISTS "${place}/${package}.pc")
      message(FATAL_ERROR "${variable}: no ${package}.pc in ${place}. Set ${variable} to a built or installed ${package}, with "
                          "PETSC_ARCH (now '${arch}') where it was built in its source folder and without where it was installed; "
                          "or unset both for the one that pkg-config finds.")
    endif()
    set(ENV{PKG_CONFIG_PATH} "${place}:$ENV{PKG_CONFIG_PATH}")
  endif()
  set(GEARSHIFT_CHOICE_OF_${package} "${choice}" CACHE INTERNAL "What ${variable} and PETSC_ARCH were")
endfunction()

gearshift_package_of(PETSC_DIR PETSc)
# Without a word of the user's, the PETSc that gearshift was built with before the system's.
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

# A static PETSc leaves the libraries that it needs itself to its users: pkg-config lists them for static linking only. Programs
# export the functions of that PETSc, so that a plug-in such as libgearshift.so uses them and not its own copy.
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

# The MPI of that PETSc, unless another is asked for: PATH may have one more.
foreach(language C CXX)
  string(TOLOWER ${language}compiler compiler)
  pkg_get_variable(compiler PETSc ${compiler})
  if(NOT DEFINED MPI_${language}_COMPILER AND IS_ABSOLUTE "${compiler}" AND EXISTS "${compiler}")
    set(MPI_${language}_COMPILER "${compiler}")
  endif()
endforeach()
