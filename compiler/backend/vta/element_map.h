// A value for every element of a scratchpad, kept as stretches that share one: instructions touch hundreds of elements
// at a time, and mostly the same ones as others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/error.h"
#include "compiler/backend/vta/interval.h"

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

  // As if each of them were assigned, in one go. REQUIRES: in order, and elements lie between any two.
  void assign(std::span<const Interval> intervals, const Value& value) {
    if (intervals.size() < 2) {
      for (const Interval& i : intervals) assign(i.begin, i.end, value);
      return;
    }
    const auto first = first_from(intervals.front().begin);
    std::vector<Stretch> now;
    const auto put = [&](uint64_t begin, const Value& its) {
      const bool goes_on =
          now.empty() ? first != stretches_.begin() && std::prev(first)->value == its : now.back().value == its;
      if (!goes_on) now.push_back({begin, its});
    };
    auto next = first;
    Value before = first == stretches_.begin() ? Value{} : std::prev(first)->value;  // of what lies in front of `next`
    for (const Interval& i : intervals) {
      if (i.begin == i.end) continue;
      VANTAGE_CHECK(now.empty() || now.back().begin < i.begin);
      for (; next != stretches_.end() && next->begin < i.begin; ++next) put(next->begin, before = next->value);
      put(i.begin, value);
      for (; next != stretches_.end() && next->begin <= i.end; ++next) before = next->value;
      put(i.end, before);
    }
    replace(first, next, now.data(), now.size());
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

  // The same of all of these. REQUIRES: as assign().
  Value most(std::span<const Interval> intervals, Value least) const {
    if (intervals.empty()) return least;
    auto first = std::prev(first_from(intervals.front().begin + 1));
    for (const Interval& i : intervals) {
      if (i.begin == i.end) continue;
      while (first != std::prev(stretches_.end()) && std::next(first)->begin <= i.begin) ++first;
      for (auto s = first; s != stretches_.end() && s->begin < i.end; ++s) least = std::max(least, s->value);
    }
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
