// Points of a space in a random order, each once: those that are designs, by what they take at least. The space is
// never gone through further than that, and takes no memory.
//
// Thread safety: one thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "explore/measurer.h"
#include "explore/permutation.h"
#include "explore/rejections.h"
#include "explore/space.h"

namespace vantage::explore {

struct BoundedDesign {
  uint64_t number;  // of its point
  Design design;
  Spent least;
  std::vector<double> at_least;  // of each objective
};

// None where a point is no design, with the reason; without one where another point is the same design. REQUIRES: no
// design is being measured.
std::optional<BoundedDesign> bounded_design(const Space& space, uint64_t number, Measurer& measurer,
                                            std::optional<Rejection>& rejection);

class Draws {
 public:
  Draws(const Space& space, Measurer& measurer, Rejections& rejections, uint64_t seed, std::stop_token stop)
      : space_(space),
        measurer_(measurer),
        rejections_(rejections),
        order_(space.size(), seed),
        stop_(std::move(stop)) {}

  // None when there are no more, when it is stopped, or once a hundred thousand points in a row have brought none.
  std::optional<BoundedDesign> next();
  uint64_t points() const { return next_; }  // that were drawn

 private:
  const Space& space_;
  Measurer& measurer_;
  Rejections& rejections_;
  Permutation order_;
  std::stop_token stop_;
  uint64_t next_ = 0, misses_ = 0;
};

}  // namespace vantage::explore
