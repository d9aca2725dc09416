// This machine's memory, as far as a server may use it.
#pragma once

#include "base/units.h"

namespace vantage::rpc {

// What programs may still take without anything being thrown out of memory: what the kernel says of the machine, or of
// this process's control group where that has less.
Bytes available_memory();

}  // namespace vantage::rpc
