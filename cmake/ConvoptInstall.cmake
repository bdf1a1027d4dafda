include(CMakePackageConfigHelpers)
get_property(targets GLOBAL PROPERTY CONVOPT_TARGETS)
install(TARGETS ${targets} EXPORT convoptTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/convopt DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT convoptTargets NAMESPACE convopt::
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/convopt)
configure_package_config_file(cmake/convoptConfig.cmake.in
  ${CMAKE_BINARY_DIR}/convoptConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/convopt)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/convoptConfigVersion.cmake
  COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_BINARY_DIR}/convoptConfig.cmake
  ${CMAKE_BINARY_DIR}/convoptConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/convopt)
