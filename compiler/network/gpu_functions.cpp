#include "compiler/network/gpu_functions.h"

#include <fmt/format.h>

#include <mutex>

#include "base/error.h"
#include "base/parallel.h"
#include "compiler/backend/cuda/program.h"
#include "compiler/ops/cuda/default_schedule.h"

namespace vantage::network {

std::vector<native::GpuProgram> compile_for_gpu(const std::vector<ir::PrimFunc>& definitions,
                                                const cuda::Architecture& architecture, const cuda::Nvrtc& nvrtc,
                                                size_t threads, const std::function<void(size_t)>& done) {
  std::vector<native::GpuProgram> programs(definitions.size());
  std::mutex telling;
  size_t compiled = 0;
  in_parallel(definitions.size(), threads, [&](size_t i) {
    try {
      const ir::PrimFunc scheduled = ops::schedule_for_gpu(definitions[i], architecture).function();
      programs[i] = cuda::compile(scheduled, {.architecture = architecture.name}, nvrtc);
    } catch (const ToolError& error) {
      throw ToolError(fmt::format("{}: {}", definitions[i].name, error.what()), error.output());
    } catch (const Error& error) {
      fail("{}: {}", definitions[i].name, error.what());
    }
    const std::lock_guard lock(telling);
    ++compiled;
    if (done) done(compiled);
  });
  return programs;
}

}  // namespace vantage::network
