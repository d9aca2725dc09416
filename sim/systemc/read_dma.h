// The read DMA of a stage: asks for the bursts of transfers, and says when their beats and zeros are written. Transfers
// follow each other without a gap; the next one's bursts are asked for while this one's data come.
//
// A part of the stage, not a module: everything that it knows follows from issues and from the port's answers.
#pragma once

#include <array>
#include <deque>

#include "hw/core/dma_transfer.h"
#include "sim/systemc/axi_port.h"

namespace vantage::systemc {

using core::DmaTransfer;

class DmaClient {
 public:
  // The last burst of the last transfer is granted in cycle `at`, or will be.
  virtual void all_asked_for(Cycle at) = 0;
  // Beats or zero elements are written.
  virtual void writes(const Progression& writes) = 0;
  // The oldest transfer that has not ended does in cycle `at`, or will. The next one's turn comes in cycle `turn` at
  // the earliest, and leaves its place to another in the one after.
  virtual void transfer_ends(Cycle at, Cycle turn) = 0;

 protected:
  ~DmaClient() = default;
};

class ReadDma final : public ReadClient {
 public:
  ReadDma(DmaClient& client, AxiPort& port, Requester requester) : client_(client), port_(port), requester_(requester) {
    port.connect(requester, *this);
  }

  void restart(unsigned beat_log);

  // The first cycle from `at` on in which a transfer can be issued, as far as is known; kNever while that depends on
  // bursts to come.
  Cycle ready_from(Cycle at) const;
  // REQUIRES: ready_from(at) == at
  void issue(const DmaTransfer& transfer, Cycle at);

  // The cycle of the first write of the transfer whose turn came last, if it has one.
  Cycle first_write() const { return timing::written(timing::first_walk(turns_[(turn_count_ - 1) % turns_.size()])); }

  void granted(Cycle at) override;
  void beats_come(const Progression& beats) override;

 private:
  struct Turn {
    Cycle issued;
    DmaTransfer transfer;
  };

  void request(Cycle from);
  Cycle room_for_burst();
  void begin_turn();
  void walk(const Progression& beats);
  void walk_zeros(uint64_t count);
  void tell(Progression walked);
  void end_turn(Cycle at);

  DmaClient& client_;
  AxiPort& port_;
  Requester requester_;

  // Bursts
  BurstCutter cutter_;
  bool asking_ = false;
  bool waits_for_room_ = false;  // whether that depends on beats to come
  Cycle asked_from_;             // the first cycle in which the next burst may be shown
  Cycle free_from_;              // from when on a transfer may be issued, unless asking_
  uint64_t asked_ = 0;           // beats
  uint32_t row_ends_ = 0;        // of the bursts asked for whose beats are not known, a bit each, the oldest lowest
  unsigned open_ = 0;            // how many those are

  // Beats leave the buffer
  struct Pops {
    uint64_t begin;  // number of the first
    Progression cycles;
  };
  // A ring of those that may still be asked for: a beat each at most, and what is known of bursts on their way
  static constexpr size_t kPops = 512;
  std::array<Pops, kPops> pops_;
  size_t pops_begin_ = 0, pops_end_ = 0;
  Cycle pops_go_on_ = kNever;  // the cycle that would go on with the last of them
  uint64_t popped_ = 0;

  // Transfers in turn: those that wait; the one that is walked; when the last ones' turns came
  std::deque<Turn> waiting_;
  bool walking_ = false;
  DmaTransfer current_;
  uint64_t rows_left_ = 0;
  Cycle next_walk_;
  Cycle last_end_;
  std::array<Cycle, timing::kWaitingLoads> turns_{};  // a ring
  uint64_t turn_count_ = 0;
};

}  // namespace vantage::systemc
