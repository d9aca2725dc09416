#include "tests/compiler/backend/cuda/as_cpp.h"

#include <regex>

namespace vantage::test {

namespace {

constexpr const char kLinkage[] = "extern \"C\" ";

// Shared memory that a launch would give is as much as any device has; and none of it has a value at first.
std::string with_memory(std::string text) {
  static const std::regex kGiven(R"(alignas\((\d+)\) extern __shared__ unsigned char (\w+)\[\];)");
  text = std::regex_replace(text, kGiven, "alignas($1) __shared__ unsigned char $2[232448];");
  static const std::regex kDeclared(R"((alignas\(\d+\) __shared__ [\w: ]+ (\w+)\[\d+\];))");
  return std::regex_replace(text, kDeclared, "$1 shim::poison($2, sizeof $2);");
}

}  // namespace

std::string kernel_name(const std::string& kernel) {
  const size_t end = kernel.find("(\n");  // of its parameters; bounds of its launch have theirs in the line
  return kernel.substr(kernel.rfind(' ', end) + 1, end - kernel.rfind(' ', end) - 1);
}

std::string as_cpp(const std::vector<std::string>& kernels) {
  // Between what CUDA has of itself and what stands in for instructions is the compiler's own.
  std::string text =
      "#include \"tests/compiler/backend/cuda/shim/cuda_on_processor.h\"\n"
      "#include \"compiler/backend/cuda/device/vantage.cuh\"\n"
      "#include \"tests/compiler/backend/cuda/shim/copies.h\"\n"
      "#include \"tests/compiler/backend/cuda/shim/tensor_cores.h\"\n"
      "#include \"tests/compiler/backend/cuda/shim/warpgroups.h\"\n"
      "#include \"tests/compiler/backend/cuda/shim/call.h\"\n";
  for (const std::string& kernel : kernels) {
    std::string own = with_memory(kernel);
    own.erase(own.find(kLinkage), sizeof kLinkage - 1);
    text += own + "SHIM_KERNEL(" + kernel_name(kernel) + ")\n";
  }
  return text;
}

std::vector<std::string> cpp_command() {
  // Not the fastest code, but soon made; floats round at every operation. GCC 12's choice of induction variables loses
  // stores of nested loops: an array of 3 x 2 differences stayed 0. Unique symbols would keep a library from being
  // unloaded.
  return {"c++",
          "-std=c++20",
          "-O1",
          "-fno-ivopts",
          "-fPIC",
          "-shared",
          "-w",
          "-ffp-contract=off",
          "-fno-strict-aliasing",
          "-fno-gnu-unique",
          "-I",
          VANTAGE_SOURCE_DIR,
          "-o",
          "kernels.so",
          "kernels.cpp"};
}

}  // namespace vantage::test
