// Elements of a scratchpad that instructions touch, as bits.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "compiler/backend/vta/interval.h"

namespace vantage::vta {

class ElementSet {
 public:
  // Of elements in [begin, end): add() and repeat() stay in it. REQUIRES: begin <= end.
  ElementSet(uint64_t begin, uint64_t end) : begin_(begin), words_((end - begin + kBits - 1) / kBits) {}
  void add(uint64_t element) {
    const uint64_t bit = element - begin_;
    words_[bit / kBits] |= uint64_t{1} << bit % kBits;
  }
  // As a loop does that moves it by `stride` each time: the union of `count` of them.
  void repeat(uint64_t count, uint64_t stride);
  // Apart from each other, in order: `use` is called with each.
  template <typename Use>
  void for_each_interval(const Use& use) const;

 private:
  static constexpr uint64_t kBits = 64;  // of a word
  void add_moved(uint64_t by);

  uint64_t begin_;
  std::vector<uint64_t> words_;
};

template <typename Use>
void ElementSet::for_each_interval(const Use& use) const {
  Interval open;  // may go on in the next word
  for (size_t i = 0; i < words_.size(); ++i) {
    uint64_t left = words_[i], at = begin_ + i * kBits;
    while (left != 0) {
      const int zeros = std::countr_zero(left), ones = std::countr_one(left >> zeros);
      at += static_cast<uint64_t>(zeros);
      if (open.end != at && open.begin != open.end) use(open);
      if (open.end != at || open.begin == open.end) open.begin = at;
      at += static_cast<uint64_t>(ones);
      open.end = at;
      // Shifts by all of a word's bits are none.
      left = zeros + ones == static_cast<int>(kBits) ? 0 : left >> zeros >> ones;
    }
  }
  if (open.begin != open.end) use(open);
}

}  // namespace vantage::vta
