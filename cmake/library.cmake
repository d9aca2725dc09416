# vantage_library(NAME SOURCES ... LINK ...): one static library of this folder's sources. Headers are included by
# their path from the root ("hw/spec/config.h").
function(vantage_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;PRIVATE" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} PRIVATE ${ARG_PRIVATE})
endfunction()
