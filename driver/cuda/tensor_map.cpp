#include "driver/cuda/tensor_map.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/tensor/dtype.h"

namespace vantage::driver {

namespace {

// As CUDA numbers them. What the engine moves are bits: a type says how wide elements are, and which zeros stand
// outside.
constexpr int kUint8 = 0, kUint16 = 1, kUint32 = 2;
constexpr int kNoInterleave = 0, kSwizzle128Bytes = 3, kPromoteTo128Bytes = 2, kZerosOutside = 0;

int map_type(const DLDataType& dtype) {
  switch (dtype.bits) {
    case 8: return kUint8;
    case 16: return kUint16;
    case 32: return kUint32;
    default: break;
  }
  fail("boxes of {} cannot be copied", vantage::name(dtype_of(dtype)));
}

}  // namespace

EncodedMap encode(const DriverApi& api, const std::string& name, const native::GpuTensorMap& map, uint64_t address) {
  if (api.tensor_map_encode_tiled == nullptr) {
    fail(
        "{}: the driver here has no cuTensorMapEncodeTiled, by which boxes of tensors are copied: it is older than "
        "CUDA 12; install version 525 or later of it, or compile for sm_80",
        name);
  }
  // From the innermost dimension on, whose stride goes without saying.
  std::vector<uint64_t> sizes(map.shape.rbegin(), map.shape.rend()), strides(map.strides.rbegin(), map.strides.rend());
  std::vector<uint32_t> box(map.box.rbegin(), map.box.rend()), ones(map.box.size(), 1);
  strides.erase(strides.begin());
  EncodedMap result{};
  const int code = api.tensor_map_encode_tiled(&result, map_type(map.dtype), static_cast<uint32_t>(sizes.size()),
                                               reinterpret_cast<void*>(address),  // NOLINT
                                               sizes.data(), strides.data(), box.data(), ones.data(), kNoInterleave,
                                               kSwizzle128Bytes, kPromoteTo128Bytes, kZerosOutside);
  api.require(code, name, "what is to be known of a tensor to copy boxes of it");
  return result;
}

}  // namespace vantage::driver
