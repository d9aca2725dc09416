#include "driver/cuda/gpu_tensors.h"

#include <algorithm>
#include <bit>

#include "base/error.h"

namespace vantage::driver {

namespace {

using native::Parameter;

// As DType::bytes() has it.
uint64_t element_bytes(DLDataType dtype) {
  return std::bit_ceil(std::max<uint64_t>(dtype.bits, 8)) / 8;
}

class Checker {
 public:
  Checker(const native::Signature& signature, const std::vector<const DLTensor*>& tensors)
      : signature_(signature), tensors_(tensors) {}

  std::vector<GpuRange> check() const {
    native::require_tensors(signature_, tensors_, kDLCUDA);
    std::vector<GpuRange> ranges;
    for (size_t i = 0; i < tensors_.size(); ++i) ranges.push_back(range_of(i));
    for (size_t i = 0; i < ranges.size(); ++i) {
      for (size_t j = 0; j < i; ++j) require_apart(ranges, i, j);
    }
    return ranges;
  }

 private:
  void require(bool holds, int32_t code, size_t argument, size_t dimension, int64_t expected, int64_t got) const {
    if (holds) return;
    throw Error(native::explain({code, static_cast<int32_t>(argument), static_cast<int32_t>(dimension), expected, got},
                                signature_));
  }

  GpuRange range_of(size_t i) const {
    const Parameter& p = signature_.parameters[i];
    const DLTensor& tensor = *tensors_[i];
    const uint64_t bytes = element_bytes(p.dtype);
    const bool is_empty = std::find(tensor.shape, tensor.shape + tensor.ndim, 0) != tensor.shape + tensor.ndim;
    int64_t dense = 1;  // the stride of a tensor that has none
    uint64_t last = 0;
    for (size_t d = p.shape.size(); d-- > 0;) {
      const int64_t size = tensor.shape[d], stride = tensor.strides != nullptr ? tensor.strides[d] : dense;
      const int64_t expected = std::stoll(p.strides[d]);
      // Nothing steps along a dimension of one element, nor where there is none.
      require(is_empty || size == 1 || stride == expected, VANTAGE_WRONG_STRIDE, i, d, expected, stride);
      last += static_cast<uint64_t>((size - 1) * expected);
      dense *= size;
    }
    const auto address = reinterpret_cast<uint64_t>(tensor.data) + tensor.byte_offset;
    require(address % static_cast<uint64_t>(p.alignment) == 0, VANTAGE_MISALIGNED, i, 0, p.alignment,
            static_cast<int64_t>(address));
    return {address, is_empty ? 0 : (last + 1) * bytes};
  }

  void require_apart(const std::vector<GpuRange>& ranges, size_t i, size_t j) const {
    if (!signature_.parameters[i].is_written && !signature_.parameters[j].is_written) return;
    const bool apart = ranges[i].bytes == 0 || ranges[j].bytes == 0 ||
                       ranges[i].address + ranges[i].bytes <= ranges[j].address ||
                       ranges[j].address + ranges[j].bytes <= ranges[i].address;
    require(apart, VANTAGE_OVERLAP, i, 0, 0, static_cast<int64_t>(j));
  }

  const native::Signature& signature_;
  const std::vector<const DLTensor*>& tensors_;
};

}  // namespace

std::vector<GpuRange> require_gpu_tensors(const native::Signature& signature,
                                          const std::vector<const DLTensor*>& tensors) {
  return Checker(signature, tensors).check();
}

}  // namespace vantage::driver
