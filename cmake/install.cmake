# What `cmake --install` puts where, and the Debian packages that CPack makes of it: vantage, the tool, and libvantage-dev,
# with which other projects are built. Nothing that is installed names this tree or the folder it was built in.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The tool, and its data as base/installation.h looks for it.
set(data ${CMAKE_INSTALL_DATADIR}/vantage)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME tool)
install(TARGETS vantage DESTINATION ${CMAKE_INSTALL_BINDIR})
if(VANTAGE_REMOTE)
  install(TARGETS vantage-workspace DESTINATION libexec/vantage)
endif()
if(NOT VANTAGE_BOARD)
  install(TARGETS vantage-gpu DESTINATION libexec/vantage)
endif()
if(TARGET vantage_evolution)
  install(TARGETS vantage_evolution DESTINATION libexec/vantage)
endif()
install(DIRECTORY configs bitstreams DESTINATION ${data})
install(DIRECTORY examples/mnist_mlp examples/lenet DESTINATION ${data}/examples)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
# What these link to elsewhere in the tree.
install(FILES hw/formal/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/hw/formal)
install(FILES driver/rpc/protocol/vantage.proto DESTINATION ${CMAKE_INSTALL_DOCDIR}/driver/rpc/protocol)
install(FILES tools/emulated_board/virtual_zynq/README.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR}/tools/emulated_board/virtual_zynq)

# What the tool says of itself; one that was built for another processor cannot.
if(NOT CMAKE_CROSSCOMPILING)
  set(said ${CMAKE_CURRENT_BINARY_DIR}/said)
  install(CODE "execute_process(
    COMMAND ${CMAKE_COMMAND} -DTOOL=$<TARGET_FILE:vantage> -DFOLDER=${said} -P ${PROJECT_SOURCE_DIR}/cmake/said.cmake
    COMMAND_ERROR_IS_FATAL ANY)")
  install(DIRECTORY ${said}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
  install(FILES ${said}/vantage DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${said}/_vantage DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
endif()

# The libraries, their headers by the paths that they have here, and the CMake package that names them.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
set(libraries ${CMAKE_INSTALL_LIBDIR}/vantage)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/vantage)
add_library(vantage_all INTERFACE)
target_link_libraries(vantage_all INTERFACE ${vantage_libraries})
foreach(library ${vantage_libraries} vantage_all)
  target_compile_features(${library} INTERFACE cxx_std_20)
  string(REGEX REPLACE "^vantage_" "" name ${library})
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${name})
endforeach()
set_target_properties(vantage_all PROPERTIES EXPORT_NAME vantage)
install(TARGETS ${vantage_libraries} vantage_all EXPORT vantage
  ARCHIVE DESTINATION ${libraries} INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/vantage)
set(headers ${CMAKE_INSTALL_INCLUDEDIR}/vantage)
# Pages about sweeps want the headers of explore, which are not called from outside.
install(DIRECTORY base hw sim compiler frontend native network driver workload report DESTINATION ${headers}
  FILES_MATCHING PATTERN "*.h" PATTERN "driver/rpc" EXCLUDE PATTERN "backend/cpu" EXCLUDE PATTERN "frontend/onnx" EXCLUDE
  PATTERN "*-inl.h" EXCLUDE PATTERN "report/sweep*.h" EXCLUDE)
install(FILES frontend/onnx/import.h DESTINATION ${headers}/frontend/onnx)
# The others there want LLVM's, as those of servers want what protoc makes; neither are called from outside.
set(cpu_headers cpu.h interpretable.h jit.h library.h lower.h object.h target.h)
list(TRANSFORM cpu_headers PREPEND compiler/backend/cpu/)
install(FILES ${cpu_headers} DESTINATION ${headers}/compiler/backend/cpu)
install(EXPORT vantage NAMESPACE vantage:: FILE vantage-targets.cmake DESTINATION ${package})
configure_package_config_file(cmake/vantage-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/vantage-config.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/vantage-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/vantage-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/vantage-config-version.cmake
  cmake/dependencies.cmake cmake/systemc.cmake cmake/grpc.cmake cmake/protobuf.cmake
  DESTINATION ${package})

# Debian packages.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME vantage)
set(CPACK_PACKAGE_CONTACT "The Vantage authors")
set(CPACK_COMPONENTS_ALL tool development)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_TOOL_PACKAGE_NAME vantage)
set(CPACK_DEBIAN_TOOL_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_TOOL_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_TOOL_PACKAGE_RECOMMENDS "verilator, g++, make, libopenblas0")  # rtl:, and a library to compare with
set(CPACK_DEBIAN_TOOL_PACKAGE_SUGGESTS "yosys, libvantage-dev")
set(CPACK_COMPONENT_TOOL_DESCRIPTION "One JSON file describes an accelerator. From it come simulators with and
without cycles, synthesizable RTL, a compiler, and drivers for boards.
.
This is the tool.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libvantage-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "build-essential, cmake, pkg-config")
file(STRINGS packages.txt lines)
set(part "")
list(REMOVE_ITEM lines libjemalloc-dev libpagmo-dev)  # of the tool alone
foreach(line ${lines})  # of packages.txt: those that hold headers, of the parts that there are
  if(line MATCHES "^\\[([a-z]+)\\]")
    set(section ${CMAKE_MATCH_1})
    string(TOUPPER VANTAGE_${section} part)
  elseif(line MATCHES "^[^ #]+-dev$" AND (section STREQUAL tool OR (section MATCHES "^(remote|processor)$" AND "${${part}}")))
    string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", ${line}")
  endif()
endforeach()
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Accelerators, programs, simulators, the compiler and devices as libraries, for
C++20 programs that find them with CMake.")
include(CPack)
