#include "driver/runtime/recorder.h"

#include <algorithm>

namespace vantage::driver {

namespace {

MemorySegment snapshot(const Accelerator& device, const Region& region) {
  MemorySegment segment{region.address, std::string(region.size.count(), '\0')};
  device.read(region.address, std::as_writable_bytes(std::span(segment.bytes)));
  return segment;
}

bool all_zero(const std::string& bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) { return c == 0; });
}

}  // namespace

RecordedRun run_and_record(Accelerator& device, LoadedProgram& program, const std::string& name,
                           const RunOptions& options) {
  const ProgramImage image = program.image();
  RecordedRun recorded{{}, Bundle{name, device.config(), image.insn_address, image.insn_count, {}, {}, {}}};
  for (const auto& region : program.regions()) {
    MemorySegment segment = snapshot(device, region);
    if (!all_zero(segment.bytes)) recorded.bundle.memory.push_back(std::move(segment));
  }
  recorded.result = program.run(options);
  for (const auto& region : program.regions()) {
    if (region.is_output) recorded.bundle.expect.push_back(snapshot(device, region));
  }
  for (const auto& region : program.regions()) {
    const bool is_symbol = region.address != image.insn_address;
    if (is_symbol) recorded.bundle.symbols.push_back({region.name, region.address, region.size, region.is_output});
  }
  for (const isa::CounterInfo& info : isa::kCounters) {
    recorded.bundle.counters[std::string(info.name)] = recorded.result.counters.*info.value;
  }
  return recorded;
}

}  // namespace vantage::driver
