#include "driver/cuda/captured_graph.h"

namespace vantage::driver {

namespace {

// A mode of cuStreamBeginCapture: what other threads do does not end the capture.
constexpr int kCaptureThreadLocal = 1;

}  // namespace

CapturedGraph::~CapturedGraph() {
  if (graph_ != nullptr) api_->graph_exec_destroy(graph_);
}

void CapturedGraph::capture(DriverApi::Stream stream, const std::function<void()>& work) {
  if (was_tried_) return;
  was_tried_ = true;
  if (api_->stream_begin_capture(stream, kCaptureThreadLocal) != kCudaSuccess) return;
  DriverApi::Graph graph = nullptr;
  try {
    work();
  } catch (...) {
    if (api_->stream_end_capture(stream, &graph) == kCudaSuccess && graph != nullptr) api_->graph_destroy(graph);
    throw;
  }
  if (api_->stream_end_capture(stream, &graph) != kCudaSuccess || graph == nullptr) return;
  if (api_->graph_instantiate(&graph_, graph, 0) != kCudaSuccess) graph_ = nullptr;
  api_->graph_destroy(graph);
}

}  // namespace vantage::driver
