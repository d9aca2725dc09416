// A value for every element of a scratchpad, kept as stretches that share one: instructions touch hundreds of elements
// at a time, and mostly the same ones as others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace vantage::vta {

// Value: compared by ==, and cheap to copy.
// Thread safety: none.
template <typename Value>
class ElementMap {
 public:
  explicit ElementMap(Value everywhere = {}) : stretches_{{0, std::move(everywhere)}} {}

  // Elements [begin, end).
  void assign(uint64_t begin, uint64_t end, const Value& value) {
    if (begin >= end) return;
    const auto at_begin = first_from(begin);
    auto behind = at_begin;
    while (behind != stretches_.end() && behind->begin <= end) ++behind;
    const Value at_end = std::prev(behind)->value;
    Stretch kept[2];
    size_t count = 0;
    if (at_begin == stretches_.begin() || !(std::prev(at_begin)->value == value)) kept[count++] = {begin, value};
    if (!(at_end == value)) kept[count++] = {end, at_end};
    replace(at_begin, behind, kept, count);
  }

  // Whether `test` holds for the value of an element in [begin, end).
  template <typename Test>
  bool any(uint64_t begin, uint64_t end, const Test& test) const {
    if (begin >= end) return false;
    for (auto s = std::prev(first_from(begin + 1)); s != stretches_.end() && s->begin < end; ++s) {
      if (test(s->value)) return true;
    }
    return false;
  }

  // The greatest value in [begin, end), or `least` where that is greater.
  Value most(uint64_t begin, uint64_t end, Value least) const {
    any(begin, end, [&](const Value& value) {
      least = std::max(least, value);
      return false;
    });
    return least;
  }

  // Gives every element `change` of what it has.
  template <typename Change>
  void change_all(const Change& change) {
    for (Stretch& s : stretches_) s.value = change(s.value);
  }

 private:
  // From `begin` to where the next one begins; the last one has no end. The first begins at 0.
  struct Stretch {
    uint64_t begin;
    Value value;
  };
  using Place = typename std::vector<Stretch>::iterator;

  Place first_from(uint64_t begin) {
    return stretches_.begin() + (std::as_const(*this).first_from(begin) - stretches_.cbegin());
  }
  typename std::vector<Stretch>::const_iterator first_from(uint64_t begin) const {
    return std::lower_bound(stretches_.begin(), stretches_.end(), begin,
                            [](const Stretch& s, uint64_t element) { return s.begin < element; });
  }

  void replace(Place from, Place to, const Stretch* with, size_t count) {
    while (from != to && count > 0) {
      *from++ = *with++;
      --count;
    }
    if (count == 0) {
      stretches_.erase(from, to);
    } else {
      stretches_.insert(from, with, with + count);
    }
  }

  std::vector<Stretch> stretches_;
};

}  // namespace vantage::vta
