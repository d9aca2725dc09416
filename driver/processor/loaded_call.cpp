#include "driver/processor/loaded_call.h"

#include <chrono>

#include "base/error.h"

namespace vantage::driver {

namespace {

void require_possible(const RunOptions& options) {
  if (options.max_steps != UINT64_MAX) {
    fail("a limit of {} steps means nothing to a processor, whose functions run to their end; leave it out",
         options.max_steps);
  }
  if (options.record_retirement) {
    fail("a processor keeps no records of retired instructions; leave them out, or run a program on an accelerator");
  }
}

class LoadedCall final : public Loaded {
 public:
  explicit LoadedCall(std::function<void()> call) : call_(std::move(call)) {}

  RunResult run_once(const RunOptions& options) override {
    require_possible(options);
    RunResult result;
    if (options.stop.stop_requested()) {
      result.status = sim::RunStatus::kStopped;
      result.message = "the run was stopped before it began";
      return result;
    }
    const auto begin = std::chrono::steady_clock::now();
    call_();
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result;
  }

  Timing time_runs(const TimeOptions& time, const RunOptions& options) override {
    if (options.stop.stop_possible()) return Loaded::time_runs(time, options);
    require_possible(options);
    return time_evaluator(call_, time);
  }

 private:
  const std::function<void()> call_;
};

}  // namespace

std::unique_ptr<Loaded> load_call(std::function<void()> call) {
  return std::make_unique<LoadedCall>(std::move(call));
}

}  // namespace vantage::driver
