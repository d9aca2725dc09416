// The sources that turn Verilator's output into a model library: model.cpp and model_abi.h.
#pragma once

#include "base/embedded_file.h"

namespace vantage::sim {

const EmbeddedFiles& model_glue();

}  // namespace vantage::sim
