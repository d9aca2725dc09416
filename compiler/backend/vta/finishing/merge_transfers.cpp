#include "compiler/backend/vta/finishing/merge_transfers.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "compiler/backend/vta/finishing/live_elements.h"
#include "hw/isa/layout.h"

namespace vantage::vta {

namespace {

constexpr uint32_t kMostZeros = 4;  // behind a row: a cycle each, where one more instruction takes about as many

// Whether zeros are loaded, other than behind rows.
bool is_padded(const isa::Transfer& t) {
  return t.y_pad_0 != 0 || t.y_pad_1 != 0 || t.x_pad_0 != 0;
}

// What the fields of a transfer hold at most.
struct Limits {
  explicit Limits(const isa::Layout& layout)
      : y_size(layout.field(isa::Format::kTransfer, isa::FieldId::kYSize).max()),
        x_size(layout.field(isa::Format::kTransfer, isa::FieldId::kXSize).max()),
        x_stride(layout.field(isa::Format::kTransfer, isa::FieldId::kXStride).max()) {}
  uint64_t y_size, x_size, x_stride;
};

class Merger {
 public:
  explicit Merger(const isa::Config& config) : config_(config), limits_(isa::Layout(config)) {}

  // Makes `next` the two, if they are one transfer; rows are as long as each other, or follow in one row. `behind`:
  // what is needed behind `next`.
  bool merge(const Operation& first, Operation& next, const LiveElements& behind) const {
    const isa::Transfer *a = isa::transfer(first.insn), *b = isa::transfer(std::as_const(next.insn));
    if (a == nullptr || b == nullptr || first.insn.index() != next.insn.index() || first.symbol != next.symbol ||
        a->memory != b->memory || is_padded(*a) || is_padded(*b)) {
      return false;
    }
    const auto merged = a->x_pad_1 == 0 && b->x_pad_1 == 0 && b->sram_base == a->sram_base + a->y_size * a->x_size
                            ? one_after_another(*a, *b)
                            : rows_apart(first, next, behind);
    if (!merged) return false;
    // Each has a scratchpad and a tensor access; both are boxes around the two.
    for (size_t i = 0; i < next.accesses.size(); ++i) {
      Access& access = next.accesses[i];
      access.begin = std::min(first.accesses[i].begin, access.begin);
      access.end = std::max(first.accesses[i].end, access.end);
      if (access.space != Access::Space::kTensor) access.end = std::max(access.end, end_of(*merged));
    }
    *isa::transfer(next.insn) = *merged;
    return true;
  }

 private:
  using Merged = std::optional<isa::Transfer>;

  static uint64_t row_of(const isa::Transfer& t) { return uint64_t{t.x_size} + t.x_pad_1; }
  static uint64_t end_of(const isa::Transfer& t) { return t.sram_base + t.y_size * row_of(t); }

  Merged one_after_another(const isa::Transfer& a, const isa::Transfer& b) const {
    const bool one_row = a.y_size == 1 && b.y_size == 1 && b.dram_base == a.dram_base + a.x_size;
    // A row's own length stands as its stride.
    if (!one_row || uint64_t{a.x_size} + b.x_size > std::min(limits_.x_size, limits_.x_stride)) return as_rows(a, b);
    Merged merged = a;
    merged->x_size = merged->x_stride = a.x_size + b.x_size;
    return merged;
  }

  // The rows of both, if those are as long as each other and as far apart in memory.
  Merged as_rows(const isa::Transfer& a, const isa::Transfer& b) const {
    const uint64_t stride = a.y_size > 1 ? a.x_stride : b.y_size > 1 ? b.x_stride : b.dram_base - uint64_t{a.dram_base};
    if (a.x_size != b.x_size || b.dram_base <= a.dram_base || stride < a.x_size || stride > limits_.x_stride ||
        b.dram_base != a.dram_base + a.y_size * stride || (b.y_size > 1 && b.x_stride != stride) ||
        uint64_t{a.y_size} + b.y_size > limits_.y_size) {
      return std::nullopt;
    }
    Merged merged = a;
    merged->y_size = a.y_size + b.y_size;
    merged->x_stride = static_cast<uint32_t>(stride);
    return merged;
  }

  // The same of rows that lie apart in the scratchpad, with zeros behind each.
  Merged rows_apart(const Operation& first, const Operation& next, const LiveElements& behind) const {
    const isa::Transfer &a = *isa::transfer(first.insn), &b = *isa::transfer(next.insn);
    if (!is_operand_load(first) || a.y_size != 1 || a.x_pad_1 != 0) return std::nullopt;
    if (b.sram_base <= a.sram_base + a.x_size || b.sram_base > a.sram_base + a.x_size + kMostZeros) return std::nullopt;
    const uint64_t row = b.sram_base - a.sram_base, zeros = row - a.x_size;
    if ((b.y_size > 1 || b.x_pad_1 != 0) && row_of(b) != row) return std::nullopt;
    Merged merged = as_rows(a, b);
    if (!merged) return std::nullopt;
    merged->x_pad_1 = static_cast<uint32_t>(zeros);
    const Access::Space space = first.accesses.front().space;
    const auto is_free = [&](const isa::Transfer& t) {
      return end_of(*merged) <= config_.depth(t.memory).count() &&
             !behind.any(space, t.sram_base + t.x_size, t.sram_base + row);
    };
    // Those of `next` are free already where it has zeros.
    if (!is_free(a) || (b.x_pad_1 == 0 && !is_free(b))) return std::nullopt;
    return merged;
  }

  const isa::Config& config_;
  const Limits limits_;
};

}  // namespace

OperationList merge_transfers(OperationList list) {
  const Merger merger(list.config);
  LiveElements live, behind;  // behind the operation that is looked at; behind the one kept last
  std::vector<Operation> kept;
  kept.reserve(list.operations.size());
  for (auto operation = list.operations.rbegin(); operation != list.operations.rend(); ++operation) {
    const bool is_one = !kept.empty() && merger.merge(*operation, kept.back(), behind);
    const Operation& before = *operation;
    if (!is_one && load_of(before) != nullptr) behind = live;
    live.step_before(before);
    if (!is_one) kept.push_back(std::move(*operation));
  }
  list.operations.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
  return list;
}

}  // namespace vantage::vta
