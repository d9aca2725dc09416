// What was given to a stream once, as a CUDA graph: it costs the host one call to have all of it run again.
//
// Thread safety: none.
#pragma once

#include <functional>
#include <memory>

#include "driver/cuda/driver_api.h"

namespace vantage::driver {

class CapturedGraph {
 public:
  explicit CapturedGraph(std::shared_ptr<const DriverApi> api) : api_(std::move(api)) {}
  CapturedGraph(const CapturedGraph&) = delete;
  CapturedGraph& operator=(const CapturedGraph&) = delete;
  ~CapturedGraph();

  // Notes what `work` gives to the stream, in place of running it; the first time, whatever comes of it: some drivers
  // make no graph. Throws as `work` does. REQUIRES: all kernels have run before, since one may be loaded as it first
  // runs, which a capture does not allow.
  void capture(DriverApi::Stream stream, const std::function<void()>& work);

  bool is_there() const { return graph_ != nullptr; }
  // The driver's code. REQUIRES: is_there().
  int launch(DriverApi::Stream stream) const { return api_->graph_launch(graph_, stream); }

 private:
  const std::shared_ptr<const DriverApi> api_;
  bool was_tried_ = false;
  DriverApi::GraphExec graph_ = nullptr;
};

}  // namespace vantage::driver
