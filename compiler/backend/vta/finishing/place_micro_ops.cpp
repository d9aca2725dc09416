#include "compiler/backend/vta/finishing/place_micro_ops.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/backend/vta/micro_op_cache.h"
#include "hw/isa/layout.h"

namespace vantage::vta {

namespace {

// Appends loads of micro-ops [first, first + count) of the program to the scratchpad from `sram` on.
void load_micro_ops(std::vector<Operation>& operations, uint32_t sram, uint32_t first, uint32_t count,
                    uint32_t longest) {
  for (uint32_t done = 0; done < count;) {
    const uint32_t part = std::min(count - done, longest);
    isa::Load load;
    load.transfer.memory = isa::Memory::kUop;
    load.transfer.sram_base = sram + done;
    load.transfer.dram_base = first + done;
    load.transfer.y_size = 1;
    load.transfer.x_size = part;
    load.transfer.x_stride = part;
    operations.push_back({.insn = load, .symbol = Relocation::kMicroOps});
    done += part;
  }
}

isa::Loop& loop_of(isa::Insn& insn) {
  if (auto* gemm = std::get_if<isa::Gemm>(&insn)) return gemm->loop;
  return std::get<isa::Alu>(insn).loop;
}

// Fills `uops` with every kernel that is used; where each one begins.
std::vector<uint32_t> lay_out(OperationList& list) {
  std::vector<std::optional<uint32_t>> first(list.kernels.size());
  for (const Operation& operation : list.operations) {
    if (!operation.kernel || first[*operation.kernel]) continue;
    first[*operation.kernel] = static_cast<uint32_t>(list.uops.size());
    const auto& uops = list.kernels[*operation.kernel].uops;
    list.uops.insert(list.uops.end(), uops.begin(), uops.end());
  }
  std::vector<uint32_t> result;
  for (const auto& begin : first) result.push_back(begin.value_or(0));
  return result;
}

}  // namespace

OperationList place_micro_ops(OperationList list) {
  VANTAGE_CHECK(list.uops.empty());
  const isa::Layout layout(list.config);
  const auto limit = [&](isa::FieldId id) { return layout.field(isa::Format::kTransfer, id).max(); };
  const auto longest = static_cast<uint32_t>(std::min(limit(isa::FieldId::kXSize), limit(isa::FieldId::kXStride)));
  const std::vector<uint32_t> first = lay_out(list);
  const uint64_t depth = list.config.depth(isa::Memory::kUop).count();
  const bool all_at_once = list.uops.size() <= depth;

  MicroOpCache cache(depth);
  std::vector<Operation> placed;
  if (all_at_once) load_micro_ops(placed, 0, 0, static_cast<uint32_t>(list.uops.size()), longest);
  for (Operation& operation : list.operations) {
    if (operation.kernel) {
      const auto size = static_cast<uint32_t>(list.kernels[*operation.kernel].uops.size());
      // In the order of first use, what fits at once lies in the scratchpad as it lies in the program.
      const MicroOpCache::Place place = cache.place(*operation.kernel, size);
      if (place.is_missing && !all_at_once)
        load_micro_ops(placed, place.begin, first[*operation.kernel], size, longest);
      isa::Loop& loop = loop_of(operation.insn);
      loop.uop_bgn = place.begin;
      loop.uop_end = place.begin + size;
      operation.kernel.reset();
    }
    placed.push_back(std::move(operation));
  }
  list.operations = std::move(placed);
  list.kernels.clear();
  return list;
}

}  // namespace vantage::vta
