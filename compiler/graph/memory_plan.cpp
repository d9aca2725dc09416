#include "compiler/graph/memory_plan.h"

#include <algorithm>
#include <numeric>

namespace vantage::graph {

namespace {

// Those that lie in the same place one after another, from the first one's first step to the last one's last.
struct Chain {
  std::vector<size_t> members;
  uint64_t bytes = 0;
  size_t first = 0, last = 0;

  bool lives_with(const Chain& other) const { return first <= other.last && other.first <= last; }
};

std::vector<Chain> chains_of(const std::vector<Lifetime>& lifetimes) {
  std::vector<Chain> chains;
  std::vector<size_t> chain_of(lifetimes.size());
  for (size_t i = 0; i < lifetimes.size(); ++i) {
    const Lifetime& one = lifetimes[i];
    chain_of[i] = one.in_place_of < i ? chain_of[one.in_place_of] : chains.size();
    // Only one may: the last of its chain, as it ends.
    if (chain_of[i] == chains.size() || chains[chain_of[i]].members.back() != one.in_place_of ||
        chains[chain_of[i]].last != one.first) {
      chain_of[i] = chains.size();
      chains.push_back({{}, 0, one.first, one.last});
    }
    Chain& chain = chains[chain_of[i]];
    chain.members.push_back(i);
    chain.bytes = std::max(chain.bytes, one.bytes);
    chain.last = std::max(chain.last, one.last);
  }
  return chains;
}

}  // namespace

uint64_t MemoryPlan::bytes() const {
  return std::accumulate(slot_bytes.begin(), slot_bytes.end(), uint64_t{0});
}

MemoryPlan plan_memory(const std::vector<Lifetime>& lifetimes) {
  std::vector<Chain> chains = chains_of(lifetimes);
  std::stable_sort(chains.begin(), chains.end(), [](const Chain& a, const Chain& b) { return a.bytes > b.bytes; });
  MemoryPlan plan;
  plan.slots.resize(lifetimes.size());
  std::vector<std::vector<const Chain*>> inside;  // by slot
  for (const Chain& chain : chains) {
    const auto is_free = [&](const std::vector<const Chain*>& slot) {
      return std::none_of(slot.begin(), slot.end(), [&](const Chain* other) { return chain.lives_with(*other); });
    };
    const auto slot = static_cast<size_t>(std::find_if(inside.begin(), inside.end(), is_free) - inside.begin());
    if (slot == inside.size()) {
      inside.emplace_back();
      plan.slot_bytes.push_back(chain.bytes);
    }
    inside[slot].push_back(&chain);
    for (const size_t member : chain.members) plan.slots[member] = slot;
  }
  return plan;
}

uint64_t most_alive(const std::vector<Lifetime>& lifetimes) {
  const std::vector<Chain> chains = chains_of(lifetimes);
  uint64_t most = 0;
  for (const Lifetime& at : lifetimes) {
    uint64_t alive = 0;
    for (const Chain& chain : chains) {
      if (chain.first > at.first || at.first > chain.last) continue;
      // Of a chain those that live now, which at the step where one follows another are two in one place.
      uint64_t largest = 0;
      for (const size_t member : chain.members) {
        const Lifetime& one = lifetimes[member];
        if (one.first <= at.first && at.first <= one.last) largest = std::max(largest, one.bytes);
      }
      alive += largest;
    }
    most = std::max(most, alive);
  }
  return most;
}

}  // namespace vantage::graph
