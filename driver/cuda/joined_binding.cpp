#include "driver/cuda/joined_binding.h"

#include <algorithm>

#include "base/error.h"

namespace vantage::driver {

namespace {

using JoinedParts = std::vector<RecoveringGpu::Binding*>;

bool is_in(const GpuRange& inner, const GpuRange& outer) {
  return outer.address <= inner.address && inner.address + inner.bytes <= outer.address + outer.bytes;
}

bool share_bytes(const GpuRange& a, const GpuRange& b) {
  return a.address < b.address + b.bytes && b.address < a.address + a.bytes;
}

// Whether one of two calls writes what the other one reads or writes.
bool is_in_conflict(const RecoveringGpu::Binding& one, const RecoveringGpu::Binding& other) {
  for (size_t i = 0; i < one.tensors.size(); ++i) {
    for (size_t j = 0; j < other.tensors.size(); ++j) {
      const bool is_written = one.signature.parameters[i].is_written || other.signature.parameters[j].is_written;
      if (is_written && share_bytes(one.tensors[i], other.tensors[j])) return true;
    }
  }
  return false;
}

// The calls that each of these must come after, but for those that others of them come after.
std::vector<std::vector<size_t>> orders_of(const JoinedParts& calls) {
  std::vector<std::vector<size_t>> after(calls.size());
  std::vector<std::vector<bool>> is_after(calls.size());  // in any number of steps
  for (size_t i = 0; i < calls.size(); ++i) {
    is_after[i].resize(i);
    for (size_t earlier = i; earlier-- > 0;) {
      if (is_after[i][earlier] || !is_in_conflict(*calls[earlier], *calls[i])) continue;
      after[i].push_back(earlier);
      is_after[i][earlier] = true;
      for (size_t first = 0; first < earlier; ++first)
        is_after[i][first] = is_after[i][first] || is_after[earlier][first];
    }
  }
  return after;
}

Gpu::Bound bind_joined(Gpu& gpu, const JoinedParts& calls) {
  std::vector<std::vector<size_t>> after = orders_of(calls);
  std::vector<Gpu::Joined> joined;
  for (size_t i = 0; i < calls.size(); ++i) {
    VANTAGE_CHECK(calls[i]->generation != 0);
    joined.push_back({calls[i]->bound.number, std::move(after[i])});
  }
  return gpu.join(joined);
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
