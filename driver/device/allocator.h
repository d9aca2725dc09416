// Which parts of a device's DRAM are in use: first fit over a sorted map of free ranges.
#pragma once

#include <map>

#include "base/units.h"

namespace vantage::driver {

class Allocator {
 public:
  // Manages [begin, end); every allocation starts at a multiple of `alignment` and takes whole multiples of it.
  Allocator(Bytes begin, Bytes end, Bytes alignment);

  // Throws Error when no free range is large enough.
  Bytes allocate(Bytes size);
  // REQUIRES: allocate(size) returned `address`, and it has not been released since.
  void release(Bytes address, Bytes size);

  Bytes free_bytes() const;

 private:
  Bytes rounded(Bytes size) const;

  Bytes alignment_;
  std::map<uint64_t, uint64_t> free_;  // begin -> end; never adjacent
};

}  // namespace vantage::driver
