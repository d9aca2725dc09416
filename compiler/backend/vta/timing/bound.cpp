#include "compiler/backend/vta/timing/bound.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/math.h"
#include "hw/isa/codec.h"
#include "hw/isa/timing.h"

namespace vantage::vta {

using namespace isa::timing;

namespace {

// The memory at its best: rows open, nothing refreshed, no jitter.
class BestMemory {
 public:
  BestMemory(const MemoryTiming& memory, const isa::Config& config) {
    const uint64_t column = memory.banks ? memory.banks->column.count() : 0;
    read_latency_ = static_cast<int64_t>(std::max<uint64_t>(1, memory.read_latency.count() + column));
    write_latency_ = static_cast<int64_t>(std::max<uint64_t>(1, memory.write_latency.count() + column));
    const uint64_t beat = config.bus_width().count() * memory.rate.cycles;
    if (memory.rate.bytes != 0 && beat > memory.rate.bytes) {
      rate_cycles_ = static_cast<int64_t>(beat);
      rate_beats_ = static_cast<int64_t>(memory.rate.bytes);
    }
    memory_reads_ = static_cast<int64_t>(memory.max_reads);
    writes_ = memory.max_writes == 0 ? kWriteBursts : std::min<uint64_t>(kWriteBursts, memory.max_writes);
  }

  // From a burst's grant to its first beat.
  int64_t first_beat() const { return kAddressShown + read_latency_ + step() - 1; }
  // From a write's last beat to its response.
  int64_t response() const { return write_latency_; }
  // From a beat to the next, at the least.
  int64_t step() const { return rate_cycles_ / rate_beats_; }
  // From the first to the last of so many beats. A burst keeps one of the core's few places from its grant until its
  // last beat lies in its buffer, or until it has its response; and of the memory's, as it reads, from its address
  // until its last beat has passed.
  int64_t read(int64_t beats) const { return beats == 0 ? 0 : std::max(flow(beats), reading(beats, 1)); }
  int64_t write(int64_t beats) const {
    return beats == 0 ? 0 : std::max(flow(beats), held(beats, 1, kAddressToData + write_latency_, writes_));
  }
  // The same with `gaps` among them that take `gap` beats (a whole number or not) to read: each is read, or a burst
  // ends before it. The more are read the longer the beats take, the fewer the shorter the bursts; the best lies
  // between.
  int64_t read_around(int64_t beats, int64_t gaps, double gap) const {
    const auto both = [&](int64_t read) {
      const auto all = beats + static_cast<int64_t>(std::floor(static_cast<double>(read) * gap));
      return std::pair(flow(all), reading(all, gaps - read + 1));
    };
    int64_t low = 0, high = gaps;  // the fewest gaps with which beats take as long as bursts
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      const auto [of_beats, of_bursts] = both(middle);
      of_beats >= of_bursts ? high = middle : low = middle + 1;
    }
    const auto longer = [&](int64_t read) {
      const auto [of_beats, of_bursts] = both(read);
      return std::max(of_beats, of_bursts);
    };
    return low == 0 ? longer(0) : std::min(longer(low), longer(low - 1));
  }

 private:
  // Beats of a burst follow each other in whole cycles, and what is left over passes behind it: not behind the last.
  int64_t flow(int64_t beats) const {
    const int64_t last = std::min<int64_t>(beats, kBurstBeats);
    return (beats - last) * rate_cycles_ / rate_beats_ + (last - 1) * step();
  }
  int64_t reading(int64_t beats, int64_t least) const {
    const int64_t in_core = held(beats, least, first_beat() + kBeatToBuffer, kReadBursts);
    return memory_reads_ == 0 ? in_core : std::max(in_core, held(beats, least, read_latency_ + step(), memory_reads_));
  }
  // What all bursts together keep of the places, but for what the first one waits before its first beat and the last
  // one behind its last. `least`: how many bursts there are at the least.
  int64_t held(int64_t beats, int64_t least, int64_t around, int64_t places) const {
    const int64_t bursts = std::max(least, ceil_div(beats, int64_t{kBurstBeats}));
    return (bursts * around + (beats - bursts) * step()) / places - around;
  }

  int64_t read_latency_, write_latency_;
  int64_t rate_cycles_ = 1, rate_beats_ = 1;  // so many cycles for so many beats
  int64_t memory_reads_, writes_;             // bursts under way; 0: no limit
};

}  // namespace

int64_t Bound::cycles() const {
  return std::max({gemm, vector, read, store});
}

std::string_view Bound::binds() const {
  const int64_t most = cycles();
  return most == gemm ? "GEMM core" : most == vector ? "ALU" : most == read ? "reads" : "writes";
}

Bound bound_of(const Work& work, const isa::Config& config, const MemoryTiming& memory) {
  const BestMemory best(memory, config);
  const auto bus = static_cast<int64_t>(config.bus_width().count());
  const int64_t insn_beats = ceil_div(int64_t{isa::kInsnBytes}, bus);

  // The first load is dispatched as its last beat leaves fetch's buffer; then its own first beat comes.
  const int64_t dispatched = best.first_beat() + best.read(insn_beats) + kBeatToBuffer;
  const int64_t first_data = dispatched + kQueueLatency + kTransferSlot + kFirstBurst + best.first_beat();
  const int64_t written = kBeatToBuffer + kWalkToWrite;
  // From the last beat that a step needs to that step, as the loads of either stage bring it.
  const int64_t to_gemm = written + kTokenLatency + kGemmFirstStep;
  const int64_t to_vector = written + kLoadRelease + kVectorFirstStep;
  const int64_t gemm_to_vector = kGemmHalvesFree + kVectorFirstStep;
  // From the ALU's last step to the first beat of its store; from a store's last beat to the end.
  const int64_t to_store = kVectorEnd + kTokenLatency + kFirstRead + kStorePack + kDataShown;
  const int64_t store_end = best.response() + kResponseToEnd + kTokenLatency + kEmptyEnd + 1;

  const int64_t needed = first_data + best.read(work.first_beats);
  const bool sums = work.gemm_steps != 0;
  const int64_t first_step = needed + (sums ? to_gemm : to_vector);
  const int64_t first_alu = sums ? first_step + work.sum_steps - 1 + gemm_to_vector : first_step;
  const int64_t behind_alu = to_store + best.write(work.last_beats) + store_end;
  const int64_t behind_sum = gemm_to_vector + work.result_steps - 1 + behind_alu;

  Bound bound;
  if (sums) bound.gemm = first_step + work.gemm_steps - 1 + behind_sum;
  // Resets may come before there is data, as long as there are accumulators.
  const int64_t first_reset = dispatched + kQueueLatency + kCheckBegins + kTransferCheck + kCheckToIssue + kFirstBurst +
                              best.first_beat() + written + kLoadRelease + kVectorFirstStep;
  const int64_t room = static_cast<int64_t>(config.depth(isa::Memory::kAcc).count()) * work.first_steps;
  const int64_t early = std::clamp<int64_t>(std::min(room, first_alu - first_reset), 0, work.resets);
  if (work.alu_steps != 0) bound.vector = first_alu + work.resets - early + work.alu_steps - 1 + behind_alu;
  // What comes last may be needed by the ALU alone.
  const double gap = static_cast<double>(work.gap_bytes) / static_cast<double>(bus);
  bound.read = first_data + best.read_around(work.read_beats, work.gaps, gap) +
               std::min(to_vector + work.result_steps - 1 + behind_alu,
                        sums ? to_gemm + work.gemm_steps_behind - 1 + behind_sum : INT64_MAX);
  bound.store = first_alu + work.result_steps - 1 + to_store + best.write(work.store_beats) + store_end;

  // What a beat holds up: all that cannot be done before it has come.
  for (const Work::Reach& reach : work.reach) {
    const int64_t come = first_data + best.read(reach.beats) + to_gemm;
    if (const int64_t steps = work.gemm_steps - reach.gemm_steps; steps > 0) {
      bound.gemm = std::max(bound.gemm, come + steps - 1 + behind_sum);
    }
    const int64_t left = work.results - reach.results;
    if (left <= 0) continue;
    const int64_t summed = come + gemm_to_vector;
    const int64_t resets = std::max<int64_t>(0, work.resets - room - reach.results * work.first_steps);
    if (work.alu_steps != 0) {
      bound.vector = std::max(bound.vector, summed + resets + left * work.result_steps - 1 + behind_alu);
    }
    const int64_t stores = ceil_div(work.store_beats * left, work.results);
    bound.store = std::max(bound.store, summed + work.result_steps - 1 + to_store + best.write(stores) + store_end);
  }
  return bound;
}

}  // namespace vantage::vta
