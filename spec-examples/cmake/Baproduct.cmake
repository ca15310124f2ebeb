# baproduct_verify(TARGET SPEC [ARGS argument...])
#
# Adds a test `baproduct.TARGET`: the C sources of the target are verified against the specification, with the target's
# include directories and definitions.
find_program(BAPRODUCT baproduct)

function(baproduct_verify target spec)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "ARGS")
  if(NOT BAPRODUCT)
    message(WARNING "baproduct is not installed: ${target} is not verified")
    return()
  endif()
  get_target_property(directory ${target} SOURCE_DIR)
  get_target_property(sources ${target} SOURCES)
  set(files "")
  foreach(source IN LISTS sources)
    if(source MATCHES "\\.c$")
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${directory}")
      list(APPEND files "${source}")
    endif()
  endforeach()
  cmake_path(ABSOLUTE_PATH spec BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  add_test(
    NAME baproduct.${target}
    COMMAND
      "${BAPRODUCT}" verify "${spec}" ${files}
      "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
      "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>" ${arg_ARGS}
    COMMAND_EXPAND_LISTS)
endfunction()
