#include "workload/program_tensors.h"

#include <fmt/ranges.h>

#include <functional>
#include <numeric>

#include "base/error.h"
#include "hw/isa/packed_lanes.h"

namespace vantage::workload {

using isa::Memory;

Tensor::Shape shape_of(const ProgramTensor& tensor, const isa::Config& config) {
  const int64_t elements = tensor.elements;
  switch (tensor.memory) {
    case Memory::kUop: return {elements};
    case Memory::kInp: return {elements, config.batch(), config.block_in()};
    case Memory::kWgt: return {elements, config.block_out(), config.block_in()};
    case Memory::kAcc:
    case Memory::kAcc8:
    case Memory::kOut: return {elements, config.batch(), config.block_out()};
  }
  VANTAGE_CHECK(false);
  return {};
}

DType dtype_of(const ProgramTensor& tensor, const isa::Config& config) {
  const int bits = config.lane_bits(tensor.memory);
  return bits <= 8 ? kInt8 : bits <= 16 ? kInt16 : kInt32;
}

std::vector<std::byte> pack(const ProgramTensor& tensor, const isa::Config& config, const Tensor& values,
                            std::string_view source) {
  const Tensor::Shape shape = shape_of(tensor, config);
  const DType dtype = dtype_of(tensor, config);
  const int64_t count = std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
  const auto wanted = [&] { return fmt::format("{}[{}]", name(dtype), fmt::join(shape, ", ")); };
  if (values.dtype() != dtype) {
    fail("{}: it is {}, but the tensor {} is {}; convert it with astype(\"{}\")", source, describe(values), tensor.name,
         wanted(), name(dtype));
  }
  if (values.size() != count) {
    fail("{}: it is {}, which has {} values, but the tensor {} is {}, which has {}", source, describe(values),
         values.size(), tensor.name, wanted(), count);
  }
  const int bits = config.lane_bits(tensor.memory);
  const int64_t high = (int64_t{1} << (bits - 1)) - 1;
  visit_integers(values, [&](const auto& from) {
    for (size_t i = 0; i < from.size(); ++i) {
      if (from[i] > high || from[i] < -high - 1) {
        fail("{}: value {} is {}, which does not fit the {} bits of the tensor {} ({} to {})", source, i, from[i], bits,
             tensor.name, -high - 1, high);
      }
    }
  });
  return pack_lanes(values, bits, config.element_size(tensor.memory) * tensor.elements);
}

Tensor unpack(const ProgramTensor& tensor, const isa::Config& config, std::span<const std::byte> bytes) {
  return unpack_lanes(bytes, {dtype_of(tensor, config), shape_of(tensor, config)}, config.lane_bits(tensor.memory));
}

}  // namespace vantage::workload
