// A device that all sessions of a server share, as the process that holds it has it.
#pragma once

#include <memory>

#include "driver/boards/flash_job.h"
#include "driver/boards/plan.h"
#include "driver/boards/system.h"
#include "driver/device/shared_accelerator.h"
#include "driver/rpc/workspace/local_workspace.h"
#include "driver/rpc/workspace/shared_process.h"

namespace vantage::rpc {

// Thread safety: all members may be called from several threads at once.
class ServedDevice {
 public:
  // Throws Error when there is no kind of device for its URI.
  explicit ServedDevice(SharedDevice device);

  // A session's.
  std::unique_ptr<Workspace> start();
  // Throws Error, also when clients may not.
  void flash(const boards::FlashJob& job, const boards::Step& step, const std::stop_token& stop);

 private:
  const SharedDevice device_;
  driver::AcceleratorKind kind_;
  const std::shared_ptr<boards::System> machine_;  // flashing must know of runs that were given up
  driver::SharedAccelerator shared_;
};

}  // namespace vantage::rpc
