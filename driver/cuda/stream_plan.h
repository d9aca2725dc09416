// Which of a GPU's streams calls go to, so that those that do not need each other may run side by side.
//
// Thread safety: a function without state.
#pragma once

#include <cstddef>
#include <vector>

namespace vantage::driver {

struct StreamPlan {
  struct Call {
    size_t stream = 0;
    std::vector<size_t> waits;  // for calls on other streams, to have ended
  };
  std::vector<Call> calls;
  size_t streams = 1;
  std::vector<size_t> ends;  // the last call of each stream that the first one does not wait for anyway
};

// A call and what it needs: earlier calls, by their number.
struct PlannedCall {
  std::vector<size_t> after;
  bool is_on_first = false;  // cannot be on any stream but the first
};

// At most `most` streams, which is at least 1. Calls of one stream run in order; one that needs another follows it on
// its stream where it can. What needs nothing may begin a stream.
StreamPlan plan_streams(const std::vector<PlannedCall>& calls, size_t most);

}  // namespace vantage::driver
