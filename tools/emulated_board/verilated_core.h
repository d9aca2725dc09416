// The core's own RTL: its registers, its memory port, its interrupt.
#pragma once

#include <memory>

#include "hw/isa/config.h"
#include "hw/memory/memory_timing.h"
#include "sim/memory/dram.h"
#include "sim/rtl/model_library.h"
#include "tools/emulated_board/fabric.h"

namespace vantage::emulated {

// `library`: a model of this configuration (sim/rtl/model_builder.h). The memory must outlive it. Throws Error.
std::unique_ptr<Fabric> verilated_core(const isa::Config& config, const sim::RtlLibrary& library,
                                       const MemoryTiming& timing, sim::Dram& memory);

}  // namespace vantage::emulated
