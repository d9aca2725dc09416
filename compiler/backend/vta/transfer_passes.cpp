#include "compiler/backend/vta/transfer_passes.h"

#include <algorithm>
#include <array>
#include <deque>

#include "base/error.h"

namespace vantage::vta {

namespace {

bool overlap(const Access& a, const Access& b) {
  return a.space == b.space && a.tensor == b.tensor && a.begin < b.end && b.begin < a.end;
}

// Whether two operations may not change places.
bool conflict(const Operation& a, const Operation& b) {
  for (const Access& x : a.accesses) {
    for (const Access& y : b.accesses) {
      if ((x.is_write || y.is_write) && overlap(x, y)) return true;
    }
  }
  return false;
}

const isa::Transfer* transfer_of(const Operation& operation) {
  if (const auto* store = std::get_if<isa::Store>(&operation.insn)) return &store->transfer;
  return load_of(operation);
}

isa::Transfer& transfer_of(Operation& operation) {
  if (auto* store = std::get_if<isa::Store>(&operation.insn)) return store->transfer;
  return std::get<isa::Load>(operation.insn).transfer;
}

bool is_padded(const isa::Transfer& t) {
  return t.y_pad_0 != 0 || t.y_pad_1 != 0 || t.x_pad_0 != 0 || t.x_pad_1 != 0;
}

// Appends `next` to `first` if the two are one transfer; rows are as long as each other, or follow in one row.
bool merge(Operation& first, const Operation& next) {
  const isa::Transfer *a = transfer_of(std::as_const(first)), *b = transfer_of(next);
  if (a == nullptr || b == nullptr || first.insn.index() != next.insn.index() || first.symbol != next.symbol ||
      a->memory != b->memory || is_padded(*a) || is_padded(*b)) {
    return false;
  }
  const uint64_t a_elements = uint64_t{a->y_size} * a->x_size;
  if (b->sram_base != a->sram_base + a_elements) return false;
  isa::Transfer merged = *a;
  const bool one_row = a->y_size == 1 && b->y_size == 1 && b->dram_base == a->dram_base + a->x_size;
  const uint64_t stride = a->y_size > 1 ? a->x_stride : b->dram_base - uint64_t{a->dram_base};
  if (one_row && uint64_t{a->x_size} + b->x_size <= kMaxExtent) {
    merged.x_size = merged.x_stride = a->x_size + b->x_size;
  } else if (a->x_size == b->x_size && b->dram_base > a->dram_base && stride >= a->x_size && stride <= kMaxExtent &&
             b->dram_base == a->dram_base + a->y_size * stride && (b->y_size == 1 || b->x_stride == stride) &&
             uint64_t{a->y_size} + b->y_size <= kMaxExtent) {
    merged.y_size = a->y_size + b->y_size;
    merged.x_stride = static_cast<uint32_t>(stride);
  } else {
    return false;
  }
  transfer_of(first) = merged;
  // Each has a scratchpad and a tensor access; both are boxes around the two.
  for (size_t i = 0; i < first.accesses.size(); ++i) {
    first.accesses[i].begin = std::min(first.accesses[i].begin, next.accesses[i].begin);
    first.accesses[i].end = std::max(first.accesses[i].end, next.accesses[i].end);
  }
  return true;
}

}  // namespace

const isa::Transfer* load_of(const Operation& operation) {
  const auto* load = std::get_if<isa::Load>(&operation.insn);
  return load != nullptr ? &load->transfer : nullptr;
}

void remove_repeated_loads(std::vector<Operation>& operations) {
  std::vector<Operation> kept;
  kept.reserve(operations.size());
  std::vector<size_t> intact;  // loads in `kept` whose elements still hold what they loaded
  for (Operation& operation : operations) {
    const isa::Transfer* load = load_of(operation);
    if (load != nullptr) {
      const bool repeated = std::any_of(intact.begin(), intact.end(), [&](size_t i) {
        return kept[i].symbol == operation.symbol && *load_of(kept[i]) == *load;
      });
      if (repeated) continue;
    }
    intact.erase(
        std::remove_if(intact.begin(), intact.end(),
                       [&](size_t i) {
                         return std::any_of(operation.accesses.begin(), operation.accesses.end(), [&](const Access& a) {
                           return a.is_write && std::any_of(kept[i].accesses.begin(), kept[i].accesses.end(),
                                                            [&](const Access& b) { return overlap(a, b); });
                         });
                       }),
        intact.end());
    if (load != nullptr) intact.push_back(kept.size());
    kept.push_back(std::move(operation));
  }
  operations = std::move(kept);
}

void remove_dead_loads(std::vector<Operation>& operations) {
  std::array<std::vector<bool>, 3> needed;  // per scratchpad element: read by a later operation
  const auto elements = [&](const Access& access) -> std::vector<bool>& {
    auto& list = needed[static_cast<size_t>(access.space)];
    if (list.size() < access.end) list.resize(access.end);
    return list;
  };
  std::vector<bool> dead(operations.size());
  for (size_t i = operations.size(); i-- > 0;) {
    const bool is_load = load_of(operations[i]) != nullptr;
    bool is_needed = !is_load;
    for (const Access& access : operations[i].accesses) {
      if (access.space == Access::Space::kTensor) continue;
      auto& list = elements(access);
      for (uint64_t e = access.begin; e < access.end; ++e) {
        is_needed = is_needed || list[e];
        list[e] = !is_load;  // what computes may read what it writes
      }
    }
    dead[i] = !is_needed;
  }
  size_t next = 0;
  operations.erase(std::remove_if(operations.begin(), operations.end(), [&](const Operation&) { return dead[next++]; }),
                   operations.end());
}

void merge_transfers(std::vector<Operation>& operations) {
  std::vector<Operation> kept;
  kept.reserve(operations.size());
  for (Operation& operation : operations) {
    if (!kept.empty() && merge(kept.back(), operation)) continue;
    kept.push_back(std::move(operation));
  }
  operations = std::move(kept);
}

void load_in_order_of_use(std::vector<Operation>& operations) {
  std::vector<Operation> ordered;
  ordered.reserve(operations.size());
  std::deque<Operation> waiting;
  for (Operation& operation : operations) {
    if (load_of(operation) != nullptr && isa::stage(operation.insn) == isa::Stage::kLoad) {
      // A later load of the same elements stays later.
      while (std::any_of(waiting.begin(), waiting.end(), [&](const Operation& w) { return conflict(w, operation); })) {
        ordered.push_back(std::move(waiting.front()));
        waiting.pop_front();
      }
      waiting.push_back(std::move(operation));
      continue;
    }
    for (auto it = waiting.begin(); it != waiting.end();) {
      if (conflict(*it, operation)) {
        ordered.push_back(std::move(*it));
        it = waiting.erase(it);
      } else {
        ++it;
      }
    }
    ordered.push_back(std::move(operation));
  }
  for (Operation& operation : waiting) ordered.push_back(std::move(operation));
  operations = std::move(ordered);
}

}  // namespace vantage::vta
