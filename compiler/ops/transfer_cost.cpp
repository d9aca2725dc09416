#include "compiler/ops/transfer_cost.h"

#include <algorithm>

#include "base/math.h"
#include "hw/isa/timing.h"

namespace vantage::ops {

using namespace isa::timing;

TransferCost::TransferCost(const MemoryTiming& memory, const isa::Config& config)
    : bus(static_cast<int64_t>(config.bus_width().count())),
      latency(std::max<int64_t>(1, static_cast<int64_t>(memory.read_latency.count()))),
      reads(kReadBursts),
      writes(kWriteBursts) {
  auto write_latency = std::max<int64_t>(1, static_cast<int64_t>(memory.write_latency.count()));
  if (memory.banks) {
    // Of a burst in a row that is open; others wait longer, and are few
    latency += static_cast<int64_t>(memory.banks->column.count());
    write_latency += static_cast<int64_t>(memory.banks->column.count());
  }
  if (memory.max_reads != 0) reads = std::min<int64_t>(reads, static_cast<int64_t>(memory.max_reads));
  if (memory.max_writes != 0) writes = std::min<int64_t>(writes, static_cast<int64_t>(memory.max_writes));
  const auto beat_cycles = bus * static_cast<int64_t>(memory.rate.cycles);
  if (const auto by = static_cast<int64_t>(memory.rate.bytes); by != 0 && beat_cycles > by) {
    rate_cycles = beat_cycles;
    rate_beats = by;
  }
  const int64_t first_burst = cycles(kBurstBeats);
  start = latency + first_burst;
  small_load = kQueueLatency + kCheckBegins + kTransferCheck + kCheckToIssue + kFirstBurst + kAddressShown + latency +
               kBeatToBuffer + kWalkToWrite + kLoadRelease + kLoopCheck + 1 + kCheckToIssue;
  store_end = kFirstRead + kStorePack + kDataShown + write_latency + kResponseToEnd + kTokenLatency + kCheckToIssue;
  read_round = latency + kFirstBurst + kAddressShown + kBeatToBuffer;
  write_round = kAddressToData + write_latency + kResponseToEnd;
}

int64_t TransferCost::pass(int64_t rows, int64_t row_bytes, int64_t places, int64_t round) const {
  const int64_t row = beats(row_bytes);
  const int64_t burst = std::max<int64_t>(1, row / ceil_div(row, int64_t{kBurstBeats}));
  const int64_t flow = cycles(rows * row), slots = places * burst;
  return slots >= round ? flow : std::max(flow, rows * row * round / slots);
}

}  // namespace vantage::ops
