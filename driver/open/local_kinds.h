// The kinds of accelerator that this machine has by itself.
#pragma once

#include <vector>

#include "driver/device/kind.h"

namespace vantage::driver {

const std::vector<AcceleratorKind>& local_accelerators();

}  // namespace vantage::driver
