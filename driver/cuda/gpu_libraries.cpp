#include "driver/cuda/gpu_libraries.h"

#include <algorithm>

#include "driver/cuda/cublas.h"
#include "driver/cuda/cudnn.h"

namespace vantage::driver {

std::unique_ptr<BoundCall> GpuLibraries::bind(const LibraryCall& call, const std::vector<uint64_t>& tensors,
                                              DriverApi::Stream stream, const Workspace& workspace) {
  const auto is_it = [&](const Opened& o) { return o.work == call.work.index() && o.file == call.file; };
  auto found = std::find_if(opened_.begin(), opened_.end(), is_it);
  if (found == opened_.end()) {
    const bool is_matmul = std::holds_alternative<MatmulShape>(call.work);
    auto handle = is_matmul ? open_cublas(api_, call.file, stream) : open_cudnn(api_, call.file, stream);
    found = opened_.insert(opened_.end(), {call.work.index(), call.file, std::move(handle)});
  }
  return found->handle->bind(call, tensors, workspace);
}

}  // namespace vantage::driver
