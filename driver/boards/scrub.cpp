#include "driver/boards/scrub.h"

#include <algorithm>

#include "base/error.h"
#include "hw/isa/layout.h"

namespace vantage::boards {

using namespace isa;

namespace {

// Powers of two, as depths are, so that they divide them. Larger ones would want more zeros to read, smaller ones more
// rows, micro-op loads and iterations; require_held() says whether the fields of instructions hold what comes of them.
constexpr uint64_t kRow = 256;           // elements of one row; all rows are read from the same zeros
constexpr uint64_t kUopPiece = 1 << 14;  // micro-ops are loaded in single rows
constexpr uint64_t kInnerSteps = 1 << 10;

void require_held(const isa::Layout& layout, Format format, FieldId field, uint64_t value) {
  VANTAGE_CHECK(value <= layout.field(format, field).max());
}

uint64_t row(const isa::Config& config, Memory memory) {
  return std::min(config.depth(memory).count(), memory == Memory::kUop ? kUopPiece : kRow);
}

}  // namespace

Bytes scrub_source_size(const isa::Config& config) {
  Bytes most;
  for (const Memory memory : {Memory::kUop, Memory::kInp, Memory::kWgt, Memory::kAcc}) {
    most = std::max(most, config.element_size(memory) * row(config, memory));
  }
  return most;
}

std::vector<Insn> scrub_program(const isa::Config& config, Bytes zeros) {
  const isa::Layout layout(config);
  std::vector<Insn> insns;
  const auto load = [&](Memory memory, uint64_t sram, uint64_t rows) {
    const Bytes element = config.element_size(memory);
    require_held(layout, Format::kTransfer, FieldId::kYSize, rows);
    require_held(layout, Format::kTransfer, FieldId::kXSize, row(config, memory));
    VANTAGE_CHECK(zeros.count() % element.count() == 0);
    Load insn;
    insn.transfer = {.memory = memory,
                     .sram_base = static_cast<uint32_t>(sram),
                     .dram_base = static_cast<uint32_t>(zeros / element),
                     .y_size = static_cast<uint32_t>(rows),
                     .x_size = static_cast<uint32_t>(row(config, memory)),
                     .x_stride = 0};
    insns.push_back(insn);
  };
  const auto whole = [&](Memory memory) { load(memory, 0, config.depth(memory).count() / row(config, memory)); };
  for (uint64_t at = 0; at < config.depth(Memory::kUop).count(); at += row(config, Memory::kUop)) {
    load(Memory::kUop, at, 1);
  }
  whole(Memory::kAcc);
  // Cores with a scratchpad of their own for the output write it with every result: add 0 to all.
  const uint64_t depth = config.depth(Memory::kAcc).count();
  const uint64_t inner = std::min(depth, kInnerSteps);
  require_held(layout, Format::kAlu, FieldId::kIterOut, depth / inner);
  require_held(layout, Format::kAlu, FieldId::kIterIn, inner);
  Alu add;
  add.op = AluOp::kAdd;
  add.use_imm = true;
  add.loop = {.uop_bgn = 0,
              .uop_end = 1,
              .iter_out = static_cast<uint32_t>(depth / inner),
              .iter_in = static_cast<uint32_t>(inner),
              .dst_factor_out = static_cast<uint32_t>(inner == depth ? 0 : inner),
              .dst_factor_in = 1};
  insns.push_back(add);
  whole(Memory::kInp);
  whole(Memory::kWgt);
  deps(insns.back()).push_next = true;
  Finish finish;
  finish.deps.pop_prev = true;
  insns.push_back(finish);
  return insns;
}

Insn no_operation() {
  Load nothing;
  nothing.transfer.memory = Memory::kUop;
  return nothing;
}

}  // namespace vantage::boards
