#include "tests/compiler/backend/cuda/as_cpp.h"

#include <regex>
#include <sstream>

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
  std::string text = "#include \"tests/compiler/backend/cuda/shim/kernel_headers.h\"\n";
  for (const std::string& kernel : kernels) {
    std::string own = with_memory(kernel);
    own.erase(own.find(kLinkage), sizeof kLinkage - 1);
    text += own + "SHIM_KERNEL(" + kernel_name(kernel) + ")\n";
  }
  return text;
}

std::vector<std::string> cpp_command() {
  std::vector<std::string> command = {"c++"};
  std::istringstream flags(VANTAGE_KERNEL_FLAGS);
  for (std::string flag; flags >> flag;) command.push_back(flag);
  // The first folder has the compiled headers alone.
  for (const char* word :
       {"-shared", "-I", VANTAGE_KERNEL_HEADERS, "-I", VANTAGE_SOURCE_DIR, "-o", "kernels.so", "kernels.cpp"}) {
    command.emplace_back(word);
  }
  return command;
}

}  // namespace vantage::test
