// Kernels' text as C++ for a processor (shim/). Of this the tests' own runner is made and what stands in for NVRTC.
#pragma once

#include <string>
#include <vector>

namespace vantage::test {

// A source for a shared library, of kernels as the compiler writes them. Of each it has the functions of SHIM_KERNEL
// (shim/call.h).
std::string as_cpp(const std::vector<std::string>& kernels);
// The name of the one that a text has.
std::string kernel_name(const std::string& kernel);

// What makes the file kernels.so of the file kernels.cpp, both in the working folder.
std::vector<std::string> cpp_command();

}  // namespace vantage::test
