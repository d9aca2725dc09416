// `vantage explore --verify`: whether a proof holds.
#pragma once

#include <cstdint>
#include <string>

#include "cli/sweep_options.h"

namespace vantage::cli {

// Prints what is wrong with the proof in a file, or what it proves. Of the designs that it says were measured, wholly
// or in part, so many are run `again`, half of them of the front. The question is the proof's; `how` says where
// programs run. Returns the exit status. Throws Error.
int verify_front(const SweepArguments& how, const std::string& file, uint64_t again, bool json);

}  // namespace vantage::cli
