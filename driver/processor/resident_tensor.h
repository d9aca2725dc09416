// A tensor in a processor's memory.
//
// Thread safety: as the processor's.
#pragma once

#include "base/tensor/tensor.h"
#include "driver/processor/processor.h"

namespace vantage::driver {

// In a buffer of its own, row-major. Not movable: its address is what functions are bound to. Must not outlive its
// processor.
class ResidentTensor {
 public:
  // Zero, or a copy of the host's elements. Throws Error when the device has no room.
  ResidentTensor(Processor& device, DType dtype, Tensor::Shape shape);
  ResidentTensor(Processor& device, const Tensor& host);
  ResidentTensor(const ResidentTensor&) = delete;
  ResidentTensor& operator=(const ResidentTensor&) = delete;

  // To bind functions to; as long as this lives.
  const DLTensor* tensor() const { return &tensor_; }
  Bytes size() const { return buffer_.size(); }

  // The elements now, on the host. `host` must have the type and shape of this and be dense; InternalError otherwise.
  Tensor read() const;
  void write(const Tensor& host);

  Buffer& buffer() { return buffer_; }

 private:
  DType dtype_;
  Tensor::Shape shape_;
  Buffer buffer_;
  DLTensor tensor_{};
};

}  // namespace vantage::driver
