#include "driver/cuda/joined_binding.h"

#include <algorithm>

#include "base/error.h"

namespace vantage::driver {

namespace {

using JoinedParts = std::vector<RecoveringGpu::Binding*>;

bool is_in(const GpuRange& inner, const GpuRange& outer) {
  return outer.address <= inner.address && inner.address + inner.bytes <= outer.address + outer.bytes;
}

Gpu::Bound bind_joined(Gpu& gpu, const JoinedParts& calls) {
  std::vector<uint64_t> numbers;
  for (const RecoveringGpu::Binding* call : calls) {
    VANTAGE_CHECK(call->generation != 0);
    numbers.push_back(call->bound.number);
  }
  return gpu.join(numbers);
}

}  // namespace

RecoveringGpu::Binding join(const JoinedParts& calls) {
  RecoveringGpu::Binding joined;
  joined.bind = [calls](Gpu& gpu, const std::vector<uint64_t>&) { return bind_joined(gpu, calls); };
  joined.signature.name = "the whole run";
  std::vector<GpuRange> written;
  for (const RecoveringGpu::Binding* call : calls) {
    const size_t before = written.size();
    for (size_t i = 0; i < call->tensors.size(); ++i) {
      const GpuRange& range = call->tensors[i];
      native::Parameter parameter = call->signature.parameters[i];
      const bool is_made = std::any_of(written.begin(), written.begin() + static_cast<std::ptrdiff_t>(before),
                                       [&](const GpuRange& earlier) { return is_in(range, earlier); });
      const bool is_read = call->is_read.at(i) && !is_made;
      if (parameter.is_written) written.push_back(range);
      if (!is_read && !parameter.is_written) continue;
      parameter.name += " of " + call->signature.name;
      joined.signature.parameters.push_back(std::move(parameter));
      joined.is_read.push_back(is_read);
      joined.tensors.push_back(range);
    }
  }
  return joined;
}

}  // namespace vantage::driver
