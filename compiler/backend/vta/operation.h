// An instruction to be, before its tokens and the place of its micro-ops are known: what ProgramBuilder records.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/backend/vta/token_inserter.h"
#include "hw/isa/insn.h"

namespace vantage::vta {

// y_size, x_size and x_stride of a transfer are 16 bits wide.
inline constexpr uint64_t kMaxExtent = UINT16_MAX;

struct Operation {
  isa::Insn insn;
  std::optional<uint32_t> symbol;  // the tensor of a transfer
  std::string kernel_kind;         // with its micro-ops, the identity of a kernel; empty for transfers
  std::vector<isa::MicroOp> uops;
  std::vector<Access> accesses;
};

// The transfer of a load; null for everything else.
const isa::Transfer* load_of(const Operation& operation);

}  // namespace vantage::vta
