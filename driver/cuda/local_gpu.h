// A GPU held by this process, through the driver's API.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "driver/cuda/gpu.h"

namespace vantage::driver {

// Device number `number` by the library `libcuda` (driver_api.h), which messages call `name`. After a fault its end
// resets the device's primary context. NVIDIA says that a process must end before it can use a GPU again after a
// fault; a GPU that is opened anew in the same process may work, but who relies on it holds it in a process of its own
// (worker_gpu.h). Throws Error where there is no driver or no such device.
std::unique_ptr<Gpu> open_local_gpu(const std::filesystem::path& libcuda, int number, const std::string& name);

}  // namespace vantage::driver
