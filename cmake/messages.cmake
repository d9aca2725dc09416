# Sources that protoc makes of .proto files, below generated/ of the build folder, by their path from the root.
find_program(PROTOC protoc REQUIRED)

# vantage_messages(TARGET FILE [ROOT]): compiles a .proto file's messages into the target. ROOT: the folder that FILE is
# a path from, where it is not this one but one of the system's.
function(vantage_messages target file)
  vantage_generate(${target} ${file} "${ARGV2}" pb cpp)
endfunction()

# vantage_services(TARGET FILE): the same for its services.
function(vantage_services target file)
  find_program(GRPC_CPP_PLUGIN grpc_cpp_plugin REQUIRED)
  vantage_generate(${target} ${file} "" grpc.pb grpc --plugin=protoc-gen-grpc=${GRPC_CPP_PLUGIN})
endfunction()

# vantage_generate(TARGET FILE ROOT ENDING KIND [OPTION...])
function(vantage_generate target file root ending kind)
  get_filename_component(name ${file} NAME_WE)
  if(root)
    get_filename_component(folder ${file} DIRECTORY)
  else()
    set(root ${PROJECT_SOURCE_DIR})
    get_filename_component(place ${CMAKE_CURRENT_SOURCE_DIR}/${file} DIRECTORY)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${place})
  endif()
  set(stem ${PROJECT_BINARY_DIR}/generated/${folder}/${name}.${ending})
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/generated)
  add_custom_command(
    OUTPUT ${stem}.cc ${stem}.h
    COMMAND ${PROTOC} --proto_path=${root} --${kind}_out=${PROJECT_BINARY_DIR}/generated ${ARGN}
      ${folder}/${name}.proto
    WORKING_DIRECTORY ${root}
    DEPENDS ${root}/${folder}/${name}.proto
    COMMENT "Compiling ${folder}/${name}.proto"
    VERBATIM)
  target_sources(${target} PRIVATE ${stem}.cc PUBLIC $<BUILD_INTERFACE:${stem}.h>)
  target_include_directories(${target} SYSTEM PUBLIC $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>)
  set_source_files_properties(${stem}.cc PROPERTIES COMPILE_OPTIONS "-w")
endfunction()
