// When the instructions of a program begin and end on published hardware: three stages that work in order, one
// instruction at a time, and tokens between them. docs/published.md has the equations.
//
// Thread safety: none.
#pragma once

#include <span>
#include <vector>

#include "hw/isa/config.h"
#include "hw/isa/insn.h"
#include "sim/machine.h"
#include "sim/published/published_timing.h"
#include "sim/published/second_level_cache.h"

namespace vantage::sim {

class EventModel {
 public:
  // `config` and `timing` must outlive this. REQUIRES: timing.require(config)
  EventModel(const isa::Config& config, const PublishedTiming& timing);

  struct Times {
    Millicycles end;                    // of the last instruction
    std::vector<RetireRecord> retired;  // in order of their ends
    std::vector<StageCycles> stages;    // by isa::Stage
  };
  // How long the first `retired[stage]` instructions of every stage take, all of which can run. The cache, if there is
  // one, is as the runs before left it. Throws Error when that is more than can be counted, and Stopped (base/stop.h)
  // when told to stop.
  Times run(std::span<const isa::Insn> insns, const std::array<size_t, isa::kAllStages.size()>& retired,
            const std::stop_token& stop = {});

  // As after power on.
  void clear_cache();

 private:
  // An instruction's time, and what of it moves data or makes steps.
  struct Cost {
    Millicycles busy, all;
  };
  Cost cost(const isa::Insn& insn);
  Cost load_cost(const isa::Transfer& transfer);
  Cost store_cost(const isa::Transfer& transfer);
  uint64_t row_beats(const isa::Transfer& transfer) const;
  uint64_t missed_beats(const isa::Transfer& transfer);

  const isa::Config& config_;
  const PublishedTiming& timing_;
  std::optional<SecondLevelCache> cache_;
};

}  // namespace vantage::sim
