# embed_files(OUTPUT HEADER FUNCTION FILES...): a source that defines FUNCTION, a qualified name, which HEADER declares to
# return a const vantage::EmbeddedFiles&: the contents of FILES.
function(embed_files output header function)
  set(path "${CMAKE_CURRENT_BINARY_DIR}/${output}")
  set(script "${PROJECT_SOURCE_DIR}/cmake/embed_script.cmake")
  add_custom_command(
    OUTPUT ${path}
    COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${path}" "-DHEADER=${header}" "-DFUNCTION=${function}" "-DFILES=${ARGN}"
            -P ${script}
    DEPENDS ${ARGN} ${script}
    VERBATIM)
endfunction()
