// A tensor in a GPU's memory.
//
// Thread safety: as the device's.
#pragma once

#include "base/tensor/tensor.h"
#include "driver/cuda/cuda_device.h"

namespace vantage::driver {

// In a buffer of its own, row-major. Not movable: its address is what programs are bound to. Must not outlive its
// device.
class GpuTensor {
 public:
  // Zero, or a copy of the host's elements. Throws Error when the device has no room.
  GpuTensor(Cuda& device, DType dtype, Tensor::Shape shape);
  GpuTensor(Cuda& device, const Tensor& host);
  GpuTensor(const GpuTensor&) = delete;
  GpuTensor& operator=(const GpuTensor&) = delete;

  // To bind programs to; as long as this lives.
  const DLTensor* tensor() const { return &tensor_; }
  Bytes size() const { return buffer_.size(); }

  // The elements now, on the host. `host` must have the type and shape of this and be dense; InternalError otherwise.
  Tensor read() const;
  void write(const Tensor& host);

 private:
  DType dtype_;
  Tensor::Shape shape_;
  Buffer buffer_;
  DLTensor tensor_{};
};

}  // namespace vantage::driver
