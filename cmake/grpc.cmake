# gRPC and Protocol Buffers from their static archives, as target vantage::grpc. The shared libraries are 57, and finding
# them would take every command longer than many of them run.
#
# pkg-config is asked once: it takes a second for gRPC's 300 modules, and pkg_check_modules asks it twenty times.
find_program(PKG_CONFIG pkg-config REQUIRED)
find_program(PROTOC protoc REQUIRED)
find_program(GRPC_CPP_PLUGIN grpc_cpp_plugin REQUIRED)
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

add_library(vantage_grpc INTERFACE)
add_library(vantage::grpc ALIAS vantage_grpc)
# Reflection registers itself as the program starts, so nothing refers to it.
target_link_libraries(vantage_grpc INTERFACE
  -Wl,--whole-archive ${grpc_reflection} -Wl,--no-whole-archive
  -Wl,--start-group ${grpc_libraries} -Wl,--end-group)

# Messages alone, without what carries them.
find_library(protobuf_library libprotobuf.a REQUIRED)
add_library(vantage_protobuf INTERFACE)
add_library(vantage::protobuf ALIAS vantage_protobuf)
target_link_libraries(vantage_protobuf INTERFACE ${protobuf_library} z)
target_include_directories(vantage_protobuf SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/generated)

# vantage_messages(TARGET FILE): compiles a .proto file's messages into the target.
function(vantage_messages target file)
  vantage_generate(${target} ${file} pb cpp)
endfunction()

# vantage_services(TARGET FILE): the same for its services.
function(vantage_services target file)
  vantage_generate(${target} ${file} grpc.pb grpc --plugin=protoc-gen-grpc=${GRPC_CPP_PLUGIN})
endfunction()

# vantage_generate(TARGET FILE ENDING KIND [OPTION...])
function(vantage_generate target file ending kind)
  get_filename_component(name ${file} NAME_WE)
  get_filename_component(place ${CMAKE_CURRENT_SOURCE_DIR}/${file} DIRECTORY)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${place})
  set(stem ${PROJECT_BINARY_DIR}/generated/${folder}/${name}.${ending})
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/generated)
  add_custom_command(
    OUTPUT ${stem}.cc ${stem}.h
    COMMAND ${PROTOC} --proto_path=${PROJECT_SOURCE_DIR} --${kind}_out=${PROJECT_BINARY_DIR}/generated ${ARGN}
      ${folder}/${name}.proto
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/${name}.proto
    COMMENT "Compiling ${folder}/${name}.proto"
    VERBATIM)
  target_sources(${target} PRIVATE ${stem}.cc PUBLIC ${stem}.h)
  target_include_directories(${target} SYSTEM PUBLIC ${PROJECT_BINARY_DIR}/generated)
  set_source_files_properties(${stem}.cc PROPERTIES COMPILE_OPTIONS "-w")
endfunction()
