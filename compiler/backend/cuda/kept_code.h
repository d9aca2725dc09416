// Machine code that NVRTC made is kept between runs, so that the same kernels are compiled once.
//
// Thread safety: as Nvrtc's; processes may share a folder.
#pragma once

#include <filesystem>
#include <memory>

#include "compiler/backend/cuda/nvrtc.h"

namespace vantage::cuda {

// Compiles as `nvrtc` does, and keeps what it makes in `folder` (base/kept_files.h), by the source, the headers, the
// options, the architecture and NVRTC's version.
std::shared_ptr<const Nvrtc> keeping_code(std::shared_ptr<const Nvrtc> nvrtc, std::filesystem::path folder);

}  // namespace vantage::cuda
