// The simulators, as kinds of device.
#pragma once

#include "driver/device/kind.h"

namespace vantage::driver {

AcceleratorKind functional_simulator();
AcceleratorKind systemc_simulator();
AcceleratorKind rtl_simulator();
AcceleratorKind published_machine();

}  // namespace vantage::driver
