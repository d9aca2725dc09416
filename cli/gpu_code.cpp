#include "cli/gpu_code.h"

#include "base/cache.h"
#include "base/error.h"
#include "base/installation.h"
#include "cli/progress.h"
#include "compiler/backend/cuda/kept_code.h"
#include "compiler/network/gpu_functions.h"
#include "driver/open/open.h"
#include "network/gpu_choice.h"

namespace vantage::cli {

bool is_gpu_target(std::string_view uri) {
  return uri.starts_with("cuda:");
}

std::unique_ptr<driver::FunctionDevice> open_gpu(const std::string& uri) {
  return driver::open_functions(uri, nullptr, installed_helper("vantage-gpu"));
}

const cuda::Architecture& architecture_of(const driver::FunctionDevice& gpu) {
  const auto name = parse_gpu_name(gpu.architecture());
  VANTAGE_CHECK(name.has_value());
  return cuda::architecture_of(name->capability);
}

std::shared_ptr<const cuda::Nvrtc> load_nvrtc() {
  std::shared_ptr<const cuda::Nvrtc> nvrtc = cuda::Nvrtc::load();
  try {
    return cuda::keeping_code(nvrtc, default_cache() / "gpu-code");
  } catch (const Error&) {
    return nvrtc;  // there is no folder, so nothing is kept
  }
}

GpuFunctions compile_gpu_code(const network::CompiledNetwork& compiled, const cuda::Architecture& architecture,
                              const cuda::Nvrtc& nvrtc) {
  Progress progress("functions for " + architecture.name, compiled.definitions.size());
  return network::compile_for_gpu(compiled.definitions, architecture, nvrtc, 0,
                                  [&](size_t done) { progress.advance(done); });
}

}  // namespace vantage::cli
