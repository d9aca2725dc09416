#include "driver/device/allocator.h"

#include <algorithm>

#include "base/error.h"
#include "base/math.h"

namespace vantage::driver {

Allocator::Allocator(Bytes begin, Bytes end, Bytes alignment) : alignment_(alignment) {
  const uint64_t first = round_up(begin.count(), alignment.count());
  const uint64_t last = end.count() / alignment.count() * alignment.count();
  if (first < last) free_[first] = last;
}

Bytes Allocator::rounded(Bytes size) const {
  // Buffers of no bytes still get an address of their own.
  return Bytes(round_up(std::max<uint64_t>(1, size.count()), alignment_.count()));
}

Bytes Allocator::allocate(Bytes size) {
  const uint64_t wanted = size.count() > UINT64_MAX / 2 ? UINT64_MAX : rounded(size).count();
  for (auto it = free_.begin(); it != free_.end(); ++it) {
    const auto [begin, end] = *it;
    if (end - begin < wanted) continue;
    free_.erase(it);
    if (begin + wanted < end) free_[begin + wanted] = end;
    return Bytes(begin);
  }
  fail("the device's memory is full: {} bytes are wanted, {} are free (perhaps not in one piece); use smaller tensors",
       size.count(), free_bytes().count());
}

void Allocator::release(Bytes address, Bytes size) {
  uint64_t begin = address.count();
  uint64_t end = begin + rounded(size).count();
  auto next = free_.lower_bound(begin);
  VANTAGE_CHECK(next == free_.end() || end <= next->first);
  if (next != free_.end() && next->first == end) {
    end = next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    const auto previous = std::prev(next);
    VANTAGE_CHECK(previous->second <= begin);
    if (previous->second == begin) {
      previous->second = end;
      return;
    }
  }
  free_[begin] = end;
}

Bytes Allocator::free_bytes() const {
  uint64_t total = 0;
  for (const auto& [begin, end] : free_) total += end - begin;
  return Bytes(total);
}

}  // namespace vantage::driver
