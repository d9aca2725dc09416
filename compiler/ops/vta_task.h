// What one program for the VTA computes, whatever kind of layer it is: what networks are parted into, and what sweeps
// over configurations compile and measure.
//
// Thread safety: values and functions without state.
#pragma once

#include <functional>
#include <string>
#include <variant>

#include "base/json_fwd.h"
#include "compiler/ops/conv2d/vta_search.h"
#include "compiler/ops/elementwise/elementwise.h"
#include "compiler/ops/pool/vta_pool.h"
#include "compiler/ops/scratchpad_needs.h"
#include "hw/program/program.h"

namespace vantage::ops {

struct VtaConv2d {
  Conv2dShape shape;
  Epilogue epilogue;
  bool operator==(const VtaConv2d&) const = default;
};

using VtaTask = std::variant<VtaConv2d, VtaPool, Elementwise>;

// Tasks with the same text have the same program.
std::string key(const VtaTask& task);

// The same task with other numbers: tasks that differ only in what they add, multiply with, shift by and cut off take
// as many instructions, bytes and cycles, and give the same here.
VtaTask like(const VtaTask& task);

// What every schedule of it must do.
vta::Work work_of(const VtaTask& task, const isa::Config& config);

// Multiplications with tiles filled up with zeros, those with the zeros around an image included. None of what the ALU
// does alone.
uint64_t padded_multiplications(const VtaTask& task, const isa::Config& config);

// Throws Error, with what would help, where no piece of it fits the scratchpads.
void require_room(const VtaTask& task, const isa::Config& config);

struct VtaProgram {
  Program program;
  uint64_t cycles = 0;  // as it is estimated, exactly
  uint64_t bound = 0;   // that no schedule beats
  std::string binds;    // what does
  ScratchpadNeeds needs = {};
};

// How a convolution's mapping is found: by a search, or in what was found before.
using FindMapping = std::function<SearchResult(const Conv2dShape&, const Epilogue&)>;

// Mappings of convolutions come from `find`; null: a quick search. Throws Error when there is none that fits.
VtaProgram compile_task(const VtaTask& task, const isa::Config& config, const MemoryTiming& memory,
                        const FindMapping& find = nullptr);

// As an object of JSON, for files and other processes. Reading throws Error, naming `source` and the key.
Json to_json(const VtaTask& task);
VtaTask parse_task(const Json& json, const std::string& source);

}  // namespace vantage::ops
