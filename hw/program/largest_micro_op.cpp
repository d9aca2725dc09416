#include "hw/program/largest_micro_op.h"

#include <algorithm>
#include <bit>

#include "base/error.h"

namespace vantage {

namespace {

LargestMicroOp larger(const LargestMicroOp& a, const LargestMicroOp& b) {
  return {{std::max(a.fields.dst, b.fields.dst), std::max(a.fields.src, b.fields.src),
           std::max(a.fields.wgt, b.fields.wgt)},
          a.any_unknown || b.any_unknown};
}

}  // namespace

MicroOpMaxima::MicroOpMaxima(std::span<const isa::MicroOp> first, size_t size)
    : micro_ops_(size), leaves_(std::bit_ceil(std::max<size_t>(size, 1))), nodes_(2 * leaves_) {
  load(0, std::min(first.size(), size), [&](size_t i) { return std::optional(first[i]); });
}

void MicroOpMaxima::update(size_t begin, size_t end) {
  for (size_t first = (leaves_ + begin) / 2, last = (leaves_ + end - 1) / 2; first > 0; first /= 2, last /= 2) {
    for (size_t n = first; n <= last; ++n) nodes_[n] = larger(nodes_[2 * n], nodes_[2 * n + 1]);
  }
}

LargestMicroOp MicroOpMaxima::largest(size_t begin, size_t end) const {
  VANTAGE_CHECK(begin < end && end <= micro_ops_.size());
  LargestMicroOp found;
  // From the leaves up: what does not lie whole below the next parents is taken by itself.
  for (size_t first = leaves_ + begin, last = leaves_ + end; first < last; first /= 2, last /= 2) {
    if (first % 2 == 1) found = larger(found, nodes_[first++]);
    if (last % 2 == 1) found = larger(found, nodes_[--last]);
  }
  return found;
}

}  // namespace vantage
