#include "driver/boards/pynq.h"
#include "driver/open/open.h"
#include "driver/rpc/remote_accelerator.h"
#include "driver/simulators/kinds.h"

namespace vantage::driver {

// What the tool for boards has.
const std::vector<AcceleratorKind>& accelerator_kinds() {
  static const std::vector<AcceleratorKind> kKinds = {boards::pynq(), functional_simulator(), rpc::remote_accelerator(),
                                                      rpc::remote_accelerator_over_tls()};
  return kKinds;
}

std::vector<DeviceKind> compared_processors() {
  return {};
}

}  // namespace vantage::driver
