// The read DMA of a stage at the grain of bursts, for the timeline.
#pragma once

#include <array>

#include "compiler/backend/vta/timing/read_port.h"
#include "hw/core/dma_transfer.h"

namespace vantage::vta {

class DmaTimeline {
 public:
  DmaTimeline(ReadPort& port, core::Requester requester, unsigned beat_log)
      : port_(port), requester_(requester), cutter_(beat_log) {}

  // From when on a transfer can be issued. REQUIRES: none is under way (is_asking()).
  isa::Cycle ready_from() const;
  void issue(const core::DmaTransfer& transfer, isa::Cycle at);
  // Whether bursts of the transfer that was issued last are still to be asked for; when the next is, at the earliest.
  bool is_asking() const { return asking_; }
  isa::Cycle next_request();
  // Asks for that burst. REQUIRES: is_asking()
  void ask();
  // When the transfer that was issued last ends. REQUIRES: !is_asking()
  isa::Cycle ends() const { return isa::timing::written(last_end_); }

 private:
  static constexpr uint64_t kWaiting = isa::timing::kWaitingLoads;
  static constexpr uint64_t kPops = 256;  // more than the buffer holds of bursts

  void walk(const Progression& beats);
  isa::Cycle room_for_burst();

  ReadPort& port_;
  const core::Requester requester_;
  core::BurstCutter cutter_;
  core::DmaTransfer current_;
  bool asking_ = false;
  isa::Cycle asked_from_, free_from_, next_walk_, last_end_;
  uint64_t asked_ = 0, popped_ = 0;  // beats
  struct Pops {
    uint64_t begin;
    Progression cycles;
  };
  std::array<Pops, kPops> pops_{};
  uint64_t pops_begin_ = 0, pops_end_ = 0;
  std::array<isa::Cycle, kWaiting> turns_{};
  uint64_t turn_count_ = 0;
};

}  // namespace vantage::vta
