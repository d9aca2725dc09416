// Designs that were measured, and those of them that no other one beats.
//
// Thread safety: one thread at a time.
#pragma once

#include <cstdint>
#include <vector>

namespace vantage::explore {

// A design, by its point, and what it was found to be, of each objective.
struct Measured {
  uint64_t number;
  std::vector<double> values;
  double left_ms = 0;  // that a processor beside it takes for what the accelerator leaves, roughly
  bool on_front = false;
};

// Those on the front, by the first of their values.
std::vector<const Measured*> designs_on_front(const std::vector<Measured>& measured);

class Front {
 public:
  // One that beats this; null where none does.
  const Measured* beats(const std::vector<double>& values) const;
  void add(Measured design);
  void sort();  // by their points
  const std::vector<Measured>& designs() const { return designs_; }

 private:
  std::vector<Measured> designs_;
};

}  // namespace vantage::explore
