// Why points are no designs, counted.
//
// Thread safety: one thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "explore/space.h"

namespace vantage::explore {

class Rejections {
 public:
  void add(const Rejection& rejection);
  // Reasons, and how many points have each: those that most have first.
  std::vector<std::pair<Rejection, uint64_t>> counted() const;
  // Throws the Error of a space without a design: the reasons that most have, of so many points that were looked at.
  // `where` and `remedy` go into the message. REQUIRES: there are some.
  [[noreturn]] void refuse(uint64_t points, const std::string& where = "", const std::string& remedy = "") const;

 private:
  std::map<std::string, std::pair<Rejection, uint64_t>> all_;  // by reason
};

}  // namespace vantage::explore
