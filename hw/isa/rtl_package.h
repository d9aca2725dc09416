// The RTL's view of a configuration: the SystemVerilog package vta_pkg with every parameter, field position and
// register offset that the modules of hw/rtl use.
#pragma once

#include <cstdint>
#include <string>

#include "hw/isa/config.h"

namespace vantage::isa {

// Text of vta_pkg.sv. Equal for configurations that differ only in TARGET, HW_VER or CLOCK_MHZ.
std::string rtl_package(const Config& config);

// FNV-1a, 64 bits, of "KEY=value\n" for every key that shapes the hardware, in the order of config_keys(): all but
// TARGET, HW_VER, CLOCK_MHZ and LOG_BLOCK, which LOG_BLOCK_IN and LOG_BLOCK_OUT replace. The core shows it in
// CONFIG_HASH, so software can tell what it was built for.
uint64_t hardware_hash(const Config& config);

}  // namespace vantage::isa
