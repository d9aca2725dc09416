#include "driver/open/local_kinds.h"

#include "driver/boards/pynq.h"
#include "driver/simulators/kinds.h"

namespace vantage::driver {

// The only list to extend for a new kind. What a build leaves out is not referred to, and so not linked.
const std::vector<AcceleratorKind>& local_accelerators() {
  static const std::vector<AcceleratorKind> kKinds = [] {
    std::vector<AcceleratorKind> kinds = {functional_simulator()};
    if constexpr (VANTAGE_HAS_TIME) {
      kinds.push_back(systemc_simulator());
      kinds.push_back(rtl_simulator());
    }
    kinds.push_back(published_machine());
    kinds.push_back(boards::pynq());
    return kinds;
  }();
  return kKinds;
}

}  // namespace vantage::driver
