# SystemC as Debian has it, which brings no CMake package: target SystemC::systemc.
find_library(SYSTEMC_LIBRARY systemc REQUIRED)
find_path(SYSTEMC_INCLUDE_DIR tlm.h REQUIRED)
if(NOT TARGET SystemC::systemc)
  add_library(SystemC::systemc SHARED IMPORTED GLOBAL)
  set_target_properties(SystemC::systemc PROPERTIES
    IMPORTED_LOCATION ${SYSTEMC_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${SYSTEMC_INCLUDE_DIR})
endif()
