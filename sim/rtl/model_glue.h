// The sources that turn Verilator's output into a model library: model.cpp, model_abi.h, and activity.sv,
// which counts beside the core.
#pragma once

#include "base/embedded_file.h"

namespace vantage::sim {

const EmbeddedFiles& model_glue();

}  // namespace vantage::sim
