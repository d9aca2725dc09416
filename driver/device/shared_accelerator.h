// One accelerator for several clients, each of whom sees a device of its own: its buffers only, zeros where nobody
// wrote, and scratchpads that no one else's run has touched.
//
// Scratchpads carry over from a client's run to its next only if nobody else ran in between; otherwise they are zero
// again, and the run says so in a warning.
//
// Thread safety: clients may be used from several threads at once, each from one at a time. They take turns: a call
// waits for another client's run to end, and no more than one of each who came before.
#pragma once

#include <functional>
#include <memory>

#include "driver/device/accelerator.h"
#include "driver/device/fair_mutex.h"

namespace vantage::driver {

class SharedAccelerator {
 public:
  using Open = std::function<std::unique_ptr<Accelerator>(const isa::Config&, const AcceleratorOptions&)>;

  // `open` is called when there is a client and no device yet; the device is closed with the last client.
  explicit SharedAccelerator(Open open) : open_(std::move(open)) {}
  SharedAccelerator(const SharedAccelerator&) = delete;
  SharedAccelerator& operator=(const SharedAccelerator&) = delete;

  // A new client's device; this must outlive it. Throws Error like `open`, and when other clients have opened it as
  // another core.
  std::unique_ptr<Accelerator> client(const isa::Config& config, const AcceleratorOptions& options);

  // Runs `work` while there is no client and no device: waits a second for that. Throws Error when there still is one.
  void alone(const std::function<void()>& work);

 private:
  friend class SharedClient;
  friend class SharedProgram;

  const Open open_;
  FairMutex mutex_;  // of the device and of what follows
  std::unique_ptr<Accelerator> device_;
  int clients_ = 0;
  const void* last_client_ = nullptr;  // whose run was the last; null: scratchpads are to be cleared
};

}  // namespace vantage::driver
