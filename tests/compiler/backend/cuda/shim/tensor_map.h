// What a copy engine knows of a tensor, as its stand-in on a processor has it: shim/warpgroups.h and the library that
// stands in for NVIDIA's driver agree on this.
#pragma once

#include <cstdint>

namespace shim {

// From the dimension on whose elements lie side by side.
struct alignas(64) TensorMap {
  const void* address;
  uint64_t sizes[5], strides[5];  // strides in bytes
  uint32_t box[5];
  uint32_t rank, element_bytes;
};
static_assert(sizeof(TensorMap) == 128);

}  // namespace shim
