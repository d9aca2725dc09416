// Places a program in DRAM: applies relocations, giving instructions with absolute addresses.
#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "hw/isa/register_map.h"
#include "hw/program/program.h"

namespace vantage {

// Where each symbol starts, in bytes.
struct Placement {
  Bytes uops;
  std::vector<Bytes> tensors;  // one per Program::tensors
};

// An alignment in bytes that suits a buffer of any element of this configuration, at least 64: that of the core's
// bursts, so that a buffer is read and written in as few of them wherever it lies.
Bytes buffer_alignment(const isa::Config& config);

// Symbols one after another from `begin`, each aligned; for checks and recordings that need some placement.
Placement place_sequentially(const Program& program, Bytes begin);

// What is wrong with a program whose tensors and micro-ops do not lie side by side in so much memory; none: they do.
std::optional<std::string> fault_of_size(const Program& program, Bytes dram_size = isa::kAddressSpace);

// The instructions with every relocation applied. Throws Error when a symbol's address is not a multiple of the
// element that an instruction counts in, or when an element index no longer fits its field; and Stopped (base/stop.h)
// when told to stop.
std::vector<isa::Insn> link(const Program& program, const Placement& placement, const std::stop_token& stop = {});

}  // namespace vantage
