// A device made of a simulated machine and a DRAM of its own.
#pragma once

#include <memory>
#include <string>

#include "driver/device/accelerator.h"
#include "sim/machine.h"

namespace vantage::driver {

std::unique_ptr<Accelerator> make_simulator_device(std::string uri, std::unique_ptr<sim::Machine> machine,
                                                   Bytes dram = sim::Dram::kFullSize);

}  // namespace vantage::driver
