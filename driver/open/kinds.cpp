#include "driver/simulators/kinds.h"
#include "driver/boards/pynq.h"
#include "driver/open/open.h"
#include "driver/processor/processor.h"
#include "driver/rpc/remote_accelerator.h"

namespace vantage::driver {

// The only list to extend for a new kind. What a build leaves out is not referred to, and so not linked.
const std::vector<AcceleratorKind>& accelerator_kinds() {
  static const std::vector<AcceleratorKind> kKinds = [] {
    std::vector<AcceleratorKind> kinds = {functional_simulator()};
    if constexpr (VANTAGE_HAS_TIME) {
      kinds.push_back(systemc_simulator());
      kinds.push_back(rtl_simulator());
    }
    kinds.push_back(boards::pynq());
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
