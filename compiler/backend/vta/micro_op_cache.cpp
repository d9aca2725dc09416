#include "compiler/backend/vta/micro_op_cache.h"

#include "base/error.h"

namespace vantage::vta {

MicroOpCache::Place MicroOpCache::place(uint32_t kernel, uint32_t size) {
  VANTAGE_CHECK(size <= depth_);
  if (const auto known = resident_.find(kernel); known != resident_.end()) return {known->second.begin, false};
  if (uint64_t{next_} + size > depth_) next_ = 0;
  const Span span{next_, next_ + size};
  std::erase_if(resident_,
                [&](const auto& other) { return other.second.begin < span.end && span.begin < other.second.end; });
  resident_.emplace(kernel, span);
  next_ = span.end;
  return {span.begin, true};
}

}  // namespace vantage::vta
