// Where values lie while a graph runs: in as few bytes as their lifetimes allow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vantage::graph {

// Something that needs memory from one step of a run to another, both included.
struct Lifetime {
  uint64_t bytes = 0;
  size_t first = 0, last = 0;  // steps
  // One before it in the list that is read for the last time as this one is made, and whose bytes may be written over
  // then: each only when what it holds is no longer needed. SIZE_MAX: none.
  size_t in_place_of = SIZE_MAX;
};

// Memory is handed out in slots, so that a device can have each as a buffer of its own.
struct MemoryPlan {
  std::vector<size_t> slots;         // of each lifetime
  std::vector<uint64_t> slot_bytes;  // of each slot

  uint64_t bytes() const;  // of all slots
};

// No two that live at the same step share a slot, but for one that takes another's place. The largest choose first, so
// a slot is as large as the first of those that it is for.
MemoryPlan plan_memory(const std::vector<Lifetime>& lifetimes);

// The most bytes that live at any one step, of those that take another's place the larger: no plan needs less.
uint64_t most_alive(const std::vector<Lifetime>& lifetimes);

}  // namespace vantage::graph
