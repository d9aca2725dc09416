# One fuzz target per parser and one for the machine: each defines LLVMFuzzerTestOneInput. With VANTAGE_LIBFUZZER they are
# libFuzzer programs; otherwise a small driver runs the corpus and seeded mutations of it, as a CTest test.
add_custom_target(fuzzers)

function(vantage_fuzz name)
  cmake_parse_arguments(ARG "" "RUNS" "LINK" ${ARGN})
  vantage_quick_program(fuzz_${name} SOURCES fuzz/fuzz_${name}.cpp LINK vantage_program ${ARG_LINK})
  add_dependencies(fuzzers fuzz_${name})
  set(corpus ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/${name})
  if(VANTAGE_LIBFUZZER)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    # What libFuzzer finds goes into the first folder, never into the source tree.
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/found/${name})
    add_test(NAME fuzz.${name} COMMAND fuzz_${name} -runs=${ARG_RUNS} ${CMAKE_CURRENT_BINARY_DIR}/found/${name} ${corpus})
  else()
    target_sources(fuzz_${name} PRIVATE fuzz/mutating_driver.cpp)
    target_link_libraries(fuzz_${name} PRIVATE vantage_test_effort)
    add_test(NAME fuzz.${name} COMMAND fuzz_${name} ${ARG_RUNS} ${corpus})
  endif()
  set_tests_properties(fuzz.${name} PROPERTIES LABELS fuzz)
endfunction()

vantage_fuzz(bit_file RUNS 20000 LINK vantage_boards)
vantage_fuzz(config RUNS 20000)
vantage_fuzz(assembly RUNS 10000)
vantage_fuzz(program RUNS 10000)
vantage_fuzz(tensor_archive RUNS 20000 LINK vantage_base)
vantage_fuzz(space RUNS 5000 LINK vantage_explore)
target_compile_definitions(fuzz_space PRIVATE VANTAGE_CONFIGS="${PROJECT_SOURCE_DIR}/configs")
vantage_fuzz(trace RUNS 15000 LINK vantage_te vantage_schedule)
vantage_fuzz(bundle RUNS 2000 LINK vantage_test_support)
vantage_fuzz(insns RUNS 2000 LINK vantage_test_support)
target_sources(fuzz_insns PRIVATE fuzz/hostile_program.cpp)
vantage_fuzz(graph RUNS 10000 LINK vantage_graph)
vantage_fuzz(image RUNS 10000 LINK vantage_images)
vantage_fuzz(ir_text RUNS 10000 LINK vantage_vta)
vantage_fuzz(json RUNS 20000 LINK vantage_base)
vantage_fuzz(manifest RUNS 10000 LINK vantage_native)
vantage_fuzz(network RUNS 10000 LINK vantage_network)
vantage_fuzz(npy RUNS 20000 LINK vantage_base)
vantage_fuzz(idx RUNS 20000 LINK vantage_base)
vantage_fuzz(onnx RUNS 4000 LINK vantage_onnx)
target_sources(fuzz_onnx PRIVATE fuzz/message_mutator.cpp fuzz/model_mutator.cpp)
# What fields ONNX's messages have, which they do not say themselves.
set(onnx_descriptor ${CMAKE_CURRENT_BINARY_DIR}/onnx.desc)
add_custom_command(
  OUTPUT ${onnx_descriptor}
  COMMAND ${PROTOC} --proto_path=${VANTAGE_ONNX_SCHEMA} --descriptor_set_out=${onnx_descriptor} onnx/onnx.proto
  DEPENDS ${VANTAGE_ONNX_SCHEMA}/onnx/onnx.proto
  VERBATIM)
target_sources(fuzz_onnx PRIVATE ${onnx_descriptor})
target_compile_definitions(fuzz_onnx PRIVATE VANTAGE_ONNX_DESCRIPTOR="${onnx_descriptor}")
vantage_fuzz(published RUNS 5000 LINK vantage_workload)
vantage_fuzz(rpc RUNS 5000 LINK vantage_rpc vantage_simulators)
