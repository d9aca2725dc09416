// What a GPU's copy engine has to know of a tensor (native/gpu_program.h), in the form that it takes.
//
// Source: "Tensor Map Object Management" of NVIDIA's "CUDA Driver API", version 13.0.
//
// Thread safety: a function without state.
#pragma once

#include <cstdint>
#include <string>

#include "driver/cuda/driver_api.h"
#include "native/gpu_program.h"

namespace vantage::driver {

struct alignas(64) EncodedMap {
  uint64_t words[16];
};

// Of a tensor at this address. Throws Error where the driver has no such maps, or does not take this one.
EncodedMap encode(const DriverApi& api, const std::string& name, const native::GpuTensorMap& map, uint64_t address);

}  // namespace vantage::driver
