# Headers that many sources read are compiled once for all of them: the standard library's and fmt's for every library, LLVM's,
# gRPC's or Catch2's besides for those that see them. Templates that a header instantiates itself are instantiated in every
# source all the same, so headers full of them (JSON) are included where they are needed.
set(vantage_common_headers
  <algorithm> <array> <cstdint> <filesystem> <functional> <map> <memory> <optional> <set> <span> <string> <string_view>
  <unordered_map> <utility> <variant> <vector> <fmt/core.h>)

# vantage_headers(NAME HEADERS ... LINK ...): the common headers and these, for targets to reuse.
function(vantage_headers name)
  cmake_parse_arguments(ARG "" "" "HEADERS;LINK" ${ARGN})
  add_library(${name} OBJECT ${PROJECT_SOURCE_DIR}/cmake/headers.cpp)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE fmt::fmt ${ARG_LINK})
  target_precompile_headers(${name} PRIVATE ${vantage_common_headers} ${ARG_HEADERS})
endfunction()

vantage_headers(vantage_headers)

# vantage_library(NAME SOURCES ... LINK ... PRIVATE ... HEADERS ...): one static library of this folder's sources. Headers
# are included by their path from the root ("hw/isa/config.h"). HEADERS: what vantage_headers made, if not the common ones.
function(vantage_library name)
  cmake_parse_arguments(ARG "" "HEADERS" "SOURCES;LINK;PRIVATE" ${ARGN})
  if(NOT ARG_HEADERS)
    set(ARG_HEADERS vantage_headers)
  endif()
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} PRIVATE ${ARG_PRIVATE})
  target_precompile_headers(${name} REUSE_FROM ${ARG_HEADERS})
endfunction()
