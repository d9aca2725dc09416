// A network after compilation: the steps that compute it, what each runs on, and where its tensors lie. It is data,
// which a compiler makes and driver/runtime runs; processor code is beside it, by the names of its functions.
//
// Thread safety: values, and functions without state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/tensor/type.h"
#include "hw/program/program.h"

namespace vantage {

enum class Place : uint8_t { kHost, kAccelerator };

// A tensor in one place. On the host it is dense; an accelerator has its elements one after another, in lanes as wide
// as the memory that they are counted in says.
struct NetworkTensor {
  std::string name;  // no other tensor of the network has it
  TensorType type;
  Place place = Place::kHost;
  std::optional<isa::Memory> memory = {};  // of the accelerator's
  uint64_t bytes = 0;                      // there
  size_t slot = SIZE_MAX;                  // of the place's slots; constants have memory of their own
  std::shared_ptr<const Tensor> constant = {};
};

// One thing to do.
struct NetworkStep {
  enum class Kind : uint8_t {
    kFunction,  // a function of the processor, whose parameters are the operands in order
    kProgram,   // a program of the accelerator, whose tensors are the operands in order
    kUpload,    // from the host to the accelerator: operands are the source and what is written
    kDownload,  // the other way
  };
  Kind kind = Kind::kFunction;
  std::string name;              // of the node of the graph that it is for
  size_t code = 0;               // of the network's functions or programs
  std::vector<size_t> operands;  // of its tensors
};

// What a compiler knows of a program before it runs.
struct ProgramEstimate {
  std::string op;                   // "conv2d"
  uint64_t cycles = 0;              // with the memory that it was compiled for
  uint64_t bound = 0;               // cycles that no schedule takes fewer than
  std::string binds;                // what says so: "the reads"
  uint64_t bytes = 0;               // over the bus
  uint64_t useful = 0, padded = 0;  // multiplications that the layer asks for; the same in whole tiles
};

struct Network {
  std::string name;
  std::optional<isa::Config> config = {};   // of programs, where there are some
  std::vector<std::string> functions = {};  // of the processor, by name
  std::vector<Program> programs = {};
  std::vector<ProgramEstimate> estimates = {};  // of the programs, in order, with this memory
  std::string memory = {};
  std::vector<NetworkTensor> tensors = {};
  std::vector<NetworkStep> steps = {};
  std::vector<size_t> inputs = {}, outputs = {};                  // of its tensors, all on the host
  std::vector<std::string> output_names = {};                     // none: those of their tensors
  std::vector<uint64_t> host_slots = {}, accelerator_slots = {};  // bytes of each
};

// Values by the names of a network's inputs.
using NetworkInputs = std::map<std::string, Tensor, std::less<>>;

// What a network's outputs are called, each by a name of its own.
std::vector<std::string> output_names(const Network& network);

// Throws Error, beginning with `source`, for a network that cannot be run: numbers of what it does not have, tensors
// that do not fit their slots or what a program makes of them, steps that read what lies elsewhere.
void check_network(const Network& network, std::string_view source);

}  // namespace vantage
