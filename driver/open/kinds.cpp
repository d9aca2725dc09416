#include "driver/open/local_kinds.h"
#include "driver/open/open.h"
#include "driver/processor/processor.h"
#include "driver/rpc/client/remote_accelerator.h"

namespace vantage::driver {

const std::vector<AcceleratorKind>& accelerator_kinds() {
  static const std::vector<AcceleratorKind> kKinds = [] {
    std::vector<AcceleratorKind> kinds = local_accelerators();
    if constexpr (VANTAGE_HAS_REMOTE) {
      kinds.push_back(rpc::remote_accelerator());
      kinds.push_back(rpc::remote_accelerator_over_tls());
    }
    return kinds;
  }();
  return kKinds;
}

std::vector<DeviceKind> compared_processors() {
  if constexpr (VANTAGE_HAS_PROCESSOR) return processor_kinds();
  return {};
}

}  // namespace vantage::driver
