// A program that zeros every scratchpad, for devices that have no other way to.
#pragma once

#include <cstdint>
#include <vector>

#include "hw/isa/config.h"
#include "hw/isa/insn.h"

namespace vantage::boards {

// Bytes of zeros that the program reads.
Bytes scrub_source_size(const isa::Config& config);

// `zeros`: where they lie, aligned for every element of the configuration.
std::vector<isa::Insn> scrub_program(const isa::Config& config, Bytes zeros);

// One instruction of the compute stage that does nothing.
isa::Insn no_operation();

}  // namespace vantage::boards
