// Stands in for NVRTC where commands run as they do on a machine with a GPU: kernels become a shared library of C++,
// and the image that stand_in_libcuda.cpp loads has all of its bytes. It knows no assembly, so that its PTX has none,
// and registers are what it says they are.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/compiler/backend/cuda/as_cpp.h"

namespace {

enum Code : int { kSuccess = 0, kCompilation = 6 };

struct Program {
  std::string source, log, ptx, cubin;
};

constexpr int kArchitectures[] = {75, 80, 86, 89, 90, 100, 120};

// From where one begins to the brace that ends it.
std::vector<std::string> kernels_in(const std::string& source) {
  static const std::string kBegin = "extern \"C\" __global__ ", kEnd = "\n}\n";
  std::vector<std::string> kernels;
  for (size_t at = source.find(kBegin); at != std::string::npos; at = source.find(kBegin, at + 1)) {
    kernels.push_back(source.substr(at, source.find(kEnd, at) + kEnd.size() - at));
  }
  return kernels;
}

std::string read(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The library's bytes; none, and words in the log, where C++ cannot be compiled.
std::string compiled(const std::string& text, std::string& log) {
  std::string folder = std::filesystem::temp_directory_path() / "stand-in-nvrtc.XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) return "";
  std::ofstream(folder + "/kernels.cpp") << text;
  std::string line = "cd " + folder + " &&";
  for (const std::string& word : vantage::test::cpp_command()) line += " '" + word + "'";
  std::string library;
  if (std::system((line + " 2> log").c_str()) == 0) library = read(folder + "/kernels.so");  // NOLINT
  log = read(folder + "/log");
  std::filesystem::remove_all(folder);
  return library;
}

int copy(const std::string& from, char* to) {
  std::memcpy(to, from.data(), from.size());
  return kSuccess;
}
int copy_text(const std::string& from, char* to) {
  std::memcpy(to, from.c_str(), from.size() + 1);
  return kSuccess;
}
Program& program_of(void* handle) {
  return *static_cast<Program*>(handle);
}

}  // namespace

extern "C" {

// One that there never was, as what it made may be kept beside what NVIDIA's has made.
int nvrtcVersion(int* major, int* minor) {
  *major = 12;
  *minor = 77;
  return kSuccess;
}
int nvrtcGetNumSupportedArchs(int* count) {
  *count = static_cast<int>(std::size(kArchitectures));
  return kSuccess;
}
int nvrtcGetSupportedArchs(int* all) {
  std::copy(std::begin(kArchitectures), std::end(kArchitectures), all);
  return kSuccess;
}
const char* nvrtcGetErrorString(int) {
  return "NVRTC_ERROR_COMPILATION";
}
int nvrtcCreateProgram(void** program, const char* source, const char*, int, const char* const*, const char* const*) {
  *program = new Program{source, "", "", ""};
  return kSuccess;
}
int nvrtcDestroyProgram(void** program) {
  delete static_cast<Program*>(*program);
  return kSuccess;
}
int nvrtcCompileProgram(void* handle, int, const char* const* options) {
  Program& program = program_of(handle);
  const std::string architecture = std::strchr(options[0], '=') + 1;
  const std::vector<std::string> kernels = kernels_in(program.source);
  const std::string library = compiled(vantage::test::as_cpp(kernels), program.log);
  if (library.empty()) return kCompilation;
  program.cubin = "stand-in cubin " + architecture + " +" + std::to_string(library.size()) + "\n" + library;
  for (const std::string& kernel : kernels) {
    const std::string name = vantage::test::kernel_name(kernel);
    program.log += "ptxas info    : Compiling entry function '" + name + "' for '" + architecture +
                   "'\nptxas info    : Used 32 registers\n";
    program.ptx += ".visible .entry " + name + "()\n{\n\tret;\n}\n";
  }
  return kSuccess;
}
int nvrtcGetProgramLogSize(void* program, size_t* size) {
  *size = program_of(program).log.size() + 1;
  return kSuccess;
}
int nvrtcGetProgramLog(void* program, char* log) {
  return copy_text(program_of(program).log, log);
}
int nvrtcGetPTXSize(void* program, size_t* size) {
  *size = program_of(program).ptx.size() + 1;
  return kSuccess;
}
int nvrtcGetPTX(void* program, char* ptx) {
  return copy_text(program_of(program).ptx, ptx);
}
int nvrtcGetCUBINSize(void* program, size_t* size) {
  *size = program_of(program).cubin.size();
  return kSuccess;
}
int nvrtcGetCUBIN(void* program, char* cubin) {
  return copy(program_of(program).cubin, cubin);
}

}  // extern "C"
