// Designs of a space that has some twice: written out, or sampled.
//
// Thread safety: one thread at a time.
#pragma once

#include <string>
#include <unordered_set>

#include "base/json.h"
#include "explore/space.h"

namespace vantage::explore {

class Distinct {
 public:
  explicit Distinct(const Space& space) : is_any_new_(space.is_distinct()) {}
  // Whether no point before this one was the same design. Takes no memory where none can be.
  bool is_new(const Design& design) { return is_any_new_ || seen_.insert(to_json(design).dump()).second; }

 private:
  bool is_any_new_;
  std::unordered_set<std::string> seen_;
};

}  // namespace vantage::explore
