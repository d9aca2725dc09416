// What a device can do at best.
#pragma once

#include <algorithm>
#include <optional>

#include "base/tensor/dtype.h"
#include "driver/processor/processor.h"
#include "hw/isa/config.h"
#include "hw/memory/memory_timing.h"

namespace vantage::workload {

// In operations and bytes per second: measured for processors, of accelerators what multipliers and bus are made for,
// of GPUs the same (gpu_roofline.h).
struct Roofline {
  double operations, bytes;

  // At so many operations per byte.
  double attainable(double intensity) const { return std::min(operations, intensity * bytes); }
};

// Of a configuration, at this clock, and a memory, which may be slower than the bus.
Roofline accelerator_roofline(const isa::Config& config, double clock_mhz,
                              const std::optional<MemoryTiming>& memory = {});

// Measured: products and sums in registers with operands of this type, and memory passing by, on all of the device's
// threads. Takes some tenths of a second.
Roofline measure_roofline(driver::Processor& cpu, DType dtype);

}  // namespace vantage::workload
