// A micro-op scratchpad that tells at once how far the indices of a range of micro-ops reach: a tree of maxima, so that
// checking an instruction costs the same however many micro-ops it runs.
//
// Thread safety: const access from any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "hw/isa/insn.h"

namespace vantage {

// Of a range: each field's largest value, and whether any of its micro-ops is not known, which counts as zeros.
struct LargestMicroOp {
  isa::MicroOp fields;
  bool any_unknown = false;
};

class MicroOpMaxima {
 public:
  // So many micro-ops: the first of those given, and zeros.
  MicroOpMaxima(std::span<const isa::MicroOp> first, size_t size);

  // All that is in the scratchpad; those that are not known are zeros.
  std::span<const isa::MicroOp> micro_ops() const { return micro_ops_; }

  // Puts what `next(i)` gives, for each i below `count`, to `begin` + i. It returns an optional micro-op, none for one
  // that is not known. REQUIRES: inside the scratchpad.
  template <typename Next>
  void load(size_t begin, size_t count, Next next) {
    for (size_t i = 0; i < count; ++i) {
      const auto known = next(i);
      micro_ops_[begin + i] = known.value_or(isa::MicroOp{});
      nodes_[leaves_ + begin + i] = {micro_ops_[begin + i], !known.has_value()};
    }
    if (count > 0) update(begin, begin + count);
  }

  // REQUIRES: begin < end <= size
  LargestMicroOp largest(size_t begin, size_t end) const;

 private:
  void update(size_t begin, size_t end);

  std::vector<isa::MicroOp> micro_ops_;
  size_t leaves_;                      // the first leaf's place, a power of two
  std::vector<LargestMicroOp> nodes_;  // node n is the larger of 2n and 2n+1
};

}  // namespace vantage
