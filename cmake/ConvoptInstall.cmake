# Two components: Tools, which needs nothing of LLVM's development files, and
# Libraries.
include(CMakePackageConfigHelpers)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/convopt)

get_property(tools GLOBAL PROPERTY CONVOPT_TOOLS)
install(TARGETS ${tools} EXPORT convoptTools COMPONENT Tools
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(EXPORT convoptTools NAMESPACE convopt:: DESTINATION ${config_dir}
  COMPONENT Tools)

get_property(libraries GLOBAL PROPERTY CONVOPT_LIBRARIES)
install(TARGETS ${libraries} EXPORT convoptLibraries COMPONENT Libraries
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT convoptLibraries NAMESPACE convopt:: DESTINATION ${config_dir}
  COMPONENT Libraries)
install(DIRECTORY include/convopt DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT Libraries FILES_MATCHING PATTERN "*.h")

configure_package_config_file(cmake/convoptConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/convoptConfig.cmake
  INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(
  ${CMAKE_CURRENT_BINARY_DIR}/convoptConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/convoptConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/convoptConfigVersion.cmake
  cmake/ConvoptAddKernel.cmake cmake/ConvoptZstd.cmake
  DESTINATION ${config_dir} COMPONENT Tools)
