// What workloads need on an accelerator: the one place that counts useful operations. Tables, JSON, comparisons and the
// sentence about a run's bottleneck all take them from here.
//
// Thread safety: functions without state.
#pragma once

#include "base/shape/conv2d.h"
#include "compiler/ops/elementwise/elementwise.h"
#include "sim/profile/work.h"

namespace vantage::workload {

// A convolution or, of images of one pixel, a matrix product: Conv2dShape::operations(). What follows the sums is not
// counted, on no device.
sim::Work useful_work(const Conv2dShape& shape, const isa::Config& config);

// An elementwise layer: one operation for each value of the operator, of the shift if there is one, and of both limits.
sim::Work useful_work(const ops::Elementwise& layer, const isa::Config& config);

}  // namespace vantage::workload
