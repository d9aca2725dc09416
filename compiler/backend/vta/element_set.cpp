#include "compiler/backend/vta/element_set.h"

#include <algorithm>

namespace vantage::vta {

void ElementSet::repeat(uint64_t count, uint64_t stride) {
  if (stride == 0) return;
  for (uint64_t done = 1; done < count;) {
    const uint64_t more = std::min(done, count - done);
    add_moved(more * stride);
    done += more;
  }
}

void ElementSet::add_moved(uint64_t by) {
  const size_t whole = by / kBits;
  const uint64_t bits = by % kBits;
  // From the end: what is read has not been written.
  for (size_t i = words_.size(); i-- > whole;) {
    words_[i] |= words_[i - whole] << bits;
    if (bits != 0 && i > whole) words_[i] |= words_[i - whole - 1] >> (kBits - bits);
  }
}

}  // namespace vantage::vta
