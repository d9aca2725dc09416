#include "native/function.h"

#include "base/error.h"

namespace vantage::native {

std::vector<vantage_argument> arguments_of(const std::vector<const DLTensor*>& tensors) {
  std::vector<vantage_argument> arguments;
  arguments.reserve(tensors.size());
  for (const DLTensor* tensor : tensors) arguments.push_back({.tensor = tensor});
  return arguments;
}

void Function::operator()(std::span<const vantage_argument> arguments, const vantage_runtime* runtime) const {
  vantage_failure failure{};
  const int32_t code = entry_(arguments.data(), static_cast<int32_t>(arguments.size()), runtime, &failure);
  if (code != VANTAGE_OK) throw Error(explain(failure, *signature_));
}

void Function::operator()(const std::vector<const DLTensor*>& tensors, const vantage_runtime* runtime) const {
  (*this)(arguments_of(tensors), runtime);
}

}  // namespace vantage::native
