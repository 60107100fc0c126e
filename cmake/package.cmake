# Install, CMake package, pkg-config file.
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
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gearshift)
if(GEARSHIFT_SOLID)
  # What gearshift_add_law() compiles users' laws with.
  install(FILES cmake/laws.cmake cmake/law.cpp.in cmake/register_law.cpp.in
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gearshift)
  install(DIRECTORY src/solid/kernels src/solid/material src/solid/numerics DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gearshift/kernels/solid
    FILES_MATCHING PATTERN "*.hpp")
endif()
# Relative to the file itself: right for any prefix given at install time.
file(RELATIVE_PATH gearshift_pc_to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" gearshift_pc_to_prefix ${gearshift_pc_to_prefix})
foreach(target IN LISTS gearshift_targets)
  configure_file(cmake/${target}.pc.in ${target}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${target}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
