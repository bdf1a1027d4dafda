# Makes Revision.inc in the build folder, which has the commit that is checked
# out, if one is: by LLVM's own script, again after each commit.
set(CONVOPT_REVISION_FILE ${PROJECT_BINARY_DIR}/Revision.inc)
set(top)
find_package(Git QUIET)
if(Git_FOUND)
  execute_process(
    COMMAND ${GIT_EXECUTABLE} rev-parse --show-toplevel --git-path logs/HEAD
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  string(REGEX MATCH "^([^\n]*)\n(.*)$" answer "${answer}")
  file(REAL_PATH "${CMAKE_MATCH_1}" top)
  cmake_path(ABSOLUTE_PATH CMAKE_MATCH_2 BASE_DIRECTORY ${PROJECT_SOURCE_DIR}
    OUTPUT_VARIABLE head)
endif()
file(REAL_PATH ${PROJECT_SOURCE_DIR} source)
if(answer AND top STREQUAL source AND EXISTS ${head})
  add_custom_command(OUTPUT ${CONVOPT_REVISION_FILE} DEPENDS ${head}
    COMMAND ${CMAKE_COMMAND} -DNAMES=CONVOPT
      -DCONVOPT_SOURCE_DIR=${PROJECT_SOURCE_DIR}
      -DHEADER_FILE=${CONVOPT_REVISION_FILE}
      -P ${LLVM_CMAKE_DIR}/GenerateVersionFromVCS.cmake
    COMMENT "Asking which commit this is" VERBATIM)
else() # a source package, perhaps within another project's repository
  file(CONFIGURE OUTPUT ${CONVOPT_REVISION_FILE} CONTENT "// none\n")
endif()
add_custom_target(convopt-revision DEPENDS ${CONVOPT_REVISION_FILE})
