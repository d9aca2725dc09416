// Random but valid configurations: small scratchpads, so that programs reach their ends.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/isa/config.h"

namespace vantage::test {

isa::Config random_config(uint64_t seed);

// Every configuration in configs/accelerators, by name.
std::vector<std::string> shipped_config_names();
isa::Config shipped_config(const std::string& name);

}  // namespace vantage::test
