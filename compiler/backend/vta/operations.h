// A program before it is finished: what ProgramBuilder records, what the finishing passes (lower.h) improve, place and
// order, and what becomes a Program at the end. It is a plain value; its text shows it after every pass.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/backend/vta/interval.h"
#include "hw/isa/insn.h"
#include "hw/program/program.h"

namespace vantage::vta {

// What an operation touches: elements [begin, end) of a scratchpad, or bytes [begin, end) of a tensor in DRAM.
struct Access {
  enum class Space : uint8_t { kInp, kWgt, kAcc, kTensor };
  Space space;
  uint32_t tensor = 0;  // index, for kTensor
  uint64_t begin = 0;
  uint64_t end = 0;
  bool is_write = false;
};

// Whether two accesses touch an element or byte that is the same.
inline bool overlap(const Access& a, const Access& b) {
  return a.space == b.space && a.tensor == b.tensor && a.begin < b.end && b.begin < a.end;
}

// Accesses to one scratchpad, all of them reads or all writes, that stand in a row and lie one behind the other, apart:
// calls use(first of them, where they lie) for each such row. Those to tensors are left out.
template <typename Use>
void for_each_row_of(const std::vector<Access>& accesses, const Use& use) {
  std::vector<Interval> row;
  for (auto a = accesses.begin(); a != accesses.end();) {
    const Access& first = *a++;
    if (first.space == Access::Space::kTensor) continue;
    row.assign(1, {first.begin, first.end});
    while (a != accesses.end() && a->space == first.space && a->is_write == first.is_write &&
           a->begin > row.back().end) {
      row.push_back({a->begin, a->end});
      ++a;
    }
    use(first, row);
  }
}

// The micro-ops of a GEMM or ALU instruction. Kernels of different kinds are different kernels, though their micro-ops
// may be alike, until they have their places (place_micro_ops.h).
struct Kernel {
  std::string kind;  // "gemm", "gemm.reset", "alu.add", "alu.add.imm"
  std::vector<isa::MicroOp> uops;
  bool operator==(const Kernel&) const = default;
};

// An instruction with all that it touches.
struct Operation {
  isa::Insn insn;
  std::optional<uint32_t> symbol = {};  // of a transfer: the tensor's index, or Relocation::kMicroOps
  std::optional<uint32_t> kernel = {};  // of what computes, until its micro-ops have their place: which kernel
  std::vector<Access> accesses = {};
};

struct OperationList {
  isa::Config config;
  std::vector<ProgramTensor> tensors = {};
  std::vector<Kernel> kernels = {};     // empty once their micro-ops have their places
  std::vector<isa::MicroOp> uops = {};  // of the program; empty before
  // Begins and ends with parts of instructions (begin_in_slices.h, end_in_slices.h), and loads the micro-ops for later
  // behind long instructions (place_micro_ops.h).
  bool in_slices = false;
  bool fills_waits = false;       // the vector engine works while the first sums wait (fill_waits.h)
  bool shares_micro_ops = false;  // resets and ALU instructions with an immediate do (place_micro_ops.h)
  bool skips_zeros = false;       // no products with the zeros around an image (skip_zeros.h)
  std::vector<Operation> operations = {};
};

// Whether two operations may not change places.
bool conflict(const Operation& a, const Operation& b);

// The transfer of a load; null for everything else.
const isa::Transfer* load_of(const Operation& operation);
// Beats that a transfer takes on the bus: its rows, each in whole beats.
uint64_t beats_of(const isa::Transfer& transfer, const isa::Config& config);
// A load of what GEMM multiplies, which the load stage brings.
bool is_operand_load(const Operation& operation);
// A GEMM that multiplies, and one that sets accumulators to zero.
bool is_gemm(const Operation& operation);
bool is_reset(const Operation& operation);
// What the vector engine does: a reset or an ALU instruction.
bool is_vector(const Operation& operation);
// Steps of a GEMM, reset or ALU instruction. REQUIRES: its kernel is one of these.
uint64_t steps(const Operation& operation, const std::vector<Kernel>& kernels);
// Those of all GEMMs that multiply, and of all that the vector engine does.
struct StepCounts {
  uint64_t gemm = 0, vector = 0;
};
StepCounts count_steps(const OperationList& list);

// Tensors, kernels or micro-ops, then a line for each operation as in the assembly (docs/assembly.md), with its kernel
// as uop=kNUMBER while that has no place, and what it reads and writes as a comment: scratchpads in elements, tensors
// in bytes.
std::string to_text(const OperationList& list);

// The program that a finished list is: every micro-op in its place, every token set, FINISH at the end. What an
// operation touches is forgotten. Whether fields can hold their values is left to check_tables().
Program to_program(OperationList list);

}  // namespace vantage::vta
