#include "driver/runtime/replay.h"

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "base/file.h"
#include "base/suggest.h"
#include "hw/program/recover.h"

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

// What the run left at an address of the bundle's.
using ReadBack = std::function<void(Bytes, std::span<std::byte>)>;

std::optional<std::string> compare_memory(const Bundle& bundle, const ReadBack& read) {
  for (const MemorySegment& segment : bundle.expect) {
    std::vector<std::byte> got(segment.bytes.size());
    read(segment.address, got);
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

ReplayResult compare(RunResult run, const Bundle& bundle, const ReadBack& read) {
  ReplayResult result{std::move(run), std::nullopt};
  if (!result.run.ok()) {
    result.mismatch = failure(result.run);
    return result;
  }
  result.mismatch = compare_memory(bundle, read);
  if (!result.mismatch) result.mismatch = compare_counters(result.run.counters, bundle);
  return result;
}

// As any other program: with buffers for its tensors.
ReplayResult replay_placed(Accelerator& device, const Bundle& bundle, const RunOptions& options) {
  const RecoveredProgram recovered = recover_program(bundle);
  const Program& program = recovered.program;
  std::vector<Buffer> buffers;
  std::vector<const Buffer*> tensors;
  for (uint32_t i = 0; i < program.tensors.size(); ++i) {
    const std::string bytes = bundle.initial_bytes(recovered.tensors[i], program.symbol_size(i));
    buffers.push_back(device.allocate(Bytes(bytes.size())));
    buffers.back().write(as_bytes(bytes));
  }
  for (const Buffer& buffer : buffers) tensors.push_back(&buffer);
  const auto loaded = device.load(program, tensors, options.stop);
  return compare(loaded->run(options), bundle, [&](Bytes address, std::span<std::byte> bytes) {
    // Outside of its tensors a program writes nothing.
    const std::string before = bundle.initial_bytes(address, Bytes(bytes.size()));
    std::ranges::copy(as_bytes(before), bytes.begin());
    for (size_t i = 0; i < buffers.size(); ++i) {
      const uint64_t begin = std::max(address, recovered.tensors[i]).count();
      const uint64_t end = std::min(address.count() + bytes.size(), (recovered.tensors[i] + buffers[i].size()).count());
      if (begin >= end) continue;
      device.read(buffers[i].address() + Bytes(begin) - recovered.tensors[i],
                  bytes.subspan(begin - address.count(), end - begin));
    }
  });
}

}  // namespace

ReplayResult replay(Accelerator& device, const Bundle& bundle, const RunOptions& options) {
  for (const auto& [name, value] : bundle.counters) counter(name);
  device.reset();
  if (!device.runs_images()) return replay_placed(device, bundle, options);
  for (const MemorySegment& segment : bundle.memory) device.write(segment.address, as_bytes(segment.bytes));
  return compare(device.run({bundle.insn_address, bundle.insn_count}, options), bundle,
                 [&](Bytes address, std::span<std::byte> bytes) { device.read(address, bytes); });
}

}  // namespace vantage::driver
