# Makes Revision.inc in the build folder, which has the commit that is checked
# out, if it is one: by LLVM's own script, again after each commit.
set(CONVOPT_REVISION_FILE ${PROJECT_BINARY_DIR}/Revision.inc)
set(head ${PROJECT_SOURCE_DIR}/.git/logs/HEAD)
if(EXISTS ${head})
  add_custom_command(OUTPUT ${CONVOPT_REVISION_FILE} DEPENDS ${head}
    COMMAND ${CMAKE_COMMAND} -DNAMES=CONVOPT
      -DCONVOPT_SOURCE_DIR=${PROJECT_SOURCE_DIR}
      -DHEADER_FILE=${CONVOPT_REVISION_FILE}
      -P ${LLVM_CMAKE_DIR}/GenerateVersionFromVCS.cmake
    COMMENT "Asking which commit this is" VERBATIM)
else() # a source package
  file(WRITE ${CONVOPT_REVISION_FILE} "")
endif()
add_custom_target(convopt-revision DEPENDS ${CONVOPT_REVISION_FILE})
