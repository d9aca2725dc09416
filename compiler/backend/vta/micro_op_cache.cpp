#include "compiler/backend/vta/micro_op_cache.h"

#include <iterator>

#include "base/error.h"

namespace vantage::vta {

MicroOpCache::Place MicroOpCache::place(uint32_t kernel, uint32_t size) {
  VANTAGE_CHECK(size > 0 && size <= depth_);
  if (const auto known = begin_.find(kernel); known != begin_.end()) return {known->second, false};
  if (uint64_t{next_} + size > depth_) next_ = 0;
  const uint32_t begin = next_;
  next_ += size;
  auto in_the_way = residents_.lower_bound(begin);
  if (in_the_way != residents_.begin() && std::prev(in_the_way)->second.end > begin) --in_the_way;
  while (in_the_way != residents_.end() && in_the_way->first < next_) {
    begin_.erase(in_the_way->second.kernel);
    in_the_way = residents_.erase(in_the_way);
  }
  residents_.emplace_hint(in_the_way, begin, Resident{kernel, next_});
  begin_.emplace(kernel, begin);
  return {begin, true};
}

}  // namespace vantage::vta
