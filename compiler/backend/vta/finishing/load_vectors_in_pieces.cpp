#include "compiler/backend/vta/finishing/load_vectors_in_pieces.h"

#include <algorithm>
#include <map>

#include "compiler/backend/vta/finishing/slices.h"

namespace vantage::vta {

namespace {

constexpr uint64_t kWorthPieces = 48;  // beats that come later

// Elements [begin, end) of a load, from its first one, that an operation is the first to take.
struct Share {
  uint32_t begin, end;
  size_t taker;
};

// All of the load at `at`, in their order; none where it is no row of accumulators, or they are taken in another order.
std::vector<Share> shares_of(const OperationList& list, size_t at) {
  const isa::Transfer* t = load_of(list.operations[at]);
  if (t == nullptr || t->memory != isa::Memory::kAcc || t->padded_rows() != 1 || t->padded_row() != t->x_size) {
    return {};
  }
  const size_t nobody = list.operations.size();
  std::vector<size_t> takers(t->x_size, nobody);
  size_t left = takers.size();
  for (size_t i = at + 1; i < list.operations.size() && left != 0; ++i) {
    for (const Access& a : list.operations[i].accesses) {
      if (a.space != Access::Space::kAcc) continue;
      const uint64_t begin = std::max<uint64_t>(a.begin, t->sram_base);
      const uint64_t end = std::min<uint64_t>(a.end, t->sram_base + t->x_size);
      for (uint64_t element = begin; element < end; ++element) {
        size_t& taker = takers[element - t->sram_base];
        if (taker != nobody) continue;
        taker = i;
        --left;
      }
    }
  }
  if (!std::is_sorted(takers.begin(), takers.end())) return {};
  std::vector<Share> shares;
  for (uint32_t element = 0; element < t->x_size; ++element) {
    if (shares.empty() || shares.back().taker != takers[element]) {
      shares.push_back({element, element, takers[element]});
    }
    ++shares.back().end;
  }
  return shares;
}

// Where a piece stands: before its taker, and before the reset of what that adds it to.
size_t place_before(const OperationList& list, size_t taker) {
  return is_reset(list.operations[taker - 1]) ? taker - 1 : taker;
}

}  // namespace

OperationList load_vectors_in_pieces(OperationList list) {
  if (!list.in_slices) return list;
  const StepCounts all = count_steps(list);
  if (all.vector >= all.gemm) return list;
  std::multimap<size_t, Operation> pieces;  // by the operation that they stand before
  for (size_t i = 0; i < list.operations.size(); ++i) {
    const std::vector<Share> shares = shares_of(list, i);
    if (shares.size() < 2) continue;
    const Operation whole = list.operations[i];
    const auto rest = slice_rows(*load_of(whole), shares[1].begin, shares.back().end);
    if (beats_of(rest, list.config) < kWorthPieces) continue;
    list.operations[i] = slice_rows(list, whole, shares[0].begin, shares[0].end);
    for (auto share = shares.begin() + 1; share != shares.end() && share->taker < list.operations.size(); ++share) {
      pieces.emplace(place_before(list, share->taker), slice_rows(list, whole, share->begin, share->end));
    }
  }
  if (pieces.empty()) return list;
  std::vector<Operation> result;
  result.reserve(list.operations.size() + pieces.size());
  for (size_t i = 0; i < list.operations.size(); ++i) {
    const auto [first, last] = pieces.equal_range(i);
    for (auto piece = first; piece != last; ++piece) result.push_back(std::move(piece->second));
    result.push_back(std::move(list.operations[i]));
  }
  list.operations = std::move(result);
  return list;
}

}  // namespace vantage::vta
