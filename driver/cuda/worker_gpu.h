// A GPU held by a process of its own, which a fault ends, and not this one.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "driver/cuda/gpu.h"

namespace vantage::driver {

// Starts `worker` (vantage-gpu), which opens the device as open_local_gpu() does, and ends with the result of this. Its
// end, however it came about, is a GpuFault here. Throws Error also where the program cannot be started.
std::unique_ptr<Gpu> open_worker_gpu(const std::filesystem::path& worker, const std::filesystem::path& libcuda,
                                     int number, const std::string& name);

// The other side: holds a GPU for whoever has the other end of this socket, until that is closed or a kernel faults.
void serve_gpu(int socket);

// Where the process that is started finds its end.
inline constexpr int kGpuSocket = 3;

}  // namespace vantage::driver
