// The five instructions and the micro-op as plain structs. Values are those of the fields, unscaled: elements,
// counts and factors of docs/isa.md sections 2 and 3.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "hw/isa/memory_type.h"

namespace vantage::isa {

enum class Opcode : uint8_t { kLoad = 0, kStore = 1, kGemm = 2, kFinish = 3, kAlu = 4 };
inline constexpr std::array kAllOpcodes = {Opcode::kLoad, Opcode::kStore, Opcode::kGemm, Opcode::kFinish, Opcode::kAlu};

enum class AluOp : uint8_t { kMin = 0, kMax = 1, kAdd = 2, kShr = 3, kMul = 4 };
inline constexpr std::array kAllAluOps = {AluOp::kMin, AluOp::kMax, AluOp::kAdd, AluOp::kShr, AluOp::kMul};
std::string_view name(AluOp op);  // "min", ...
// All of them for a message, each with `prefix` before it: "min, max, add, shr or mul".
std::string alu_op_names(std::string_view prefix = {});
std::optional<AluOp> alu_op_from_name(std::string_view text);

// The three pipeline stages. *prev* and *next* of an instruction are its stage's neighbours in this order.
enum class Stage : uint8_t { kLoad = 0, kCompute = 1, kStore = 2 };
inline constexpr std::array kAllStages = {Stage::kLoad, Stage::kCompute, Stage::kStore};
std::string_view name(Stage stage);  // "load", ...

// Dependence tokens that an instruction pops before and pushes after it executes.
struct Deps {
  bool pop_prev = false;
  bool pop_next = false;
  bool push_prev = false;
  bool push_next = false;
  bool operator==(const Deps&) const = default;
};

// The 2D DMA that LOAD and STORE share. Units: elements of `memory`.
struct Transfer {
  Memory memory = Memory::kInp;
  uint32_t sram_base = 0;
  uint32_t dram_base = 0;
  uint32_t y_size = 0;
  uint32_t x_size = 0;
  uint32_t x_stride = 0;
  uint32_t y_pad_0 = 0;
  uint32_t y_pad_1 = 0;
  uint32_t x_pad_0 = 0;
  uint32_t x_pad_1 = 0;
  bool operator==(const Transfer&) const = default;

  bool moves_nothing() const { return x_size == 0 || y_size == 0; }
  // Elements written to the scratchpad per row, and rows, pads included.
  uint64_t padded_row() const { return uint64_t{x_pad_0} + x_size + x_pad_1; }
  uint64_t padded_rows() const { return uint64_t{y_pad_0} + y_size + y_pad_1; }
};

struct Load {
  Deps deps;
  Transfer transfer;
  bool operator==(const Load&) const = default;
};

struct Store {
  Deps deps;
  Transfer transfer;
  bool operator==(const Store&) const = default;
};

// The loop nest that GEMM and ALU share: for it_out, for it_in, for u in [uop_bgn, uop_end).
struct Loop {
  uint32_t uop_bgn = 0;
  uint32_t uop_end = 0;
  uint32_t iter_out = 0;
  uint32_t iter_in = 0;
  uint32_t dst_factor_out = 0;
  uint32_t dst_factor_in = 0;
  uint32_t src_factor_out = 0;
  uint32_t src_factor_in = 0;
  bool operator==(const Loop&) const = default;

  uint64_t steps() const { return uop_end <= uop_bgn ? 0 : uint64_t{iter_out} * iter_in * (uop_end - uop_bgn); }
};

struct Gemm {
  Deps deps;
  bool reset = false;
  Loop loop;
  uint32_t wgt_factor_out = 0;
  uint32_t wgt_factor_in = 0;
  bool operator==(const Gemm&) const = default;
};

struct Alu {
  Deps deps;
  AluOp op = AluOp::kMin;
  Loop loop;
  bool use_imm = false;
  int32_t imm = 0;  // 16 bits, signed; 0 when unused
  bool operator==(const Alu&) const = default;
};

struct Finish {
  Deps deps;
  bool operator==(const Finish&) const = default;
};

using Insn = std::variant<Load, Store, Gemm, Alu, Finish>;

struct MicroOp {
  uint32_t dst = 0;
  uint32_t src = 0;
  uint32_t wgt = 0;
  auto operator<=>(const MicroOp&) const = default;
};

Stage stage(const Insn& insn);
const Deps& deps(const Insn& insn);
Deps& deps(Insn& insn);

// GEMM or ALU steps, resets included; 0 for the others.
uint64_t steps(const Insn& insn);

// The transfer of a LOAD or STORE, null for the others.
const Transfer* transfer(const Insn& insn);
Transfer* transfer(Insn& insn);

}  // namespace vantage::isa
