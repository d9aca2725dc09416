// Bound calls as one: a whole network's run.
//
// Thread safety: none.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/cuda/bound_call.h"
#include "driver/cuda/captured_graph.h"
#include "driver/cuda/stream_plan.h"

namespace vantage::driver {

// Branches of networks are few; more streams than these have not been tried.
inline constexpr size_t kMostStreams = 4;

class JoinedCalls final : public BoundCall {
 public:
  // `calls` must outlive this, but for its end; the plan is of them. `streams` are those beside the one that all is
  // given to, at least as many as the plan needs. Throws Error where there are no events.
  JoinedCalls(std::shared_ptr<const DriverApi> api, std::string name, std::vector<BoundCall*> calls, StreamPlan plan,
              std::vector<DriverApi::Stream> streams);
  ~JoinedCalls() override;

  const std::string& code() const override { return code_; }
  std::string what() const override;

  // Makes one CUDA graph of what all of them launch, once they have run one by one.
  void prepare(DriverApi::Stream stream) override;
  void enqueue(DriverApi::Stream stream) override;
  // What comes behind it on the stream waits for all of it.
  void launch(DriverApi::Stream stream) override;

 private:
  void destroy_events() noexcept;
  void launch_all(DriverApi::Stream stream);
  void signal(DriverApi::Event event, DriverApi::Stream stream);
  void wait(DriverApi::Stream stream, DriverApi::Event event);

  const std::shared_ptr<const DriverApi> api_;
  const std::string name_;
  const std::vector<BoundCall*> calls_;
  const StreamPlan plan_;
  const std::vector<DriverApi::Stream> streams_;
  DriverApi::Event begin_ = nullptr;
  std::vector<DriverApi::Event> ends_;  // of calls; null where nothing on another stream waits for it
  std::string code_;                    // each that there is
  bool has_run_ = false;
  CapturedGraph graph_;
};

}  // namespace vantage::driver
