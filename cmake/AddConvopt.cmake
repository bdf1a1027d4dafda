# g++ 12 warns of uninitialised members of empty std::optionals, wrongly, and of
# moves that llvm::Expected needs; LLVM turns both warnings off, too.
set(CONVOPT_WARNINGS -Wall -Wextra -Wno-unused-parameter
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-redundant-move>)

# convopt_library(Nest A.cpp ... [LINK other ...]) makes convoptNest.
#
# Libraries see LLVM's headers but link none of it: a tool links either the
# shared libLLVM or the static Support library, and never both.
function(convopt_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(convopt${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  add_library(convopt::${name} ALIAS convopt${name})
  set_target_properties(convopt${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(convopt${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_include_directories(convopt${name} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS})
  target_compile_options(convopt${name} PRIVATE ${CONVOPT_WARNINGS})
  target_link_libraries(convopt${name} PUBLIC ${ARG_LINK})
  set_property(GLOBAL APPEND PROPERTY CONVOPT_LIBRARIES convopt${name})
endfunction()

# convopt_embed(file...)
#
# Makes STEM.inc, a string literal of the text of each file, in the current
# binary folder: what is compiled into a library needs no installation.
function(convopt_embed)
  foreach(file IN LISTS ARGN)
    cmake_path(GET file STEM LAST_ONLY stem)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    file(READ ${file} text)
    convopt_embed_text(${stem} "${text}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  endforeach()
endfunction()

function(convopt_embed_text stem text)
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${stem}.inc
    CONTENT "R\"CONVOPT(@text@)CONVOPT\"\n" @ONLY)
endfunction()

# convopt_embed_table(table file... [RENAME file name...])
#
# Makes TABLE.inc, pairs of the names of files and their texts.
function(convopt_embed_table table)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "RENAME")
  set(table_text "")
  foreach(file IN LISTS ARG_UNPARSED_ARGUMENTS)
    cmake_path(GET file FILENAME name)
    list(FIND ARG_RENAME ${name} at)
    if(NOT at EQUAL -1)
      math(EXPR at "${at} + 1")
      list(GET ARG_RENAME ${at} name)
    endif()
    file(READ ${file} text)
    string(APPEND table_text "{\"${name}\", R\"CONVOPT(${text})CONVOPT\"},\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${table}.inc
    CONTENT "@table_text@" @ONLY)
endfunction()

# convopt_embed_declarations(file attributes)
#
# Makes STEM_declared.inc, a string literal of what a header declares: functions
# without their bodies, which are as clang-format leaves them, and with the
# attributes in place of `inline`.
function(convopt_embed_declarations file attributes)
  cmake_path(GET file STEM LAST_ONLY stem)
  file(READ ${file} text)
  string(REGEX REPLACE "\\) {\n( [^\n]*\n|\n)*}\n" ");\n" text "${text}")
  string(REGEX REPLACE "\\) { [^\n]* }( *[\\]?)\n" ");\\1\n" text "${text}")
  string(REPLACE "inline " "${attributes}" text "${text}")
  convopt_embed_text(${stem}_declared "${text}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
endfunction()

# convopt_tool(convopt-opt main.cpp LINK Schedule ... [CLANG])
#
# CLANG links the shared libclang-cpp and libLLVM; without it the tool links
# LLVM's Support library statically and runs where there is no LLVM.
function(convopt_tool name)
  cmake_parse_arguments(ARG "CLANG" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS}
    ${PROJECT_SOURCE_DIR}/tools/Revision.cpp)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tools
    ${PROJECT_BINARY_DIR})
  add_dependencies(${name} convopt-revision)
  target_compile_options(${name} PRIVATE ${CONVOPT_WARNINGS})
  list(TRANSFORM ARG_LINK PREPEND convopt::)
  if(ARG_CLANG)
    target_link_libraries(${name} PRIVATE ${ARG_LINK} clang-cpp LLVM)
  else()
    # LLVM's library comes last, as any of ours may need it.
    get_property(libraries GLOBAL PROPERTY CONVOPT_LIBRARIES)
    list(REMOVE_ITEM libraries convoptFrontend)
    target_link_libraries(${name} PRIVATE ${ARG_LINK} ${libraries} LLVMSupport)
  endif()
  set_property(GLOBAL APPEND PROPERTY CONVOPT_TOOLS ${name})
endfunction()
