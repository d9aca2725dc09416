// The sources that turn Verilator's output into a model library: model.cpp and model_abi.h.
#pragma once

#include <vector>

#include "hw/rtl/sources.h"

namespace vantage::sim {

const std::vector<rtl::Source>& model_glue();

}  // namespace vantage::sim
