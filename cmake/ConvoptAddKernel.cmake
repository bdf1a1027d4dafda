# convopt_add_kernel(TARGET target SOURCES source...
#   [OPTIONS option...] [COMPILE_OPTIONS option...]
#   [LINK instead|beside] [HEADERS] [OUTPUTS variable])
#
# Has the build tile each source with convopt, whose OPTIONS are as on its
# command line (-assume=K=7, or -schedule=FILE from the current source folder),
# and adds what comes of it to the target:
# STEM_tiled.cu in the folder CMAKE_CURRENT_BINARY_DIR/convopt/TARGET. It is made
# again when the source, a header of its own, a schedule or convopt changes.
# convopt's messages are the build's; where it refuses, the build fails.
#
# Include folders, definitions and the language's standard (CXX_STANDARD and its
# like) are those of the target; COMPILE_OPTIONS are more (-DK=7), for this source alone.
#
# LINK instead, the default: the result stands in place of the source, which the
# target compiles no more. Of C, the source's part stays C (STEM_tiled.c).
# LINK beside: the target compiles the source, too, and has the tiled functions
# besides; docs/Building.md says which sources allow that.
#
# HEADERS: STEM_tiled.h declares the added functions; its folder becomes one of
# the target's include folders.
#
# OUTPUTS: the results are listed in the variable, and added to no target, for
# projects that compile them in another way than as CMake's language CUDA.

# The options of the compiler by which convopt reads \p source, as a list with
# generator expressions.
function(_convopt_compile_options result target source)
  set(all)
  foreach(pair "-I INCLUDE_DIRECTORIES" "-D COMPILE_DEFINITIONS")
    separate_arguments(pair)
    list(GET pair 0 option)
    list(GET pair 1 property)
    set(values "$<TARGET_PROPERTY:${target},${property}>")
    list(APPEND all "$<$<BOOL:${values}>:${option}$<JOIN:${values},;${option}>>")
  endforeach()
  set(value "$<TARGET_PROPERTY:${target},CXX_STANDARD>")
  set(name c++)
  if(source MATCHES "\\.c$")
    set(value "$<TARGET_PROPERTY:${target},C_STANDARD>")
    set(name c)
  elseif(source MATCHES "\\.cuh?$") # by default C++'s
    set(own "$<TARGET_PROPERTY:${target},CUDA_STANDARD>")
    set(value "$<IF:$<BOOL:${own}>,${own},${value}>")
  endif()
  list(APPEND all "$<$<BOOL:${value}>:-std=${name}${value}>")
  set(${result} "${all}" PARENT_SCOPE)
endfunction()

# Takes \p source, an absolute path, off the sources of \p target.
function(_convopt_remove_source target source)
  get_target_property(all ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  set(kept)
  foreach(s IN LISTS all)
    cmake_path(ABSOLUTE_PATH s BASE_DIRECTORY "${folder}" NORMALIZE
      OUTPUT_VARIABLE path)
    if(NOT path STREQUAL source)
      list(APPEND kept "${s}")
    endif()
  endforeach()
  set_property(TARGET ${target} PROPERTY SOURCES "${kept}")
endfunction()

# A command that makes \p output of \p source with \p options.
function(_convopt_command output source options compile_options depends)
  file(RELATIVE_PATH name "${CMAKE_SOURCE_DIR}" "${source}")
  add_custom_command(OUTPUT "${output}"
    COMMAND convopt::convopt "${source}" ${options} -o "${output}"
      -MF "${output}.d" -- "${compile_options}"
    DEPENDS convopt::convopt ${depends}
    DEPFILE "${output}.d"
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
    COMMENT "Tiling ${name}"
    COMMAND_EXPAND_LISTS VERBATIM)
endfunction()

function(convopt_add_kernel)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "HEADERS" "TARGET;LINK;OUTPUTS"
    "SOURCES;OPTIONS;COMPILE_OPTIONS")
  set(usage "convopt_add_kernel(TARGET target SOURCES source...)")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR
      "convopt_add_kernel does not take ${ARG_UNPARSED_ARGUMENTS}: ${usage}")
  elseif(NOT ARG_TARGET OR NOT ARG_SOURCES)
    message(FATAL_ERROR
      "convopt_add_kernel needs a target and sources: ${usage}")
  elseif(NOT TARGET ${ARG_TARGET})
    message(FATAL_ERROR "convopt_add_kernel: there is no target ${ARG_TARGET}")
  endif()
  if(NOT ARG_LINK)
    set(ARG_LINK instead)
  elseif(NOT ARG_LINK MATCHES "^(instead|beside)$")
    message(FATAL_ERROR
      "convopt_add_kernel: LINK is instead or beside, not ${ARG_LINK}")
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT ARG_OUTPUTS AND NOT CUDA IN_LIST languages)
    message(FATAL_ERROR "convopt_add_kernel: the project has no language CUDA: "
      "add it to project(), or take the results with OUTPUTS and compile them")
  endif()

  set(folder "${CMAKE_CURRENT_BINARY_DIR}/convopt/${ARG_TARGET}")
  file(MAKE_DIRECTORY "${folder}")
  set(outputs)
  foreach(source IN LISTS ARG_SOURCES)
    # Of a source that is missing convopt says so: it is no dependency, unless
    # another command makes it. Its rule has it, once it was read.
    get_source_file_property(generated "${source}" GENERATED)
    cmake_path(ABSOLUTE_PATH source NORMALIZE
      BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    set(depends)
    if(generated)
      set(depends "${source}")
    endif()
    cmake_path(GET source STEM LAST_ONLY stem)
    set(output "${folder}/${stem}_tiled.cu")
    if(output IN_LIST outputs)
      message(FATAL_ERROR
        "convopt_add_kernel: two sources would become ${stem}_tiled.cu")
    endif()
    _convopt_compile_options(flags ${ARG_TARGET} "${source}")
    list(APPEND flags ${ARG_COMPILE_OPTIONS})
    _convopt_command("${output}" "${source}"
      "${ARG_OPTIONS};-link=${ARG_LINK}" "${flags}" "${depends}")
    list(APPEND outputs "${output}")
    if(ARG_COMPILE_OPTIONS)
      set_source_files_properties("${output}" PROPERTIES
        COMPILE_OPTIONS "${ARG_COMPILE_OPTIONS}")
    endif()
    if(ARG_HEADERS)
      _convopt_command("${folder}/${stem}_tiled.h" "${source}"
        "${ARG_OPTIONS};-emit=header;-q" "${flags}" "${depends}")
      list(APPEND outputs "${folder}/${stem}_tiled.h")
    endif()
    if(ARG_LINK STREQUAL instead)
      if(NOT ARG_OUTPUTS)
        _convopt_remove_source(${ARG_TARGET} "${source}")
      endif()
      if(source MATCHES "\\.c$") # the part of it that is C
        set(part "${folder}/${stem}_tiled.c")
        file(CONFIGURE OUTPUT "${part}"
          CONTENT "#include \"${stem}_tiled.cu\"\n")
        set_source_files_properties("${part}" PROPERTIES
          OBJECT_DEPENDS "${output}" COMPILE_OPTIONS "${ARG_COMPILE_OPTIONS}")
        list(APPEND outputs "${part}")
      endif()
    endif()
  endforeach()
  if(ARG_HEADERS)
    target_include_directories(${ARG_TARGET} PRIVATE "${folder}")
  endif()
  if(ARG_OUTPUTS)
    set(${ARG_OUTPUTS} "${outputs}" PARENT_SCOPE)
  else()
    target_sources(${ARG_TARGET} PRIVATE ${outputs})
  endif()
endfunction()
