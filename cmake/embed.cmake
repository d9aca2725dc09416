# embed_files(OUTPUT HEADER FUNCTION TYPE FILES...): a source that defines FUNCTION, declared in HEADER, which returns a
# TYPE, a vector of {name, text}, with the contents of FILES.
function(embed_files output header function type)
  set(path "${CMAKE_CURRENT_BINARY_DIR}/${output}")
  set(script "${PROJECT_SOURCE_DIR}/cmake/embed_script.cmake")
  add_custom_command(
    OUTPUT ${path}
    COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${path}" "-DHEADER=${header}" "-DFUNCTION=${function}" "-DTYPE=${type}"
            "-DFILES=${ARGN}" -P ${script}
    DEPENDS ${ARGN} ${script}
    VERBATIM)
endfunction()
