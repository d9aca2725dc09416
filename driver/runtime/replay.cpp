#include "driver/runtime/replay.h"

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/suggest.h"

namespace vantage::driver {

namespace {

const isa::CounterInfo& counter(const std::string& name) {
  std::vector<std::string> names;
  for (const isa::CounterInfo& info : isa::kCounters) {
    if (info.name == name) return info;
    names.emplace_back(info.name);
  }
  fail("the bundle expects a counter '{}', which does not exist{}", name, did_you_mean(name, names));
}

// A segment holds OUT elements from its start; say which one differs.
std::string describe(const MemorySegment& segment, size_t offset, std::byte got, const isa::Config& config) {
  const uint64_t element = config.element_size(isa::Memory::kOut).count();
  const auto as_int = [](auto byte) { return static_cast<int>(static_cast<int8_t>(byte)); };
  return fmt::format(
      "first mismatch at address 0x{:x} (element {} byte {} of the tensor at 0x{:x}): expected {}, got {}",
      segment.address.count() + offset, offset / element, offset % element, segment.address.count(),
      as_int(segment.bytes[offset]), as_int(got));
}

std::optional<std::string> compare_memory(const Accelerator& device, const Bundle& bundle) {
  for (const MemorySegment& segment : bundle.expect) {
    std::vector<std::byte> got(segment.bytes.size());
    device.read(segment.address, got);
    const auto expected = as_bytes(segment.bytes);
    const auto [at, other] = std::mismatch(expected.begin(), expected.end(), got.begin());
    if (at != expected.end()) {
      return describe(segment, static_cast<size_t>(at - expected.begin()), *other, bundle.config);
    }
  }
  return std::nullopt;
}

std::optional<std::string> compare_counters(const isa::Counters& got, const Bundle& bundle) {
  for (const auto& [name, expected] : bundle.counters) {
    const isa::CounterInfo& info = counter(name);
    // Another recorder may count the bytes of 8-bit accumulator loads by its own rule.
    if (info.value == &isa::Counters::acc_load_nbytes && bundle.loads_acc8()) continue;
    if (got.*info.value != expected) {
      return fmt::format("{}: expected {}, got {}", name, expected, got.*info.value);
    }
  }
  return std::nullopt;
}

}  // namespace

ReplayResult replay(Accelerator& device, const Bundle& bundle, const RunOptions& options) {
  for (const auto& [name, value] : bundle.counters) counter(name);
  device.reset();
  for (const MemorySegment& segment : bundle.memory) device.write(segment.address, as_bytes(segment.bytes));
  ReplayResult result{device.run({bundle.insn_address, bundle.insn_count}, options), std::nullopt};
  if (!result.run.ok()) {
    result.mismatch = failure(result.run);
    return result;
  }
  result.mismatch = compare_memory(device, bundle);
  if (!result.mismatch) result.mismatch = compare_counters(result.run.counters, bundle);
  return result;
}

}  // namespace vantage::driver
