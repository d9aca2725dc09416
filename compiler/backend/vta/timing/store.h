// The store stage's transfers at the grain of bursts, for the timeline.
#pragma once

#include <array>

#include "hw/core/dma_transfer.h"
#include "hw/memory/axi_memory.h"

namespace vantage::vta {

class StoreTimeline {
 public:
  StoreTimeline(const MemoryTiming& timing, Bytes beat, unsigned beat_log) : memory_(timing, beat), cutter_(beat_log) {}

  // From when on a store can be issued.
  isa::Cycle ready_from() const;
  // A store that is issued in cycle `at`. Returns when it ends.
  isa::Cycle store(const core::DmaTransfer& transfer, isa::Cycle at);

 private:
  static constexpr uint64_t kStores = isa::timing::kStores, kBursts = isa::timing::kWriteBursts;

  isa::Cycle burst(const core::Burst& burst);

  AxiMemory memory_;  // its writes
  core::BurstCutter cutter_;
  isa::Cycle asked_from_, free_from_, taken_;
  isa::Cycle next_read_, next_send_, next_pass_;
  std::array<isa::Cycle, kStores> ends_{};
  std::array<isa::Cycle, kBursts> responses_{};
  uint64_t stores_ = 0, bursts_ = 0;
};

}  // namespace vantage::vta
