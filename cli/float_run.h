// A network's floats on this machine's processor, or on a GPU.
#pragma once

#include "cli/model_arguments.h"

namespace vantage::cli {

// `run MODEL --target cpu:` or `cuda:`: the exit status. Throws Error.
int run_floats(const ModelArguments& arguments);

}  // namespace vantage::cli
