// A network's floats on this machine's processor.
#pragma once

#include "cli/model_arguments.h"

namespace vantage::cli {

// `run MODEL --target cpu:`: the exit status. Throws Error.
int run_floats(const ModelArguments& arguments);

}  // namespace vantage::cli
