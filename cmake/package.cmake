# Installation, CMake package, pkg-config file.
include(CMakePackageConfigHelpers)
set(gearshift_targets gearshift)
if(GEARSHIFT_SOLID)
  list(APPEND gearshift_targets gearshift_solid)
endif()
if(TARGET gearshift_fortran)
  install(TARGETS gearshift_fortran EXPORT gearshiftTargets)
endif()
install(TARGETS ${gearshift_targets} EXPORT gearshiftTargets FILE_SET HEADERS)
install(EXPORT gearshiftTargets NAMESPACE gearshift:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gearshift)
set(gearshift_kernel_headers ${CMAKE_INSTALL_INCLUDEDIR}/gearshift/kernels)
configure_package_config_file(cmake/gearshiftConfig.cmake.in gearshiftConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gearshift PATH_VARS gearshift_kernel_headers)
write_basic_package_version_file(gearshiftConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gearshiftConfig.cmake ${PROJECT_BINARY_DIR}/gearshiftConfigVersion.cmake
              cmake/find_petsc.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gearshift)
if(GEARSHIFT_SOLID)
  # The files with which gearshift_add_law() compiles user-defined laws.
  install(FILES cmake/laws.cmake cmake/law.cpp.in cmake/register_law.cpp.in
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gearshift)
  install(DIRECTORY src/solid/kernels src/solid/material src/solid/numerics DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gearshift/kernels/solid
    FILES_MATCHING PATTERN "*.hpp")
endif()
# The prefix is given relative to the file itself, so that it is right for any prefix given at install time.
file(RELATIVE_PATH gearshift_pc_to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" gearshift_pc_to_prefix ${gearshift_pc_to_prefix})
foreach(target IN LISTS gearshift_targets)
  configure_file(cmake/${target}.pc.in ${target}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${target}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

# A package for Debian and Ubuntu: cpack -G DEB in the build folder. dpkg-shlibdeps finds the libraries that gearshift
# is linked with; to compile against the package, PETSc's headers are needed, too. No package is made with kernels for
# this machine only, because other machines may lack its instruction set.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME gearshift)
set(CPACK_PACKAGE_CONTACT "The developers of gearshift <maintainers@gearshift.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "openmpi-bin, python3")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "petsc-dev, libeigen3-dev, pkgconf, gnuplot-nox")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-vtk9, python3-matplotlib, python3-petsc4py-real")
if(PROJECT_IS_TOP_LEVEL AND GEARSHIFT_KERNELS STREQUAL all)
  include(CPack)
endif()
