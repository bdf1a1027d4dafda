include(CMakePackageConfigHelpers)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/convopt)

get_property(targets GLOBAL PROPERTY CONVOPT_TARGETS)
install(TARGETS ${targets} EXPORT convoptTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/convopt DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(EXPORT convoptTargets NAMESPACE convopt:: DESTINATION ${config_dir})
configure_package_config_file(cmake/convoptConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/convoptConfig.cmake
  INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(
  ${CMAKE_CURRENT_BINARY_DIR}/convoptConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/convoptConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/convoptConfigVersion.cmake
  cmake/ConvoptZstd.cmake
  DESTINATION ${config_dir})
