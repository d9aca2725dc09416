#include "driver/cuda/gpu_module.h"

#include <array>
#include <charconv>
#include <utility>

#include "base/error.h"

namespace vantage::driver {

namespace {

// Options of cuModuleLoadDataEx, and an attribute of functions, as CUDA numbers them.
constexpr int kErrorLog = 5, kErrorLogBytes = 6;
constexpr int kMostGivenSharedBytes = 8;

struct Answer {
  int code = 0;
  std::string log;  // of the compiler that is in the driver
};

Answer load_image(const DriverApi& api, const std::string& image, DriverApi::Module* module) {
  std::array<char, 4096> log{};
  std::array<int, 2> options = {kErrorLog, kErrorLogBytes};
  std::array<void*, 2> values = {log.data(), reinterpret_cast<void*>(log.size())};  // NOLINT: as CUDA has it
  Answer answer;
  answer.code = api.module_load_data_ex(module, image.c_str(), 2, options.data(), values.data());
  log.back() = '\0';
  answer.log = log.data();
  while (!answer.log.empty() && answer.log.back() == '\n') answer.log.pop_back();
  return answer;
}

// 80 for "sm_80" and "sm_80a".
int capability_of(const std::string& architecture) {
  int number = 0;
  const size_t digits = architecture.find_first_of("0123456789");
  if (digits != std::string::npos) {
    std::from_chars(architecture.data() + digits, architecture.data() + architecture.size(), number);
  }
  return number;
}

// The toolkit's version as a driver counts: 13000 for "13.0".
int number_of_version(const std::string& text) {
  int major = 0, minor = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, major);
  if (error == std::errc() && rest != end) std::from_chars(rest + 1, end, minor);
  return 1000 * major + 10 * minor;
}

// What would help against a driver that takes none of the code.
std::string remedy(const GpuInfo& info, const native::GpuProgram& program, int ptx_answer) {
  const std::string own = architecture_name(info);
  const bool ends_in_letter = !program.architecture.empty() && program.architecture.back() >= 'a';
  if (capability_of(program.architecture) > info.capability ||
      (ends_in_letter && capability_of(program.architecture) != info.capability)) {
    return fmt::format("it was compiled for {}, and this GPU ({}) is {}: compile it for {}", program.architecture,
                       info.name, own, own);
  }
  if (ptx_answer == kCudaUnsupportedPtxVersion || number_of_version(program.toolkit) > info.driver_version) {
    return fmt::format(
        "the driver here knows CUDA up to {}, and the code was made by CUDA {}: install a newer driver, or compile "
        "with NVRTC {} or older",
        cuda_version(info.driver_version), program.toolkit, cuda_version(info.driver_version));
  }
  if (ptx_answer == kCudaJitCompilerNotFound) {
    return "the driver's own compiler (libnvidia-ptxjitcompiler.so.1) is not installed: compile for " + own +
           ", or install all of the driver";
  }
  return fmt::format("compile it for {}", own);
}

}  // namespace

GpuModule::GpuModule(std::shared_ptr<const DriverApi> api, std::string name, const GpuInfo& info,
                     const native::GpuProgram& program)
    : api_(std::move(api)), name_(std::move(name)) {
  load_code(info, program);
  try {
    find_functions(info, program);
  } catch (...) {
    api_->module_unload(module_);
    throw;
  }
}

GpuModule::~GpuModule() {
  api_->module_unload(module_);
}

void GpuModule::load_code(const GpuInfo& info, const native::GpuProgram& program) {
  const std::string& name = program.signature.name;
  std::string cubin_said = "there is no machine code";
  if (!program.cubin.empty()) {
    const Answer answer = load_image(*api_, program.cubin, &module_);
    if (answer.code == kCudaSuccess) {
      code_ = "machine code for " + program.architecture;
      return;
    }
    // Not the code's fault.
    if (is_sticky(answer.code) || answer.code == kCudaOutOfMemory) {
      api_->require(answer.code, name_, "loading " + name);
    }
    cubin_said = fmt::format("the machine code for {} gets {}", program.architecture, api_->describe(answer.code));
  }
  if (program.ptx.empty()) {
    fail("{}: {} cannot be loaded: {}, and there is no PTX; {}", name_, name, cubin_said,
         remedy(info, program, kCudaSuccess));
  }
  const Answer answer = load_image(*api_, program.ptx, &module_);
  if (answer.code == kCudaSuccess) {
    code_ = fmt::format("PTX of CUDA {} for {}, from which the driver made code for {}: {}", program.toolkit,
                        program.architecture, architecture_name(info), cubin_said);
    return;
  }
  if (is_sticky(answer.code)) api_->require(answer.code, name_, "loading " + name);
  const std::string message = fmt::format("{}: {} cannot be loaded: {}, the PTX gets {}; {}", name_, name, cubin_said,
                                          api_->describe(answer.code), remedy(info, program, answer.code));
  if (answer.log.empty()) throw Error(message);
  throw ToolError(message, answer.log);
}

void GpuModule::find_functions(const GpuInfo& info, const native::GpuProgram& program) {
  for (const native::GpuKernel& kernel : program.kernels) {
    DriverApi::Function function = nullptr;
    const int code = api_->module_get_function(&function, module_, kernel.name.c_str());
    if (code == kCudaNotFound) fail("{}: {} has no kernel {}", name_, program.signature.name, kernel.name);
    api_->require(code, name_, kernel.name);
    if (kernel.is_given) {
      if (kernel.shared_bytes > info.block_shared.count()) {
        fail("{}: a block of {} takes {} bytes of shared memory, and {} gives at most {}", name_, kernel.name,
             kernel.shared_bytes, info.name, info.block_shared.count());
      }
      api_->require(api_->func_set_attribute(function, kMostGivenSharedBytes, static_cast<int>(kernel.shared_bytes)),
                    name_, fmt::format("{} bytes of shared memory for {}", kernel.shared_bytes, kernel.name));
    }
    functions_.push_back(function);
  }
}

}  // namespace vantage::driver
