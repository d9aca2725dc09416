// Which kernels lie in the micro-op scratchpad while a program runs. The compiler keeps the scratchpad as a cache: a
// kernel stays until its place is needed, and is used again from there.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>

namespace vantage::vta {

// Kernels are placed one after another; at its end the scratchpad is filled again from its start, over the kernels that
// were loaded longest ago. Thread safety: none.
class MicroOpCache {
 public:
  // Of a scratchpad of `depth` micro-ops.
  explicit MicroOpCache(uint64_t depth) : depth_(depth) {}

  struct Place {
    uint32_t begin;   // in the scratchpad
    bool is_missing;  // the kernel does not lie there yet: load it
  };
  // Where the kernel of this number is from now on; `size` micro-ops, from 1 to the depth, the same at every call.
  Place place(uint32_t kernel, uint32_t size);

 private:
  struct Resident {
    uint32_t kernel, end;
  };
  uint64_t depth_;
  uint32_t next_ = 0;
  std::map<uint32_t, Resident> residents_;        // by where they begin
  std::unordered_map<uint32_t, uint32_t> begin_;  // of each, by the number of the kernel
};

}  // namespace vantage::vta
