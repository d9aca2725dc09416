#include "driver/cuda/gpu_tensor.h"

#include "base/error.h"

namespace vantage::driver {

GpuTensor::GpuTensor(Cuda& device, DType dtype, Tensor::Shape shape)
    : dtype_(dtype), shape_(std::move(shape)), buffer_(device.allocate(Bytes(dense_bytes(dtype, shape_)))) {
  tensor_ = {reinterpret_cast<void*>(buffer_.address().count()),  // NOLINT: an address of the device's
             {kDLCUDA, device.number()},
             static_cast<int>(shape_.size()),
             dl_dtype(dtype),
             shape_.data(),
             nullptr,
             0};
}

GpuTensor::GpuTensor(Cuda& device, const Tensor& host) : GpuTensor(device, host.dtype(), host.shape()) {
  host.is_dense() ? write(host) : write(host.reshaped(host.shape()));
}

Tensor GpuTensor::read() const {
  Tensor host(dtype_, shape_);
  buffer_.read(host.bytes());
  return host;
}

void GpuTensor::write(const Tensor& host) {
  VANTAGE_CHECK(host.dtype() == dtype_ && host.shape() == shape_ && host.is_dense());
  buffer_.write(host.bytes());
}

}  // namespace vantage::driver
