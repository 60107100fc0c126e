# PETSc (through pkg-config), the MPI it was built with, Eigen.

find_package(PkgConfig REQUIRED)
# A package that the user points at by an environment variable comes before the system's; one that is not there is an error,
# since another would be used without a word.
function(gearshift_package_of variable package)
  if("$ENV{${variable}}" STREQUAL "")
    return()
  endif()
  set(folders "$ENV{${variable}}/lib/pkgconfig")
  if(NOT "$ENV{PETSC_ARCH}" STREQUAL "")
    list(PREPEND folders "$ENV{${variable}}/$ENV{PETSC_ARCH}/lib/pkgconfig")
  endif()
  foreach(folder IN LISTS folders)
    if(EXISTS "${folder}/${package}.pc")
      set(ENV{PKG_CONFIG_PATH} "${folder}:$ENV{PKG_CONFIG_PATH}")
      return()
    endif()
  endforeach()
  list(JOIN folders " nor in " places)
  message(FATAL_ERROR "${variable}: no ${package}.pc in ${places}. Set ${variable} (and PETSC_ARCH) to a built or installed "
                      "${package}, or unset it for the one that pkg-config finds.")
endfunction()
gearshift_package_of(PETSC_DIR PETSc)
pkg_check_modules(PETSC IMPORTED_TARGET PETSc)
if(NOT PETSC_FOUND)
  message(FATAL_ERROR "PETSc was not found by pkg-config. On Debian or Ubuntu: apt-get install petsc-dev. "
                      "Your own build: set PETSC_DIR (and PETSC_ARCH), or add its lib/pkgconfig to PKG_CONFIG_PATH.")
endif()
message(STATUS "PETSc ${PETSC_VERSION} in ${PETSC_PREFIX}")
if(PETSC_VERSION VERSION_LESS 3.18)
  message(FATAL_ERROR "PETSc ${PETSC_VERSION} is too old: gearshift needs 3.18 or newer. Set PETSC_DIR to a newer one.")
endif()

# Optional, of the same version as PETSc.
option(GEARSHIFT_SLEPC "Natural frequencies by SLEPc, where it is found" ON)
if(GEARSHIFT_SLEPC)
  gearshift_package_of(SLEPC_DIR SLEPc)
  pkg_check_modules(SLEPC IMPORTED_TARGET SLEPc)
  if(SLEPC_FOUND)
    string(REGEX MATCH "^[0-9]+[.][0-9]+" slepc_series "${SLEPC_VERSION}")
    string(REGEX MATCH "^[0-9]+[.][0-9]+" petsc_series "${PETSC_VERSION}")
    if(NOT slepc_series STREQUAL petsc_series)
      message(STATUS "SLEPc ${SLEPC_VERSION} does not belong to PETSc ${PETSC_VERSION}: no -modes")
      set(SLEPC_FOUND FALSE)
    endif()
    # A program with two PETScs, as of 32- and 64-bit indices, would be wrong without a word.
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
          message(STATUS "SLEPc (${library}) was built on ${name}, gearshift on ${petsc_library}: no -modes. Set SLEPC_DIR "
                         "to the SLEPc of this PETSc")
          set(SLEPC_FOUND FALSE)
        endif()
      endforeach()
    endforeach()
  endif()
endif()

# Optional, and only where it is asked for: Debian has none.
option(GEARSHIFT_PRECICE "Coupled problems by preCICE, version 3" OFF)
if(GEARSHIFT_PRECICE)
  find_package(precice 3 REQUIRED CONFIG)
endif()

find_package(MPI REQUIRED COMPONENTS C CXX)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)

include(CheckCXXSourceCompiles)
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

# PETSc's HDF5 viewer, where PETSc has one and the headers of the HDF5 it was built with are found; and that HDF5 itself,
# for checkpoints and frames, so that a program has only one.
pkg_search_module(HDF5 IMPORTED_TARGET hdf5-openmpi hdf5-mpich hdf5)
set(CMAKE_REQUIRED_LIBRARIES PkgConfig::PETSC MPI::MPI_CXX)
if(HDF5_FOUND)
  list(APPEND CMAKE_REQUIRED_LIBRARIES PkgConfig::HDF5)
endif()
check_cxx_source_compiles("#include <petscviewerhdf5.h>
int main() { return PetscViewerHDF5PushGroup(nullptr, nullptr); }" GEARSHIFT_PETSC_HDF5)
if(GEARSHIFT_PETSC_HDF5)
  check_cxx_source_compiles("#include <hdf5.h>
int main() { return static_cast<int>(H5Fcreate(nullptr, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)); }" GEARSHIFT_HDF5)
endif()
unset(CMAKE_REQUIRED_LIBRARIES)

# A Fortran compiler that can read PETSc's modules, which are those of one compiler.
# Its programs run without sanitizers.
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
    unset(CMAKE_REQUIRED_INCLUDES)
  endif()
endif()
