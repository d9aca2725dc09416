// What docs/isa.md refuses in a single instruction, said once for the verifier and for every machine. Each function
// gives the reason as half a sentence that names the offending value, or nothing when the instruction is legal.
//
// A transfer that moves nothing is always legal. Only indices that the instruction uses are checked: a reset reads
// neither INP nor WGT, an ALU instruction with an immediate has no source.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "hw/isa/config.h"
#include "hw/isa/insn.h"

namespace vantage::isa {

using Illegal = std::optional<std::string>;

// `dram_size`: bytes of DRAM, from address 0.
Illegal check(const Load& load, const isa::Config& config, Bytes dram_size);
Illegal check(const Store& store, const isa::Config& config, Bytes dram_size);

// `uops`: the whole micro-op scratchpad, depth(kUop) entries.
Illegal check(const Gemm& gemm, const isa::Config& config, std::span<const MicroOp> uops);
Illegal check(const Alu& alu, const isa::Config& config, std::span<const MicroOp> uops);

// First byte of a transfer in DRAM and one past its last; both 0 when it moves nothing.
struct ByteRange {
  Bytes begin;
  Bytes end;
};
ByteRange dram_range(const Transfer& transfer, const isa::Config& config);

}  // namespace vantage::isa
