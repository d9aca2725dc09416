#include "workload/processor_code.h"

#include "base/cache.h"
#include "base/error.h"

namespace vantage::workload {

std::shared_ptr<KeptFiles> kept_processor_code() {
  static const std::shared_ptr<KeptFiles> kept = []() -> std::shared_ptr<KeptFiles> {
    try {
      return std::make_shared<KeptFiles>(default_cache() / "cpu-code", "vantage-cpu-code/1");
    } catch (const Error&) {
      return nullptr;  // there is no folder, so nothing is kept
    }
  }();
  return kept;
}

std::vector<native::Function> processor_code(const std::vector<ir::PrimFunc>& scheduled) {
  return cpu::jit(scheduled, cpu::host_target(), {.kept = kept_processor_code()});
}

}  // namespace vantage::workload
