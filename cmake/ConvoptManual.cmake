# Man pages and completions from what tools say of themselves, and the
# documentation with links to what is installed alone.
find_package(Python3 COMPONENTS Interpreter)
if(NOT Python3_FOUND)
  message(STATUS "No man pages, completions and installed documentation: "
    "they need python3")
  return()
endif()
include(GNUInstallDirs)
set(manual ${PROJECT_BINARY_DIR}/share)
set(from_help ${PROJECT_SOURCE_DIR}/scripts/from-help.py)
set(files)

# convopt_from_help(man convopt share/man/man1 convopt.1)
function(convopt_from_help kind tool destination name)
  set(output ${manual}/${kind}/${name})
  file(MAKE_DIRECTORY ${manual}/${kind})
  add_custom_command(OUTPUT ${output} DEPENDS ${tool} ${from_help}
    COMMAND ${Python3_EXECUTABLE} ${from_help} ${kind} $<TARGET_FILE:${tool}>
      ${PROJECT_VERSION} ${output}
    COMMENT "Making ${name} from ${tool} -help" VERBATIM)
  install(FILES ${output} DESTINATION ${destination} COMPONENT Tools)
  set(files ${files} ${output} PARENT_SCOPE)
endfunction()

get_property(tools GLOBAL PROPERTY CONVOPT_TOOLS)
foreach(tool IN LISTS tools)
  convopt_from_help(man ${tool} ${CMAKE_INSTALL_MANDIR}/man1 ${tool}.1)
  convopt_from_help(bash ${tool}
    ${CMAKE_INSTALL_DATADIR}/bash-completion/completions ${tool})
  convopt_from_help(zsh ${tool}
    ${CMAKE_INSTALL_DATADIR}/zsh/site-functions _${tool})
endforeach()

set(names README.md LICENSE docs examples)
file(GLOB_RECURSE pages CONFIGURE_DEPENDS docs/* examples/*)
set(links ${PROJECT_SOURCE_DIR}/scripts/links.py)
set(copied ${manual}/doc.stamp)
add_custom_command(OUTPUT ${copied} DEPENDS ${pages} README.md LICENSE ${links}
  COMMAND ${Python3_EXECUTABLE} ${links} copy ${PROJECT_SOURCE_DIR}
    ${manual}/doc ${names}
  COMMAND ${CMAKE_COMMAND} -E touch ${copied}
  COMMENT "Copying the documentation" VERBATIM)
install(DIRECTORY ${manual}/doc/ DESTINATION ${CMAKE_INSTALL_DOCDIR}
  COMPONENT Tools)

add_custom_target(convopt-manual ALL DEPENDS ${files} ${copied})
