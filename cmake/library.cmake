# Headers that many sources read are compiled once for all of them: the standard library's and fmt's for every library, LLVM's,
# gRPC's or Catch2's besides for those that see them. Templates that a header instantiates itself are instantiated in every
# source all the same, so headers full of them (JSON) are included where they are needed.
set(vantage_common_headers
  <algorithm> <array> <cstdint> <filesystem> <functional> <map> <memory> <optional> <set> <span> <string> <string_view>
  <unordered_map> <utility> <variant> <vector> <fmt/core.h>)

# vantage_headers(NAME HEADERS ... LINK ... [QUICK]): the common headers and these, for targets to reuse; QUICK for those
# that are compiled quickly.
function(vantage_headers name)
  cmake_parse_arguments(ARG "QUICK" "" "HEADERS;LINK" ${ARGN})
  add_library(${name} OBJECT ${PROJECT_SOURCE_DIR}/cmake/headers.cpp)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE fmt::fmt ${ARG_LINK})
  target_precompile_headers(${name} PRIVATE ${vantage_common_headers} ${ARG_HEADERS})
  if(ARG_QUICK)
    vantage_compile_quickly(${name})
  endif()
endfunction()

vantage_headers(vantage_headers)
vantage_headers(vantage_quick_headers QUICK)

# So many sources make a batch at most: with twice as many as ten a sixth of the time to compile is gone, and two cores
# still have enough of them.
set(vantage_batch_size 20)

# vantage_library(NAME SOURCES ... LINK ... PRIVATE ... [HEADERS H] [ONE_BATCH] [QUICK|COLD]): one static library of this
# folder's sources. Headers are included by their path from the root ("hw/isa/config.h"). HEADERS: what vantage_headers made,
# if not the common ones. ONE_BATCH: the sources are always compiled as one. QUICK: they are compiled quickly (options.cmake);
# COLD: they are so with sanitizers, where tests spend little of their time in them.
# NEW_BATCH among the sources: those before it share no batch with those behind it. It follows what only some builds have,
# so that all builds have the same batches, and the one that has everything compiles what any other does.
function(vantage_library name)
  cmake_parse_arguments(ARG "ONE_BATCH;QUICK;COLD" "HEADERS" "SOURCES;LINK;PRIVATE" ${ARGN})
  if(ARG_COLD AND VANTAGE_SANITIZE)
    set(ARG_QUICK ON)
  endif()
  if(ARG_QUICK)
    set(ARG_HEADERS vantage_quick_headers)
  elseif(NOT ARG_HEADERS)
    set(ARG_HEADERS vantage_headers)
  endif()
  if(ARG_ONE_BATCH)
    vantage_batches(sources ${name} 1000 ${ARG_SOURCES})
  elseif(VANTAGE_BATCHES)
    vantage_batches(sources ${name} ${vantage_batch_size} ${ARG_SOURCES})
  else()
    set(sources ${ARG_SOURCES})
    list(REMOVE_ITEM sources NEW_BATCH)
  endif()
  add_library(${name} STATIC ${sources})
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  set_property(GLOBAL APPEND PROPERTY VANTAGE_LIBRARIES ${name})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} PRIVATE ${ARG_PRIVATE})
  target_precompile_headers(${name} REUSE_FROM ${ARG_HEADERS})
  if(ARG_QUICK)
    vantage_compile_quickly(${name})
  endif()
endfunction()

# vantage_quick_program(NAME SOURCES ... LINK ... [HEADERS H]): a program whose own speed does not matter, compiled
# quickly.
function(vantage_quick_program name)
  cmake_parse_arguments(ARG "" "HEADERS" "SOURCES;LINK" ${ARGN})
  if(NOT ARG_HEADERS)
    set(ARG_HEADERS vantage_quick_headers)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE fmt::fmt ${ARG_LINK})
  target_precompile_headers(${name} REUSE_FROM ${ARG_HEADERS})
  vantage_compile_quickly(${name})
endfunction()

# vantage_batches(OUT NAME SIZE SOURCES...): sources that each include at most SIZE of these, by their path from the root, so
# that a batch is the same text wherever the tree lies and a compiler cache knows it again. What the build itself writes
# (an absolute path) stays alone.
function(vantage_batches out name size)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set(result "")
  set(together "")
  foreach(source ${ARGN} NEW_BATCH)
    if(IS_ABSOLUTE ${source})
      list(APPEND result ${source})
    elseif(NOT source STREQUAL NEW_BATCH)
      list(APPEND together "#include \"${folder}/${source}\"\n")
    else()
      # Batches of about the same size take about the same time.
      list(LENGTH together left)
      math(EXPR batches "(${left} + ${size} - 1) / ${size}")
      while(batches)
        math(EXPR last "(${left} + ${batches} - 1) / ${batches} - 1")
        set(text "")
        foreach(i RANGE ${last})
          list(POP_FRONT together line)
          string(APPEND text "${line}")
        endforeach()
        vantage_write_batch(result ${name} "${text}")
        list(LENGTH together left)
        math(EXPR batches "${batches} - 1")
      endwhile()
    endif()
  endforeach()
  set(${out} ${result} PARENT_SCOPE)
endfunction()

function(vantage_write_batch list name text)
  list(LENGTH ${list} number)
  set(path ${CMAKE_CURRENT_BINARY_DIR}/${name}.${number}.cpp)
  file(CONFIGURE OUTPUT ${path} CONTENT "${text}" @ONLY)
  set(${list} ${${list}} ${path} PARENT_SCOPE)
endfunction()
