// What the calls of a GPU's own do, for the reference interpreter: those of tensor_cores.h, and those by which copies
// run beside the threads (pipeline_copies.h), which do nothing, as copies are made where they stand.
#pragma once

#include "compiler/schedule/tensor_intrinsic.h"

namespace vantage::cuda {

schedule::Externs externs();

}  // namespace vantage::cuda
