// Numbers on the host as a tensor on a processor, and back.
#pragma once

#include <vector>

#include "compiler/ir/dtype.h"
#include "driver/device/processor.h"

namespace vantage::cli {

class HostTensor {
 public:
  // Zero, or these values.
  HostTensor(driver::Processor& device, ir::DType dtype, std::vector<int64_t> shape);
  HostTensor(driver::Processor& device, ir::DType dtype, std::vector<int64_t> shape, const std::vector<double>& values);

  const DLTensor* tensor() const { return resident_.tensor(); }
  int64_t bytes() const { return size_ * dtype_.bytes(); }
  std::vector<double> values();

 private:
  ir::DType dtype_;
  int64_t size_;
  driver::ResidentTensor resident_;
};

// The same values with the axes in another order: axis d of the result is axis order[d] of `values`, of this shape.
std::vector<double> permuted(const std::vector<double>& values, const std::vector<int64_t>& shape,
                             const std::vector<size_t>& order);

}  // namespace vantage::cli
