#include "compiler/backend/cuda/nvrtc.h"

#include <dlfcn.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

#include "base/error.h"
#include "base/suggest.h"
#include "compiler/backend/cuda/codegen.h"

namespace vantage::cuda {

namespace {

// NVRTC's own: a handle to a program, and the codes of its functions, 0 for success.
using Program = void*;

class LoadedNvrtc final : public Nvrtc {
 public:
  LoadedNvrtc(void* library, std::string path) : library_(library), path_(std::move(path)) {
    find("nvrtcVersion", version_);
    find("nvrtcGetErrorString", error_text_);
    find("nvrtcGetNumSupportedArchs", count_architectures_);
    find("nvrtcGetSupportedArchs", get_architectures_);
    find("nvrtcCreateProgram", create_);
    find("nvrtcDestroyProgram", destroy_);
    find("nvrtcCompileProgram", compile_);
    find("nvrtcGetProgramLogSize", log_size_);
    find("nvrtcGetProgramLog", log_);
    find("nvrtcGetPTXSize", ptx_size_);
    find("nvrtcGetPTX", ptx_);
    find("nvrtcGetCUBINSize", cubin_size_);
    find("nvrtcGetCUBIN", cubin_);
  }

  std::string version() const override {
    int major = 0, minor = 0;
    require(version_(&major, &minor), "nvrtcVersion");
    return fmt::format("{}.{}", major, minor);
  }

  std::vector<std::string> architectures() const override {
    int count = 0;
    require(count_architectures_(&count), "nvrtcGetNumSupportedArchs");
    std::vector<int> numbers(static_cast<size_t>(count));
    require(get_architectures_(numbers.data()), "nvrtcGetSupportedArchs");
    std::vector<std::string> names;
    for (const int number : numbers) names.push_back(fmt::format("sm_{}", number));
    return names;
  }

  GpuCode compile(const std::string& source, const std::string& name, const CompileOptions& options) const override {
    require_known(options.architecture);
    std::vector<const char*> texts, names;
    for (const EmbeddedFile& header : device_files()) {
      texts.push_back(header.text.c_str());
      names.push_back(header.name.c_str());
    }
    const std::string architecture = "--gpu-architecture=" + options.architecture;
    const std::vector<std::string> others = nvrtc_arguments();
    std::vector<const char*> arguments = {architecture.c_str()};
    for (const std::string& argument : others) arguments.push_back(argument.c_str());
    GpuCode code = compile(source, name, texts, names, arguments);
    if (!code.kernels.empty() || source.find("__global__") == std::string::npos) return code;
    // What its own cache gives has no word of what kernels take (NVRTC 13 has one where there is a driver).
    arguments.push_back("--no-cache");
    return compile(source, name, texts, names, arguments);
  }

 private:
  GpuCode compile(const std::string& source, const std::string& name, std::vector<const char*>& texts,
                  std::vector<const char*>& names, const std::vector<const char*>& arguments) const {
    const ProgramOwner program(*this, source, name, static_cast<int>(names.size()), texts.data(), names.data());
    const int code = compile_(program.get(), static_cast<int>(arguments.size()), arguments.data());
    const std::string log = text_of(program.get(), log_size_, log_);
    if (code != 0) throw ToolError(fmt::format("NVRTC {}: {}: {}", version(), name, error_text_(code)), log);
    return {text_of(program.get(), ptx_size_, ptx_), bytes_of(program.get(), cubin_size_, cubin_), parse_ptxas(log),
            parse_losses(log)};
  }

  using GetSize = int (*)(Program, size_t*);
  using GetText = int (*)(Program, char*);

  class ProgramOwner {
   public:
    ProgramOwner(const LoadedNvrtc& nvrtc, const std::string& source, const std::string& name, int headers,
                 const char** header_texts, const char** header_names)
        : nvrtc_(nvrtc) {
      nvrtc.require(
          nvrtc.create_(&program_, source.c_str(), (name + ".cu").c_str(), headers, header_texts, header_names),
          "nvrtcCreateProgram");
    }
    ProgramOwner(const ProgramOwner&) = delete;
    ProgramOwner& operator=(const ProgramOwner&) = delete;
    ~ProgramOwner() { nvrtc_.destroy_(&program_); }
    Program get() const { return program_; }

   private:
    const LoadedNvrtc& nvrtc_;
    Program program_ = nullptr;
  };

  template <typename Function>
  void find(const char* name, Function& function) {
    void* symbol = dlsym(library_, name);
    if (symbol == nullptr) fail("NVRTC: {} has no {}; it is older than CUDA 11.2", path_, name);
    function = reinterpret_cast<Function>(symbol);
  }

  void require(int code, const char* function) const {
    if (code != 0) fail("NVRTC: {}: {}", function, error_text_(code));
  }

  // A letter at the end asks for more than what all of that number have; NVRTC lists numbers alone.
  void require_known(const std::string& architecture) const {
    const std::vector<std::string> known = architectures();
    const std::string number = architecture.substr(0, architecture.find_last_of("0123456789") + 1);
    if (std::find(known.begin(), known.end(), number) != known.end()) return;
    fail("NVRTC {} makes no code for {}: it knows {}", version(), architecture, fmt::join(known, ", "));
  }

  std::string bytes_of(Program program, GetSize size, GetText get) const {
    size_t bytes = 0;
    require(size(program, &bytes), "the size of a result");
    std::string text(bytes, '\0');
    require(get(program, text.data()), "a result");
    return text;
  }
  std::string text_of(Program program, GetSize size, GetText get) const {
    std::string text = bytes_of(program, size, get);
    if (!text.empty() && text.back() == '\0') text.pop_back();
    return text;
  }

  void* library_;
  const std::string path_;
  int (*version_)(int*, int*);
  const char* (*error_text_)(int);
  int (*count_architectures_)(int*);
  int (*get_architectures_)(int*);
  int (*create_)(Program*, const char*, const char*, int, const char* const*, const char* const*);
  int (*destroy_)(Program*);
  int (*compile_)(Program, int, const char* const*);
  GetSize log_size_, ptx_size_, cubin_size_;
  GetText log_, ptx_, cubin_;
};

}  // namespace

const std::vector<std::string>& Nvrtc::usual_libraries() {
  // The names without a folder are for the system's search, LD_LIBRARY_PATH included.
  static const std::vector<std::string> kNames = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so",
                                                  "/usr/local/cuda/lib64/libnvrtc.so"};
  return kNames;
}

std::shared_ptr<const Nvrtc> Nvrtc::load(const std::vector<std::string>& libraries) {
  std::string first_error;
  for (const std::string& name : libraries) {
    // Loaded to the end of the process, so that loading it twice is loading it once.
    void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    try {
      return std::make_shared<LoadedNvrtc>(library, name);
    } catch (const Error& error) {
      dlclose(library);
      if (first_error.empty()) first_error = error.what();
    }
  }
  if (!first_error.empty()) throw Error(first_error);
  fail(
      "NVRTC, which compiles kernels, is not here: none of {} can be loaded. It is part of the CUDA toolkit (12 or "
      "later), and of the Python package nvidia-cuda-nvrtc, whose folder with libnvrtc.so then goes into "
      "LD_LIBRARY_PATH",
      fmt::join(libraries, ", "));
}

std::vector<std::string> nvrtc_arguments() {
  return {"--std=c++17", "--ptxas-options=-v", "--fmad=false"};
}

std::vector<std::string> parse_losses(const std::string& log) {
  static constexpr std::string_view kLoss = "Potential Performance Loss: ";
  std::vector<std::string> losses;
  for (size_t at = log.find(kLoss); at != std::string::npos; at = log.find(kLoss, at + 1)) {
    const size_t begin = at + kLoss.size();
    losses.push_back(log.substr(begin, std::min(log.find('\n', begin), log.size()) - begin));
  }
  return losses;
}

std::vector<KernelUse> parse_ptxas(const std::string& log) {
  std::vector<KernelUse> kernels;
  size_t begin = 0;
  while (begin < log.size()) {
    const size_t end = std::min(log.find('\n', begin), log.size());
    const std::string line = log.substr(begin, end - begin);
    begin = end + 1;
    static constexpr std::string_view kEntry = "Compiling entry function '";
    if (const size_t at = line.find(kEntry); at != std::string::npos) {
      const size_t from = at + kEntry.size();
      kernels.push_back({.name = line.substr(from, line.find('\'', from) - from)});
      continue;
    }
    if (kernels.empty()) continue;
    KernelUse& kernel = kernels.back();
    // The number in front of these words.
    const auto read = [&](std::string_view words, int64_t& value) {
      const size_t at = line.find(words);
      if (at == std::string::npos) return;
      size_t from = at;
      while (from > 0 && line[from - 1] >= '0' && line[from - 1] <= '9') --from;
      if (from < at) value = std::stoll(line.substr(from, at - from));
    };
    read(" bytes stack frame", kernel.stack_bytes);
    read(" bytes spill stores", kernel.spill_store_bytes);
    read(" bytes spill loads", kernel.spill_load_bytes);
    read(" registers", kernel.registers);
    read(" bytes smem", kernel.shared_bytes);
  }
  return kernels;
}

}  // namespace vantage::cuda
