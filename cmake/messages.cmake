# Sources that protoc makes of .proto files, below generated/ of the build folder, by their path from the root.
find_program(PROTOC protoc REQUIRED)
find_program(GRPC_CPP_PLUGIN grpc_cpp_plugin REQUIRED)

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
  target_sources(${target} PRIVATE ${stem}.cc PUBLIC $<BUILD_INTERFACE:${stem}.h>)
  target_include_directories(${target} SYSTEM PUBLIC $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>)
  set_source_files_properties(${stem}.cc PROPERTIES COMPILE_OPTIONS "-w")
endfunction()
