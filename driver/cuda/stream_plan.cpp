#include "driver/cuda/stream_plan.h"

#include <algorithm>
#include <limits>

#include "base/error.h"

namespace vantage::driver {

namespace {

constexpr size_t kNone = std::numeric_limits<size_t>::max();

class StreamPlanner {
 public:
  explicit StreamPlanner(size_t most) : last_(most, kNone), known_(most, std::vector<size_t>(most, kNone)) {}

  void add(const PlannedCall& call) {
    const size_t number = plan_.calls.size();
    VANTAGE_CHECK(std::ranges::all_of(call.after, [&](size_t needed) { return needed < number; }));
    const size_t stream = call.is_on_first ? 0 : stream_for(call);
    plan_.calls.push_back({stream, {}});
    std::vector<size_t> after = call.after;
    // The latest of a stream ends behind all before it.
    std::ranges::sort(after, std::greater());
    for (const size_t needed : after) wait(number, needed);
    last_[stream] = number;
    seen_.push_back(known_[stream]);
    plan_.streams = std::max(plan_.streams, stream + 1);
  }

  StreamPlan finish() && {
    for (size_t stream = 1; stream < plan_.streams; ++stream) {
      if (last_[stream] != kNone && !is_behind(0, last_[stream])) plan_.ends.push_back(last_[stream]);
    }
    return std::move(plan_);
  }

 private:
  // That of the latest call that it needs, which nothing follows there yet; else one without a call, or with calls that
  // ended before what it needs did; else that whose last call is the oldest.
  size_t stream_for(const PlannedCall& call) const {
    size_t best = kNone;
    for (const size_t needed : call.after) {
      const size_t stream = plan_.calls[needed].stream;
      if (last_[stream] == needed && (best == kNone || needed > last_[best])) best = stream;
    }
    if (best != kNone) return best;
    for (size_t stream = 0; stream < last_.size(); ++stream) {
      const auto ended = [&](size_t needed) {
        return seen_[needed][stream] != kNone && seen_[needed][stream] >= last_[stream];
      };
      if (last_[stream] == kNone || std::ranges::any_of(call.after, ended)) return stream;
    }
    return static_cast<size_t>(std::ranges::min_element(last_) - last_.begin());
  }

  // Whether what is next on the stream `own` runs after the call anyway.
  bool is_behind(size_t own, size_t call) const {
    const size_t stream = plan_.calls[call].stream;
    return stream == own || (known_[own][stream] != kNone && known_[own][stream] >= call);
  }

  void wait(size_t call, size_t needed) {
    const size_t own = plan_.calls[call].stream, other = plan_.calls[needed].stream;
    if (is_behind(own, needed)) return;
    plan_.calls[call].waits.push_back(needed);
    // What the other one had waited for is behind it as well.
    for (size_t stream = 0; stream < last_.size(); ++stream) know(own, stream, seen_[needed][stream]);
    know(own, other, needed);
  }
  void know(size_t own, size_t stream, size_t call) {
    size_t& known = known_[own][stream];
    if (call != kNone && (known == kNone || call > known)) known = call;
  }

  StreamPlan plan_;
  std::vector<size_t> last_;                // call of each stream
  std::vector<std::vector<size_t>> known_;  // of each stream, the last call of every other one that it has waited for
  std::vector<std::vector<size_t>> seen_;   // the same when each call began
};

}  // namespace

StreamPlan plan_streams(const std::vector<PlannedCall>& calls, size_t most) {
  StreamPlanner planner(most);
  for (const PlannedCall& call : calls) planner.add(call);
  return std::move(planner).finish();
}

}  // namespace vantage::driver
