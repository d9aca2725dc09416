# What the tool and the benches take memory from: jemalloc, as searches make and drop trees of small nodes by the million,
# which takes a seventh of their time less than with the C library's. Sanitizers bring their own, boards do without, and
# no other program searches.
add_library(vantage_allocator INTERFACE)
if(NOT VANTAGE_SANITIZE AND NOT VANTAGE_BOARD)
  find_library(VANTAGE_JEMALLOC jemalloc REQUIRED)
  target_link_libraries(vantage_allocator INTERFACE ${VANTAGE_JEMALLOC})
endif()
