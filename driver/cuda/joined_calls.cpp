#include "driver/cuda/joined_calls.h"

#include <fmt/ranges.h>

#include <set>

namespace vantage::driver {

JoinedCalls::JoinedCalls(std::shared_ptr<const DriverApi> api, std::string name, std::vector<BoundCall*> calls)
    : api_(std::move(api)), name_(std::move(name)), calls_(std::move(calls)), graph_(api_) {
  std::set<std::string> codes;
  for (const BoundCall* call : calls_) codes.insert(call->code());
  code_ = fmt::format("{}", fmt::join(codes, "; "));
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
  for (BoundCall* call : calls_) call->launch(stream);
}

}  // namespace vantage::driver
