// Bound calls, one after another, as one: a whole network's run.
//
// Thread safety: none.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/cuda/bound_call.h"
#include "driver/cuda/captured_graph.h"

namespace vantage::driver {

class JoinedCalls final : public BoundCall {
 public:
  // `calls` must outlive this, but for its end.
  JoinedCalls(std::shared_ptr<const DriverApi> api, std::string name, std::vector<BoundCall*> calls);

  const std::string& code() const override { return code_; }
  std::string what() const override;

  // Makes one CUDA graph of what all of them launch, once they have run one by one.
  void prepare(DriverApi::Stream stream) override;
  void enqueue(DriverApi::Stream stream) override;
  void launch(DriverApi::Stream stream) override;

 private:
  const std::shared_ptr<const DriverApi> api_;
  const std::string name_;
  const std::vector<BoundCall*> calls_;
  std::string code_;  // each that there is
  bool has_run_ = false;
  CapturedGraph graph_;
};

}  // namespace vantage::driver
