#include "compiler/backend/vta/finishing/merge_transfers.h"

#include <algorithm>

#include "base/error.h"
#include "hw/isa/layout.h"

namespace vantage::vta {

namespace {

bool is_padded(const isa::Transfer& t) {
  return t.y_pad_0 != 0 || t.y_pad_1 != 0 || t.x_pad_0 != 0 || t.x_pad_1 != 0;
}

// What the fields of a transfer hold at most.
struct Limits {
  explicit Limits(const isa::Layout& layout)
      : y_size(layout.field(isa::Format::kTransfer, isa::FieldId::kYSize).max()),
        x_size(layout.field(isa::Format::kTransfer, isa::FieldId::kXSize).max()),
        x_stride(layout.field(isa::Format::kTransfer, isa::FieldId::kXStride).max()) {}
  uint64_t y_size, x_size, x_stride;
};

// Appends `next` to `first` if the two are one transfer; rows are as long as each other, or follow in one row.
bool merge(Operation& first, const Operation& next, const Limits& limits) {
  const isa::Transfer *a = isa::transfer(std::as_const(first.insn)), *b = isa::transfer(next.insn);
  if (a == nullptr || b == nullptr || first.insn.index() != next.insn.index() || first.symbol != next.symbol ||
      a->memory != b->memory || is_padded(*a) || is_padded(*b)) {
    return false;
  }
  const uint64_t a_elements = uint64_t{a->y_size} * a->x_size;
  if (b->sram_base != a->sram_base + a_elements) return false;
  isa::Transfer merged = *a;
  const bool one_row = a->y_size == 1 && b->y_size == 1 && b->dram_base == a->dram_base + a->x_size;
  const uint64_t stride = a->y_size > 1 ? a->x_stride : b->dram_base - uint64_t{a->dram_base};
  // A row's own length stands as its stride.
  if (one_row && uint64_t{a->x_size} + b->x_size <= std::min(limits.x_size, limits.x_stride)) {
    merged.x_size = merged.x_stride = a->x_size + b->x_size;
  } else if (a->x_size == b->x_size && b->dram_base > a->dram_base && stride >= a->x_size &&
             stride <= limits.x_stride && b->dram_base == a->dram_base + a->y_size * stride &&
             (b->y_size == 1 || b->x_stride == stride) && uint64_t{a->y_size} + b->y_size <= limits.y_size) {
    merged.y_size = a->y_size + b->y_size;
    merged.x_stride = static_cast<uint32_t>(stride);
  } else {
    return false;
  }
  *isa::transfer(first.insn) = merged;
  // Each has a scratchpad and a tensor access; both are boxes around the two.
  for (size_t i = 0; i < first.accesses.size(); ++i) {
    first.accesses[i].begin = std::min(first.accesses[i].begin, next.accesses[i].begin);
    first.accesses[i].end = std::max(first.accesses[i].end, next.accesses[i].end);
  }
  return true;
}

}  // namespace

OperationList merge_transfers(OperationList list) {
  const Limits limits{isa::Layout(list.config)};
  std::vector<Operation> kept;
  kept.reserve(list.operations.size());
  for (Operation& operation : list.operations) {
    if (!kept.empty() && merge(kept.back(), operation, limits)) continue;
    kept.push_back(std::move(operation));
  }
  list.operations = std::move(kept);
  return list;
}

}  // namespace vantage::vta
