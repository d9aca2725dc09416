// What a core's error registers mean for a program, in the words of the machines that check instructions themselves.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hw/isa/codec.h"
#include "hw/isa/register_map.h"
#include "sim/machine.h"

namespace vantage::sim {

// The program that a core ran, and what it could see.
struct FaultContext {
  const isa::Config& config;
  const isa::Codec& codec;
  Bytes memory_size;
  std::span<const std::byte> program;  // as the core was given it, as far as that is known
  std::span<const isa::MicroOp> uops;  // the micro-op scratchpad as it was then
};

// The bits of instruction `index`. REQUIRES: the program has it.
isa::Words words_of(std::span<const std::byte> program, uint32_t index);

// The instructions up to FINISH or to the first bits that are none, or as many as there are.
std::vector<isa::Insn> instructions(const FaultContext& context);

struct Fault {
  RunStatus status;
  std::string message;
};

// `cause` and `index` are ERROR_CAUSE and ERROR_INSN. Throws Error for what this program cannot have caused.
Fault explain_fault(const FaultContext& context, isa::ErrorCause cause, uint32_t index);

}  // namespace vantage::sim
