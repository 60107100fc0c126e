# Install, CMake package, pkg-config file.
include(CMakePackageConfigHelpers)
set(gearshift_targets gearshift)
if(GEARSHIFT_SOLID)
  list(APPEND gearshift_targets gearshift_solid)
endif()
install(TARGETS ${gearshift_targets} EXPORT gearshiftTargets FILE_SET HEADERS)
install(EXPORT gearshiftTargets NAMESPACE gearshift:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gearshift)
configure_package_config_file(cmake/gearshiftConfig.cmake.in gearshiftConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gearshift)
write_basic_package_version_file(gearshiftConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gearshiftConfig.cmake ${PROJECT_BINARY_DIR}/gearshiftConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gearshift)
# Relative to the file itself: right for any prefix given at install time.
file(RELATIVE_PATH gearshift_pc_to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" gearshift_pc_to_prefix ${gearshift_pc_to_prefix})
configure_file(cmake/gearshift.pc.in gearshift.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/gearshift.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
