// A configuration from its string.
#pragma once

#include <string_view>

#include "hw/isa/config.h"

namespace vantage::isa {

// The configuration of that name() whose other keys have their defaults: "1x16_i8w8a32_15_15_18_17". Throws Error when
// it is no such string, or names no sound configuration.
Config config_of_name(std::string_view name);

}  // namespace vantage::isa
