// From buffers by name to the order of a program's tensors.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "driver/device/device.h"
#include "hw/program/program.h"

namespace vantage::driver {

// The buffers of a program's tensors in its order, from a map by name. Throws Error when one is missing, too small, or
// not the program's.
std::vector<const Buffer*> bind_tensors(const Program& program, const std::map<std::string, const Buffer*>& buffers);

}  // namespace vantage::driver
