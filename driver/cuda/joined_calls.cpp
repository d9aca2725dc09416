#include "driver/cuda/joined_calls.h"

#include <fmt/ranges.h>

#include <set>

#include "base/error.h"

namespace vantage::driver {

namespace {

// Events that order streams and take no time (cuEventCreate).
constexpr unsigned kNoTiming = 2;

}  // namespace

JoinedCalls::JoinedCalls(std::shared_ptr<const DriverApi> api, std::string name, std::vector<BoundCall*> calls,
                         StreamPlan plan, std::vector<DriverApi::Stream> streams)
    : api_(std::move(api)),
      name_(std::move(name)),
      calls_(std::move(calls)),
      plan_(std::move(plan)),
      streams_(std::move(streams)),
      ends_(calls_.size()),
      graph_(api_) {
  VANTAGE_CHECK(plan_.calls.size() == calls_.size() && plan_.streams <= streams_.size() + 1);
  std::set<std::string> codes;
  for (const BoundCall* call : calls_) codes.insert(call->code());
  code_ = fmt::format("{}", fmt::join(codes, "; "));
  std::set<size_t> waited(plan_.ends.begin(), plan_.ends.end());
  for (const StreamPlan::Call& call : plan_.calls) waited.insert(call.waits.begin(), call.waits.end());
  const auto create = [&](DriverApi::Event& event) {
    api_->require(api_->event_create(&event, kNoTiming), name_, "an event");
  };
  try {
    if (plan_.streams > 1) create(begin_);
    for (const size_t call : waited) create(ends_[call]);
  } catch (...) {
    destroy_events();
    throw;
  }
}

JoinedCalls::~JoinedCalls() {
  destroy_events();
}

void JoinedCalls::destroy_events() noexcept {
  if (begin_ != nullptr) api_->event_destroy(begin_);
  for (const DriverApi::Event event : ends_) {
    if (event != nullptr) api_->event_destroy(event);
  }
}

std::string JoinedCalls::what() const {
  return fmt::format("one of the {} calls of a run (run step by step to learn which)", calls_.size());
}

void JoinedCalls::prepare(DriverApi::Stream stream) {
  if (has_run_) graph_.capture(stream, [&] { launch(stream); });
}

void JoinedCalls::enqueue(DriverApi::Stream stream) {
  if (!graph_.is_there()) {
    launch(stream);
    has_run_ = true;
    return;
  }
  api_->require(graph_.launch(stream), name_, "launching " + what());
}

void JoinedCalls::launch(DriverApi::Stream stream) {
  try {
    launch_all(stream);
  } catch (...) {
    // What was started beside the first stream, which does not wait for it any more, is over before anything else
    // begins. Where this is a capture, that fails, and ends the capture.
    for (const DriverApi::Stream other : streams_) api_->stream_synchronize(other);
    throw;
  }
}

void JoinedCalls::launch_all(DriverApi::Stream stream) {
  const auto stream_of = [&](size_t number) { return number == 0 ? stream : streams_[number - 1]; };
  if (plan_.streams > 1) signal(begin_, stream);
  for (size_t other = 1; other < plan_.streams; ++other) wait(stream_of(other), begin_);
  for (size_t i = 0; i < calls_.size(); ++i) {
    const DriverApi::Stream own = stream_of(plan_.calls[i].stream);
    for (const size_t call : plan_.calls[i].waits) wait(own, ends_[call]);
    calls_[i]->launch(own);
    if (ends_[i] != nullptr) signal(ends_[i], own);
  }
  for (const size_t call : plan_.ends) wait(stream, ends_[call]);
}

void JoinedCalls::signal(DriverApi::Event event, DriverApi::Stream stream) {
  api_->require(api_->event_record(event, stream), name_, "an event");
}

void JoinedCalls::wait(DriverApi::Stream stream, DriverApi::Event event) {
  api_->require(api_->stream_wait_event(stream, event, 0), name_, "waiting for a stream");
}

}  // namespace vantage::driver
