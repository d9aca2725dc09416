#include "compiler/backend/vta/finishing/place_micro_ops.h"

#include <algorithm>
#include <map>

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

// Of its micro-ops, a reset and an ALU instruction with an immediate read nothing but where the results lie.
bool reads_sources(const isa::Insn& insn) {
  const auto* gemm = std::get_if<isa::Gemm>(&insn);
  return gemm != nullptr ? !gemm->reset : !std::get<isa::Alu>(insn).use_imm;
}

// Gives each operation the first kernel that serves as well as its own: what reads destinations alone can take the
// micro-ops of whoever writes the same.
void share_kernels(OperationList& list) {
  using Uops = std::vector<isa::MicroOp>;
  std::map<Uops, uint32_t> by_all, by_destinations;
  std::vector<std::optional<uint32_t>> same(list.kernels.size());
  for (const bool with_sources : {true, false}) {
    for (Operation& operation : list.operations) {
      if (!operation.kernel || reads_sources(operation.insn) != with_sources) continue;
      const uint32_t own = *operation.kernel;
      if (!same[own]) {
        const Uops& uops = list.kernels[own].uops;
        Uops destinations = uops;
        for (isa::MicroOp& uop : destinations) uop = {uop.dst, 0, 0};
        same[own] = with_sources ? by_all.try_emplace(uops, own).first->second : own;
        const uint32_t first = by_destinations.try_emplace(std::move(destinations), *same[own]).first->second;
        if (!with_sources) same[own] = first;
      }
      operation.kernel = same[own];
    }
  }
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

// Micro-ops up to `end` of the program, brought before an operation.
struct MicroOpLoad {
  size_t before;
  uint32_t end;
};

// When to load what fits at once: at the beginning, or where the list asks for slices, what the first operations need
// at the beginning, and the rest behind long nests, which hide most of the time it takes: what stands behind a load
// waits for all of it.
std::vector<MicroOpLoad> loads_in_time(const OperationList& list, const std::vector<uint32_t>& first) {
  constexpr uint64_t kLong = 128;       // steps
  constexpr uint32_t kWorthALoad = 48;  // micro-ops
  std::vector<MicroOpLoad> loads = {{0, 0}};
  uint32_t begin = 0;  // of the last load
  size_t behind_long = 0;
  for (size_t i = 0; i < list.operations.size(); ++i) {
    const Operation& operation = list.operations[i];
    if (!operation.kernel) continue;
    const uint32_t end = first[*operation.kernel] + static_cast<uint32_t>(list.kernels[*operation.kernel].uops.size());
    if (end > loads.back().end) {
      if (behind_long > loads.back().before && loads.back().end >= begin + kWorthALoad) {
        begin = loads.back().end;
        loads.push_back({behind_long, begin});
      }
      loads.back().end = end;
    }
    if (list.in_slices && steps(operation, list.kernels) >= kLong) behind_long = i + 1;
  }
  return loads;
}

}  // namespace

OperationList place_micro_ops(OperationList list) {
  VANTAGE_CHECK(list.uops.empty());
  const isa::Layout layout(list.config);
  const auto limit = [&](isa::FieldId id) { return layout.field(isa::Format::kTransfer, id).max(); };
  const auto longest = static_cast<uint32_t>(std::min(limit(isa::FieldId::kXSize), limit(isa::FieldId::kXStride)));
  if (list.shares_micro_ops) share_kernels(list);
  const std::vector<uint32_t> first = lay_out(list);
  const uint64_t depth = list.config.depth(isa::Memory::kUop).count();
  const bool all_at_once = list.uops.size() <= depth;

  MicroOpCache cache(depth);
  std::vector<Operation> placed;
  const std::vector<MicroOpLoad> in_time = all_at_once ? loads_in_time(list, first) : std::vector<MicroOpLoad>();
  auto next = in_time.begin();
  uint32_t loaded = 0;
  for (size_t i = 0; i < list.operations.size(); ++i) {
    Operation& operation = list.operations[i];
    for (; next != in_time.end() && next->before <= i; ++next) {
      load_micro_ops(placed, loaded, loaded, next->end - loaded, longest);
      loaded = next->end;
    }
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
