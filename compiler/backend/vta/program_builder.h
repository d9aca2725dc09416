// Emits correct VTA programs from typed operations: 2D DMA with padding, GEMM and ALU over affine loop nests, tensors
// by name. It folds nests into hardware loops and micro-ops, keeps micro-op kernels resident in their scratchpad,
// drops, merges and orders transfers, inserts every dependence token, and interleaves virtual threads.
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
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/backend/vta/kernel_nest.h"
#include "compiler/backend/vta/operation.h"
#include "compiler/backend/vta/token_inserter.h"
#include "compiler/backend/vta/virtual_threads.h"
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

// Zero elements around a tile as it lands in the scratchpad; each at most 15.
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

  const isa::Config& config() const { return config_; }

  // Declares a tensor of `elements` elements of `memory`.
  TensorId tensor(std::string name, isa::Memory memory, uint64_t elements, TensorRole role);

  // Takes `count` elements of the INP, WGT or ACC scratchpad; inside a virtual thread, of that thread's share. `what`
  // names them in the message when there is no room.
  Region allocate(isa::Memory memory, uint64_t count, std::string_view what);
  // How many elements allocate() could still give.
  uint64_t available(isa::Memory memory) const;

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
  void alu(isa::AluOp op, const KernelNest& nest, int16_t imm);
  void alu(isa::AluOp op, const KernelNest& nest);

  // Calls body(thread) for each of `count` threads, giving each an equal share of what is left of every scratchpad,
  // and interleaves their operations: a turn ends where the body calls yield(). Throws Error when a thread writes
  // an element of a scratchpad that another one uses. Their shares are free again afterwards.
  void virtual_threads(int count, const std::function<void(int thread)>& body);
  void yield();

  // Ends the program with FINISH. The builder must not be used afterwards.
  Program finish();

 private:
  // Where kernels lie in the micro-op scratchpad and in Program::uops.
  struct Kernel {
    std::string kind;
    std::vector<isa::MicroOp> uops;
    uint32_t program_offset;
    std::optional<uint32_t> resident_at;
  };

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
  // Emission.
  void load_all_kernels(TokenInserter& tokens);
  void load_uops(uint32_t sram, uint32_t program_offset, uint32_t count, TokenInserter& tokens);
  std::vector<Kernel>::iterator kernel_of(const Operation& operation);
  void emit(Operation operation, TokenInserter& tokens);
  uint32_t make_resident(Operation& operation, TokenInserter& tokens);
  void append(isa::Insn insn, const std::vector<Access>& accesses, std::optional<uint32_t> symbol,
              TokenInserter& tokens);
  std::vector<Access> relevant(const std::vector<Access>& accesses) const;

  isa::Config config_;
  Program program_;
  std::array<Space, 3> spaces_;
  std::vector<Operation> operations_;
  std::vector<bool> loaded_, stored_;  // per tensor: some operation reads it, writes it
  ThreadTurns* turns_ = nullptr;       // of the virtual thread being recorded, if any
  std::vector<Kernel> kernels_;
  uint32_t next_uop_ = 0;  // in the micro-op scratchpad
};

}  // namespace vantage::vta
