// The core's own RTL: its registers, its memory port, its interrupt.
#pragma once

#include <filesystem>
#include <memory>

#include "driver/boards/emulated/fabric.h"
#include "hw/isa/config.h"
#include "sim/memory/dram.h"
#include "sim/memory/memory_timing.h"

namespace vantage::boards {

// `library`: a model of this configuration (sim/rtl/model_builder.h). The memory must outlive it. Throws Error.
std::unique_ptr<Fabric> verilated_core(const isa::Config& config, const std::filesystem::path& library,
                                       const sim::MemoryTiming& timing, sim::Dram& memory);

}  // namespace vantage::boards
