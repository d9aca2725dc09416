# gRPC from its static archives, as the target vantage::grpc. The shared libraries are 57, and finding them would take
# every command longer than many of them run.
#
# pkg-config is asked once: it takes a second for gRPC's 300 modules, and pkg_check_modules asks it twenty times.
if(TARGET vantage::grpc)
  return()
endif()
find_program(PKG_CONFIG pkg-config REQUIRED)
execute_process(COMMAND ${PKG_CONFIG} --static --libs-only-l grpc++ protobuf
  OUTPUT_VARIABLE grpc_names OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE grpc_status)
if(NOT grpc_status EQUAL 0)
  message(FATAL_ERROR "pkg-config does not know grpc++ and protobuf; install libgrpc++-dev and libprotobuf-dev")
endif()
separate_arguments(grpc_names UNIX_COMMAND "${grpc_names}")
list(TRANSFORM grpc_names REPLACE "^-l" "")
list(REMOVE_DUPLICATES grpc_names)

set(grpc_libraries "")
foreach(library ${grpc_names})
  find_library(grpc_archive NAMES lib${library}.a NO_CACHE)
  # What has other users in this process, or comes with the system, stays shared.
  if(grpc_archive AND NOT library MATCHES "^(ssl|crypto|z|m|rt|dl|pthread|systemd|cap)$")
    list(APPEND grpc_libraries ${grpc_archive})
  else()
    list(APPEND grpc_libraries ${library})
  endif()
  unset(grpc_archive)
endforeach()
find_library(grpc_reflection libgrpc++_reflection.a REQUIRED)

add_library(vantage::grpc INTERFACE IMPORTED GLOBAL)
# Reflection registers itself as the program starts, so nothing refers to it.
target_link_libraries(vantage::grpc INTERFACE
  -Wl,--whole-archive ${grpc_reflection} -Wl,--no-whole-archive
  -Wl,--start-group ${grpc_libraries} -Wl,--end-group)
