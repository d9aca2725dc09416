#include "driver/processor/resident_tensor.h"

#include "base/error.h"

namespace vantage::driver {

ResidentTensor::ResidentTensor(Processor& device, DType dtype, Tensor::Shape shape)
    : dtype_(dtype), shape_(std::move(shape)), buffer_(device.allocate(Bytes(dense_bytes(dtype, shape_)))) {
  tensor_ = {reinterpret_cast<void*>(buffer_.address().count()),  // NOLINT: the address of host memory
             {kDLCPU, 0},
             static_cast<int>(shape_.size()),
             dl_dtype(dtype),
             shape_.data(),
             nullptr,
             0};
}

ResidentTensor::ResidentTensor(Processor& device, const Tensor& host)
    : ResidentTensor(device, host.dtype(), host.shape()) {
  host.is_dense() ? write(host) : write(host.reshaped(host.shape()));
}

Tensor ResidentTensor::read() const {
  Tensor host(dtype_, shape_);
  buffer_.read(host.bytes());
  return host;
}

void ResidentTensor::write(const Tensor& host) {
  VANTAGE_CHECK(host.dtype() == dtype_ && host.shape() == shape_ && host.is_dense());
  buffer_.write(host.bytes());
}

}  // namespace vantage::driver
