#include "cli/compare/host_tensor.h"

#include <numeric>

#include "compiler/backend/cpu/dl_dtype.h"
#include "compiler/ir/interpreter/element.h"

namespace vantage::cli {

namespace {

int64_t product(const std::vector<int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

}  // namespace

HostTensor::HostTensor(driver::Processor& device, ir::DType dtype, std::vector<int64_t> shape)
    : dtype_(dtype), size_(product(shape)), resident_(device, cpu::dl_dtype(dtype), std::move(shape)) {}

HostTensor::HostTensor(driver::Processor& device, ir::DType dtype, std::vector<int64_t> shape,
                       const std::vector<double>& values)
    : HostTensor(device, dtype, std::move(shape)) {
  std::vector<std::byte> bytes(static_cast<size_t>(this->bytes()));
  const auto each = static_cast<size_t>(dtype_.bytes());
  for (size_t i = 0; i < values.size(); ++i) {
    ir::Scalar scalar{};
    if (dtype_.is_float()) {
      scalar.f = values[i];
    } else {
      scalar.i = static_cast<int64_t>(values[i]);
    }
    ir::write_element(dtype_, &bytes[i * each], scalar);
  }
  resident_.buffer().write(bytes);
}

std::vector<double> HostTensor::values() {
  std::vector<std::byte> bytes(static_cast<size_t>(this->bytes()));
  resident_.buffer().read(bytes);
  std::vector<double> result(static_cast<size_t>(size_));
  const auto each = static_cast<size_t>(dtype_.bytes());
  for (size_t i = 0; i < result.size(); ++i) {
    const ir::Scalar scalar = ir::read_element(dtype_, &bytes[i * each]);
    result[i] = dtype_.is_float() ? scalar.f : static_cast<double>(scalar.i);
  }
  return result;
}

std::vector<double> permuted(const std::vector<double>& values, const std::vector<int64_t>& shape,
                             const std::vector<size_t>& order) {
  std::vector<size_t> strides(shape.size(), 1);
  for (size_t d = shape.size() - 1; d-- > 0;) strides[d] = strides[d + 1] * static_cast<size_t>(shape[d + 1]);
  std::vector<double> result(values.size());
  for (size_t i = 0; i < result.size(); ++i) {
    size_t rest = i, at = 0;
    for (size_t d = order.size(); d-- > 0;) {
      const auto size = static_cast<size_t>(shape[order[d]]);
      at += rest % size * strides[order[d]];
      rest /= size;
    }
    result[i] = values[at];
  }
  return result;
}

}  // namespace vantage::cli
