# What a preset may switch: tests, benches, fuzzers, sanitizers, warnings as errors; and the flags they mean.
option(VANTAGE_TESTS "Build the tests" OFF)
option(VANTAGE_BENCH "Build the benchmarks" OFF)
option(VANTAGE_LIBFUZZER "Build the fuzz targets for libFuzzer (needs clang)" OFF)
option(VANTAGE_SANITIZE "Build everything with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
# They take two fifths of the time to compile. Without them nulls and objects that ended are AddressSanitizer's to find;
# misaligned pointers and wrong casts are found by the presets dev and fuzz alone.
option(VANTAGE_POINTER_CHECKS "Have UndefinedBehaviorSanitizer look at every pointer that is followed" ON)
option(VANTAGE_REMOTE "Build devices of other machines, and serving this one's (needs gRPC)" ON)
option(VANTAGE_PROCESSOR "Build code for this processor, and libraries to compare it with (needs LLVM)" ON)
option(VANTAGE_BOARD "Build the tool for boards: no code for processors, no simulators with time" OFF)
option(VANTAGE_BATCHES "Compile the sources of a library a few at a time: faster from nothing, slower after a change" OFF)
option(VANTAGE_WERROR "Treat warnings as errors" OFF)

if(VANTAGE_BOARD)
  set(VANTAGE_PROCESSOR OFF)
endif()
if(VANTAGE_TESTS AND NOT VANTAGE_REMOTE)
  message(FATAL_ERROR "the tests serve devices to each other: configure with VANTAGE_REMOTE=ON, or with VANTAGE_TESTS=OFF")
endif()

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

# Several times as fast as the default one, which matters with LLVM's archives.
find_program(LLD_PROGRAM ld.lld)
if(LLD_PROGRAM AND NOT CMAKE_CROSSCOMPILING)
  add_link_options(-fuse-ld=lld)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # ccache reads what the preprocessor says of precompiled headers.
  add_compile_options(-fpch-preprocess)
  # GCC collects its garbage once it has half a GB: a tenth of the time to compile, for a third of the memory.
  add_compile_options("SHELL:--param ggc-min-heapsize=524288")
endif()
# Messages and debug information name files from the project's root, so that they do not depend on where it lies.
add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-restrict)  # sees overlaps in std::string that are none (GCC bug 105651)
endif()
if(VANTAGE_WERROR)
  add_compile_options(-Werror)
endif()
if(VANTAGE_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  # What sanitizers know of each place in the code holds addresses, a million and a half in the tool. Programs that lie
  # where they were linked start without adding to every one of them, in five sixths of the time.
  string(APPEND CMAKE_EXE_LINKER_FLAGS " -no-pie")
  if(NOT VANTAGE_POINTER_CHECKS)
    add_compile_options(-fno-sanitize=null,alignment,vptr,object-size)
  endif()
endif()
# For targets whose speed does not matter: tests, and those whose sources are mostly headers that take long to optimise.
# It is a third of the time to compile.
function(vantage_compile_quickly target)
  if(VANTAGE_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      target_compile_options(${target} PRIVATE --param asan-instrumentation-with-call-threshold=0)
    endif()
  elseif(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${target} PRIVATE -O1)
  endif()
endfunction()
if(VANTAGE_LIBFUZZER)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
