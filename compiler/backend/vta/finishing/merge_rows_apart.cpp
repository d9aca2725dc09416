#include "compiler/backend/vta/finishing/merge_rows_apart.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/backend/vta/element_map.h"
#include "compiler/backend/vta/finishing/live_elements.h"
#include "hw/isa/layout.h"

namespace vantage::vta {

namespace {

// Behind a row. Each takes a cycle of the stage; a load of its own takes its instruction's beats of the bus, and a
// turn.
constexpr uint64_t kMostZeros = 4;

// What a load waits for: by their numbers, the last operations that used what its row falls on, and what up to so many
// zeros behind it would fall on; -1 where there was none. What the loads before it wait for it waits for as well, which
// is left out here.
struct Waits {
  int64_t row = -1;
  std::array<int64_t, kMostZeros + 1> zeros = {-1, -1, -1, -1, -1};
};

// Of each operand load of the list.
std::vector<Waits> waits_of(const OperationList& list) {
  ElementMap<int64_t> inputs(-1), weights(-1);  // by whom they were used last
  const auto last = [&](const isa::Transfer& t, uint64_t begin, uint64_t end) {
    return (t.memory == isa::Memory::kWgt ? weights : inputs).most(begin, end, -1);
  };
  std::vector<Waits> result(list.operations.size());
  for (size_t i = 0; i < list.operations.size(); ++i) {
    const Operation& operation = list.operations[i];
    if (is_operand_load(operation)) {
      const isa::Transfer& t = *load_of(operation);
      const uint64_t end = t.sram_base + t.padded_rows() * t.padded_row();
      result[i].row = last(t, t.sram_base, end);
      // Behind zeros of its own none are made.
      for (uint64_t zeros = 0; zeros <= kMostZeros && t.x_pad_1 == 0; ++zeros) {
        result[i].zeros[zeros] = last(t, end, end + zeros);
      }
      continue;
    }
    for_each_row_of(operation.accesses, [&](const Access& first, const std::vector<Interval>& row) {
      if (first.space == Access::Space::kAcc) return;
      (first.space == Access::Space::kWgt ? weights : inputs).assign(row, static_cast<int64_t>(i));
    });
  }
  return result;
}

class RowMerger {
 public:
  explicit RowMerger(const isa::Config& config) : config_(config) {
    const isa::Layout layout(config);
    const auto most = [&](isa::FieldId id) { return layout.field(isa::Format::kTransfer, id).max(); };
    most_rows_ = most(isa::FieldId::kYSize);
    most_stride_ = most(isa::FieldId::kXStride);
    most_zeros_ = std::min(kMostZeros, most(isa::FieldId::kXPad1));
  }

  // Makes `next` the load of a row, `first`, and of its own; false where that cannot be, or would wait longer.
  // `behind`: what is needed behind `next`.
  bool merge(const Operation& first, const Waits& first_waits, Operation& next, Waits& next_waits,
             const LiveElements& behind) const {
    // Others, of accumulators and micro-ops, are few, and no pieces.
    if (!is_operand_load(first) || !is_operand_load(next) || first.symbol != next.symbol) return false;
    const auto merged = both(*load_of(first), *load_of(next));
    if (!merged) return false;
    const uint64_t row = merged->padded_row(), end = merged->sram_base + merged->y_size * row;
    if (end > config_.depth(merged->memory).count()) return false;
    const auto is_free = [&](const isa::Transfer& t) {
      return !behind.any(first.accesses.front().space, t.sram_base + t.x_size, t.sram_base + row);
    };
    // Where `next` has zeros behind its rows they stay as they are.
    if (!is_free(*load_of(first)) || (load_of(next)->x_pad_1 == 0 && !is_free(*load_of(next)))) return false;
    const uint64_t zeros = row - merged->x_size;
    const int64_t waits = std::max(first_waits.row, next_waits.row);
    if (first_waits.zeros[zeros] > waits || next_waits.zeros[zeros] > waits) return false;
    next_waits.row = waits;
    next_waits.zeros.fill(-1);
    // Each has a scratchpad and a tensor access.
    next.accesses[0].begin = first.accesses[0].begin;
    next.accesses[0].end = end;
    next.accesses[1].begin = first.accesses[1].begin;
    *isa::transfer(next.insn) = *merged;
    return true;
  }

 private:
  // The row `a` and the rows `b`, if those are as long, and as far apart in the scratchpad and in memory.
  std::optional<isa::Transfer> both(const isa::Transfer& a, const isa::Transfer& b) const {
    const auto is_padded = [](const isa::Transfer& t) { return t.y_pad_0 != 0 || t.y_pad_1 != 0 || t.x_pad_0 != 0; };
    if (a.memory != b.memory || a.x_size != b.x_size || a.y_size != 1 || a.x_pad_1 != 0 || is_padded(a) ||
        is_padded(b) || b.sram_base <= a.sram_base + a.x_size || b.dram_base < a.dram_base + a.x_size) {
      return std::nullopt;
    }
    const uint32_t row = b.sram_base - a.sram_base, stride = b.dram_base - a.dram_base;
    const bool is_one_row = b.y_size == 1 && b.x_pad_1 == 0;
    if (row > a.x_size + most_zeros_ || stride > most_stride_ || b.y_size >= most_rows_ ||
        (!is_one_row && b.padded_row() != row) || (b.y_size > 1 && b.x_stride != stride)) {
      return std::nullopt;
    }
    isa::Transfer merged = a;
    merged.y_size = b.y_size + 1;
    merged.x_stride = stride;
    merged.x_pad_1 = row - a.x_size;
    return merged;
  }

  const isa::Config& config_;
  uint64_t most_rows_ = 0, most_stride_ = 0, most_zeros_ = 0;
};

}  // namespace

OperationList merge_rows_apart(OperationList list) {
  const RowMerger merger(list.config);
  LiveElements live, behind;  // behind the operation that is looked at; behind the load that was kept last
  const std::vector<Waits> waits = waits_of(list);
  Waits kept_waits;  // of that load
  std::vector<Operation> kept;
  kept.reserve(list.operations.size());
  for (size_t i = list.operations.size(); i-- > 0;) {
    Operation& operation = list.operations[i];
    const bool is_merged = !kept.empty() && merger.merge(operation, waits[i], kept.back(), kept_waits, behind);
    if (!is_merged && is_operand_load(operation)) {
      behind = live;
      kept_waits = waits[i];
    }
    live.step_before(operation);
    if (!is_merged) kept.push_back(std::move(operation));
  }
  list.operations.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
  return list;
}

}  // namespace vantage::vta
