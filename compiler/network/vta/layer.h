// A function on the VTA, whatever it computes, and its program.
//
// Thread safety: values; compile() as what chooses mappings.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "compiler/network/vta/conv.h"
#include "compiler/network/vta/function.h"
#include "compiler/ops/conv2d/vta_search.h"
#include "hw/program/program.h"

namespace vantage::network {

// What a program's tensor is.
struct VtaOperand {
  std::string name;  // of the program's tensor
  enum class Kind : uint8_t { kInput, kConstant, kOutput } kind = Kind::kInput;
  size_t input = 0;                    // of the function's
  std::function<Tensor()> value = {};  // makes a constant, in tiles
};

struct VtaProgram {
  Program program;
  uint64_t cycles = 0;  // as it is estimated, exactly
  uint64_t bound = 0;   // that no program beats
  std::string binds;    // what does
};

// How a convolution's mapping is found: by a search, or in what was found before.
using FindMapping = std::function<ops::SearchResult(const Conv2dShape&, const ops::Epilogue&)>;

struct VtaLayer {
  std::string key;  // layers with the same one have the same program
  std::vector<VtaOperand> operands;
  uint64_t useful = 0, padded = 0;  // multiplications, of what the function says and of what the core does
  uint64_t operations = 0;  // that the function takes on a processor: products, pixels of windows, steps of elements
  std::function<vta::Bound(const MemoryTiming&)> bound;
  std::function<VtaProgram(const FindMapping&, const MemoryTiming&)> compile;
};

// Throws Error that says why the VTA cannot compute it. `config` must outlive the result.
VtaLayer read_layer(const BoundFunction& function, const isa::Config& config);

}  // namespace vantage::network
