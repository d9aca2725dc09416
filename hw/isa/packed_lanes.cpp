#include "hw/isa/packed_lanes.h"

#include <cstring>

#include "base/error.h"
#include "hw/isa/lanes.h"

namespace vantage {

namespace {

size_t packed_bytes(int64_t values, int bits) {
  return (static_cast<size_t>(values) * static_cast<size_t>(bits) + 7) / 8;
}

}  // namespace

std::vector<std::byte> pack_lanes(const Tensor& values, int bits, Bytes size) {
  std::vector<std::byte> bytes(size.count());
  VANTAGE_CHECK(bytes.size() >= packed_bytes(values.size(), bits));
  if (bits == values.dtype().bytes() * 8) {
    std::memcpy(bytes.data(), values.bytes().data(), values.bytes().size());
    return bytes;
  }
  visit_integers(values, [&](const auto& all) {
    for (size_t i = 0; i < all.size(); ++i) write_lane(bytes.data(), i, bits, static_cast<int32_t>(all[i]));
  });
  return bytes;
}

Tensor unpack_lanes(std::span<const std::byte> bytes, const TensorType& type, int bits) {
  Tensor tensor(type.dtype, type.shape);
  VANTAGE_CHECK(bytes.size() >= packed_bytes(tensor.size(), bits));
  if (bits == type.dtype.bytes() * 8) {
    std::memcpy(tensor.bytes().data(), bytes.data(), tensor.bytes().size());
    return tensor;
  }
  for (int64_t e = 0; e < tensor.size(); ++e) {
    tensor.set_integer(e, read_lane(bytes.data(), static_cast<size_t>(e), bits));
  }
  return tensor;
}

}  // namespace vantage
