// Records VTA programs as typed operations: 2D DMA with padding, GEMM and ALU over affine loop nests, tensors by name.
// It folds nests into hardware loops and micro-ops, cuts transfers to what an instruction holds and interleaves virtual
// threads. The finishing passes (lower.h) then drop, order and merge transfers, place micro-ops and put in the tokens.
//
//   ProgramBuilder b(config);
//   TensorId a = b.tensor("A", Memory::kInp, 16, TensorRole::kInput);
//   Region x = b.allocate(Memory::kInp, 16, "A");
//   b.load(x.begin, a, {.rows = 1, .columns = 16});
//   ...
//   Program p = b.finish();
//
// Operations take effect in the order of the calls. Units are elements of the memory in question throughout. Every
// function throws Error for what the configuration cannot hold; after that the builder is of no more use. Thread
// safety: none.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/backend/vta/kernel_index.h"
#include "compiler/backend/vta/kernel_nest.h"
#include "compiler/backend/vta/operations.h"
#include "compiler/backend/vta/virtual_threads.h"
#include "hw/isa/layout.h"
#include "hw/program/program.h"

namespace vantage::vta {

enum class TensorId : uint32_t {};

// A rectangle of a tensor in DRAM: `rows` rows of `columns` elements, the first at `offset`, `row_stride` apart.
struct Tile {
  uint64_t offset = 0;
  uint64_t rows = 1;
  uint64_t columns = 1;
  uint64_t row_stride = 0;
};

// Zero elements around a tile as it lands in the scratchpad; each at most what its field holds (max_padding()).
struct Padding {
  uint32_t top = 0, bottom = 0, left = 0, right = 0;
};

// Consecutive elements of a scratchpad.
struct Region {
  uint32_t begin = 0;
  uint32_t count = 0;
};

class ProgramBuilder {
 public:
  explicit ProgramBuilder(const isa::Config& config);

  const isa::Config& config() const { return list_.config; }

  // Declares a tensor of `elements` elements of `memory`.
  TensorId tensor(std::string name, isa::Memory memory, uint64_t elements, TensorRole role);

  // Takes `count` elements of the INP, WGT or ACC scratchpad; inside a virtual thread, of that thread's share. `what`
  // names them in the message when there is no room.
  Region allocate(isa::Memory memory, uint64_t count, std::string_view what);
  // How many elements allocate() could still give.
  uint64_t available(isa::Memory memory) const;
  // How many zeros a load can put on one side.
  uint64_t max_padding() const;

  // DRAM to the scratchpad of the tensor's memory, row after row from element `sram`, padding around it.
  // A tensor counted in ACC8 has 8-bit lanes, which are sign-extended into the accumulators.
  void load(uint32_t sram, TensorId tensor, const Tile& tile, const Padding& padding = {});
  // The same to another scratchpad, the tile counted in elements of `memory`: one layer's OUT tensor is the next one's
  // INP where both lie alike.
  void load_as(isa::Memory memory, uint32_t sram, TensorId tensor, const Tile& tile, const Padding& padding = {});
  // Accumulators from element `sram`, cut to OUT_WIDTH, to a tensor counted in OUT.
  void store(TensorId tensor, const Tile& tile, uint32_t sram);

  // acc[dst] = 0; acc[dst] += inp[src] * wgt[wgt]. Steps may run in any order.
  void reset(const KernelNest& nest);
  void gemm(const KernelNest& nest);
  // acc[dst] = op(acc[dst], imm), in any order; acc[dst] = op(acc[dst], acc[src]), in the nest's order.
  void alu(isa::AluOp op, const KernelNest& nest, int32_t imm);
  void alu(isa::AluOp op, const KernelNest& nest);

  // Calls body(thread) for each of `count` threads, giving each an equal share of what is left of every scratchpad,
  // and interleaves their operations: in turns, each of which ends where the body calls yield(), or half a tile apart
  // (staggered_threads.h). Throws Error when a thread writes an element of a scratchpad that another one uses. Their
  // shares are free again afterwards.
  enum class ThreadOrder : uint8_t { kTurns, kStaggered };
  void virtual_threads(int count, const std::function<void(int thread)>& body, ThreadOrder order = ThreadOrder::kTurns);
  void yield();

  // What was recorded. The builder must not be used afterwards.
  OperationList operations();

  // The program that it becomes by the finishing passes. The builder must not be used afterwards.
  Program finish();

 private:
  struct Space {
    uint32_t next = 0;
    uint32_t end = 0;
  };
  Space& space(isa::Memory memory);
  const Space& space(isa::Memory memory) const { return const_cast<ProgramBuilder*>(this)->space(memory); }

  void add(Operation operation);
  void add_transfer(bool is_load, isa::Memory memory, uint32_t sram, TensorId id, const Tile& tile,
                    const Padding& padding);
  void add_compute(const KernelNest& nest, StepOrder order, const std::string& kind,
                   const std::function<isa::Insn(const FoldedKernel&)>& make, const std::vector<Access>& accesses);
  uint64_t limit(isa::FieldId field) const { return layout_.field(isa::Format::kTransfer, field).max(); }

  OperationList list_;
  isa::Layout layout_;
  FoldLimits fold_limits_;
  KernelIndex kernels_;  // of list_
  std::array<Space, 3> spaces_;
  ThreadTurns* turns_ = nullptr;  // of the virtual thread being recorded, if any
};

}  // namespace vantage::vta
