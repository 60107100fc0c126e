# PETSc (through pkg-config), the MPI it was built with, Eigen.

include(find_petsc)

# SLEPc is optional; it must have the same version as PETSc.
option(GEARSHIFT_SLEPC "Natural frequencies by SLEPc, if it is found" ON)
if(GEARSHIFT_SLEPC)
  gearshift_package_of(SLEPC_DIR SLEPc)
  pkg_check_modules(SLEPC IMPORTED_TARGET SLEPc)
  if(SLEPC_FOUND)
    string(REGEX MATCH "^[0-9]+[.][0-9]+" slepc_series "${SLEPC_VERSION}")
    string(REGEX MATCH "^[0-9]+[.][0-9]+" petsc_series "${PETSC_VERSION}")
    if(NOT slepc_series STREQUAL petsc_series)
      message(STATUS "SLEPc ${SLEPC_VERSION} does not match PETSc ${PETSC_VERSION}: gearshift is built without -modes")
      set(SLEPC_FOUND FALSE)
    endif()
    # A program with two PETScs, for example with 32- and 64-bit indices, would compute wrong results without a message.
    set(petsc_library)
    foreach(library IN LISTS PETSC_LINK_LIBRARIES)
      if(library MATCHES "/libpetsc[^/]*$")
        file(REAL_PATH "${library}" petsc_library)
        get_filename_component(petsc_library "${petsc_library}" NAME)
      endif()
    endforeach()
    foreach(library IN LISTS SLEPC_LINK_LIBRARIES)
      if(NOT library MATCHES "/libslepc[^/]*[.]so" OR NOT petsc_library)
        continue()
      endif()
      file(STRINGS "${library}" needed REGEX "^libpetsc[A-Za-z0-9_]*[.]so[.0-9]*$")
      foreach(name IN LISTS needed)
        string(FIND "${petsc_library}" "${name}" at)
        if(NOT at EQUAL 0)
          message(STATUS "SLEPc (${library}) was built with ${name}, gearshift with ${petsc_library}: "
                         "gearshift is built without -modes. Set SLEPC_DIR to the SLEPc of this PETSc")
          set(SLEPC_FOUND FALSE)
        endif()
      endforeach()
    endforeach()
  endif()
endif()

# preCICE is optional and off by default, because Debian has no package of it.
option(GEARSHIFT_PRECICE "Coupled problems by preCICE, version 3" OFF)
if(GEARSHIFT_PRECICE)
  find_package(precice 3 REQUIRED CONFIG)
endif()

find_package(MPI REQUIRED COMPONENTS C CXX)
find_package(Eigen3 REQUIRED NO_MODULE)  # version 5 follows 3.4; it has another major version
if(Eigen3_VERSION VERSION_LESS 3.4)
  message(FATAL_ERROR "Eigen ${Eigen3_VERSION} in ${Eigen3_DIR} is too old: set Eigen3_DIR to 3.4 or newer "
                      "(Debian: libeigen3-dev)")
endif()

include(CheckCXXSourceCompiles)
# libgearshift contains a static PETSc completely. Programs link libgearshift before PETSc and find all of PETSc there,
# so that they have only one PETSc, with one set of options and registered types.
set(gearshift_whole_petsc)
if(gearshift_static_petsc)
  set(gearshift_whole_petsc LINKER:--whole-archive,${gearshift_static_petsc},--no-whole-archive)
  set(CMAKE_REQUIRED_LINK_OPTIONS -shared ${gearshift_whole_petsc})
  set(CMAKE_REQUIRED_LIBRARIES PkgConfig::PETSC MPI::MPI_CXX)
  check_cxx_source_compiles("void part_of_a_shared_library() {}" GEARSHIFT_PETSC_IN_SHARED)
  unset(CMAKE_REQUIRED_LIBRARIES)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
  if(NOT GEARSHIFT_PETSC_IN_SHARED)
    message(FATAL_ERROR "This static PETSc cannot be linked into libgearshift, which is a shared library: "
                        "${gearshift_static_petsc}. Configure PETSc with shared libraries, its default, or with CFLAGS, CXXFLAGS "
                        "and FFLAGS that contain -fPIC. See CMakeFiles/CMakeError.log.")
  endif()
endif()

set(CMAKE_REQUIRED_LIBRARIES PkgConfig::PETSC MPI::MPI_CXX)
check_cxx_source_compiles("#include <petscsys.h>
int main() { return 0; }" GEARSHIFT_PETSC_COMPILES)
if(NOT GEARSHIFT_PETSC_COMPILES)
  message(FATAL_ERROR "A program that includes petscsys.h does not compile and link: is ${MPI_CXX_COMPILER} the MPI "
                      "that PETSc ${PETSC_VERSION} was built with? See CMakeFiles/CMakeError.log.")
endif()
check_cxx_source_compiles("#include <petscsys.h>
#if defined(PETSC_USE_COMPLEX) || !defined(PETSC_USE_REAL_DOUBLE)
#error
#endif
int main() { return 0; }" GEARSHIFT_PETSC_REAL_DOUBLE)
unset(CMAKE_REQUIRED_LIBRARIES)
if(NOT GEARSHIFT_PETSC_REAL_DOUBLE)
  message(FATAL_ERROR "This PETSc has complex or single-precision scalars; gearshift needs real double ones "
                      "(Debian: libpetsc-real-dev; own build: --with-scalar-type=real --with-precision=double).")
endif()

include(CheckTypeSize)
set(CMAKE_REQUIRED_LIBRARIES PkgConfig::PETSC MPI::MPI_CXX)
set(CMAKE_EXTRA_INCLUDE_FILES petscsys.h)
check_type_size(PetscInt GEARSHIFT_PETSC_INT LANGUAGE CXX)
unset(CMAKE_EXTRA_INCLUDE_FILES)
unset(CMAKE_REQUIRED_LIBRARIES)
math(EXPR GEARSHIFT_INDEX_BITS "8 * ${GEARSHIFT_PETSC_INT}")

# Checks for PETSc's HDF5 viewer and for the headers of the HDF5 that PETSc was built with. gearshift uses the same HDF5
# for checkpoints and frames, so that a program has only one. PETSc's list of variables names it; without that list the
# HDF5 of pkg-config is used.
pkg_get_variable(petsc_libdir PETSc libdir)
set(HDF5_FOUND FALSE)
if(EXISTS "${petsc_libdir}/petsc/conf/petscvariables")
  file(STRINGS "${petsc_libdir}/petsc/conf/petscvariables" petsc_hdf5 REGEX "^HDF5_(LIB|INCLUDE) *=")
  foreach(line IN LISTS petsc_hdf5)
    string(REGEX MATCH "^HDF5_([A-Z]+) *= *(.*)" ignored "${line}")
    separate_arguments(petsc_hdf5_${CMAKE_MATCH_1} UNIX_COMMAND "${CMAKE_MATCH_2}")
  endforeach()
  if(petsc_hdf5_LIB)
    set(HDF5_FOUND TRUE)
    list(TRANSFORM petsc_hdf5_INCLUDE REPLACE "^-I" "" OUTPUT_VARIABLE HDF5_INCLUDE_DIRS)
    set(HDF5_LINK_LIBRARIES ${petsc_hdf5_LIB})
  endif()
else()
  pkg_search_module(HDF5 hdf5-openmpi hdf5-mpich hdf5)
endif()
set(CMAKE_REQUIRED_LIBRARIES PkgConfig::PETSC MPI::MPI_CXX)
if(HDF5_FOUND)
  list(APPEND CMAKE_REQUIRED_LIBRARIES ${HDF5_LINK_LIBRARIES})
  set(CMAKE_REQUIRED_INCLUDES ${HDF5_INCLUDE_DIRS})
endif()
# Since 3.25 a PETSc without HDF5 has these functions, too, but they fail with an error.
check_cxx_source_compiles("#include <petscviewerhdf5.h>
#if !defined(PETSC_HAVE_HDF5)
#error
#endif
int main() { return PetscViewerHDF5PushGroup(nullptr, nullptr); }" GEARSHIFT_PETSC_HDF5)
if(GEARSHIFT_PETSC_HDF5)
  check_cxx_source_compiles("#include <hdf5.h>
int main() { return static_cast<int>(H5Fcreate(nullptr, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)); }" GEARSHIFT_HDF5)
endif()
unset(CMAKE_REQUIRED_LIBRARIES)
unset(CMAKE_REQUIRED_INCLUDES)
if(GEARSHIFT_HDF5)
  message(STATUS "HDF5: ${HDF5_INCLUDE_DIRS}")
elseif(GEARSHIFT_PETSC_HDF5)
  message(STATUS "HDF5: none, because the headers of PETSc's HDF5 do not compile here: no checkpoints, no frames in VTKHDF")
else()
  message(STATUS "HDF5: none, because this PETSc has none: no checkpoints, no frames in VTKHDF")
endif()

# Finds PETSc's tutorials of the same release: in its source folder, in its installation, or in Debian's folder for
# them.
set(GEARSHIFT_PETSC_TUTORIALS)
string(REGEX MATCH "^[0-9]+[.][0-9]+" petsc_series "${PETSC_VERSION}")
foreach(folder "${gearshift_petsc_prefix}/../src/ts/tutorials" "${gearshift_petsc_prefix}/src/ts/tutorials"
        "${gearshift_petsc_prefix}/share/petsc/examples/src/ts/tutorials"
        "/usr/share/petsc/${petsc_series}/share/petsc/examples/src/ts/tutorials")
  if(NOT GEARSHIFT_PETSC_TUTORIALS AND EXISTS "${folder}/ex8.c")
    set(GEARSHIFT_PETSC_TUTORIALS "${folder}")
  endif()
endforeach()

# Finds a Fortran compiler that can read PETSc's modules, because only the compiler that wrote them can. Fortran
# programs run without sanitizers.
if(GEARSHIFT_FORTRAN AND GEARSHIFT_TS AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
  include(CheckLanguage)
  check_language(Fortran)
  if(CMAKE_Fortran_COMPILER)
    enable_language(Fortran)
    include(CheckSourceCompiles)
    set(CMAKE_REQUIRED_INCLUDES ${PETSC_INCLUDE_DIRS})
    check_source_compiles(Fortran "program reads
#include <petsc/finclude/petscts.h>
  use petscts
  implicit none
end program" GEARSHIFT_PETSC_FORTRAN SRC_EXT F90)
    check_source_compiles(Fortran "program declares
#include <petsc/finclude/petscts.h>
  use petscts, only: TSSetI2Function, TSSetI2Jacobian
  implicit none
end program" GEARSHIFT_PETSC_DECLARES_I2 SRC_EXT F90)
    unset(CMAKE_REQUIRED_INCLUDES)
  endif()
endif()
