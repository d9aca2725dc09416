// How much more than their bounds designs take, as told from those that were measured: the nearer one is, the more its
// ratio counts (Shepard 1968). Bounds do not see scratchpads; what is measured does.
//
// It serves to guess which design is worth measuring, and proves nothing.
//
// Thread safety: const.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "explore/design.h"
#include "explore/objectives.h"

namespace vantage::explore {

class Correction {
 public:
  void learn(const Design& design, const Spent& least, const Spent& measured);
  // What it would take; at least `least`.
  Spent expected(const Design& design, const Spent& least) const;

 private:
  // What is as far from each other as a doubling is, and the memory.
  static constexpr size_t kNumbers = 12;
  struct Known {
    std::array<double, kNumbers> numbers;
    std::string memory;
    double cycles, pj;  // logarithms of ratios
  };
  static std::array<double, kNumbers> numbers_of(const Design& design);

  std::vector<Known> known_;
};

}  // namespace vantage::explore
