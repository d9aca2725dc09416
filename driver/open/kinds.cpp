#include "driver/simulators/kinds.h"
#include "driver/boards/pynq.h"
#include "driver/device/processor.h"
#include "driver/open/open.h"
#include "driver/rpc/remote_accelerator.h"

namespace vantage::driver {

// The only list to extend for a new kind; board_kinds.cpp is that of the tool for boards.
const std::vector<AcceleratorKind>& accelerator_kinds() {
  static const std::vector<AcceleratorKind> kKinds = {functional_simulator(),    systemc_simulator(),
                                                      rtl_simulator(),           boards::pynq(),
                                                      rpc::remote_accelerator(), rpc::remote_accelerator_over_tls()};
  return kKinds;
}

std::vector<DeviceKind> compared_processors() {
  return processor_kinds();
}

}  // namespace vantage::driver
