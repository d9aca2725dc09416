// What a processor can do at best, measured: products and sums in registers, and memory passing by.
#pragma once

#include "cli/compare/row.h"
#include "compiler/ir/dtype.h"
#include "driver/device/processor.h"

namespace vantage::cli {

// With operands of this type, on all of the device's threads. Takes some tenths of a second.
Roofline measure_roofline(driver::Processor& cpu, ir::DType dtype);

}  // namespace vantage::cli
