// The GEMM core or the vector engine as the issue of instructions sees it: when the steps of its last two nests are
// made, and when others may touch what they touch (docs/hardware.md).
#pragma once

#include <algorithm>
#include <array>

#include "hw/core/nest.h"
#include "hw/isa/timing.h"

namespace vantage::core {

using isa::Cycle;

// The latest of the cycles of those halves of the accumulators whose bits are set.
inline Cycle latest_of(unsigned halves, const std::array<Cycle, 2>& cycles) {
  Cycle latest;
  for (unsigned h = 0; h < 2; ++h) {
    if ((halves >> h) & 1) latest = std::max(latest, cycles[h]);
  }
  return latest;
}

class NestEngine {
 public:
  // Runs a nest that is issued in cycle `issued`; when it ends. Its steps follow those of the one before.
  Cycle run(const isa::timing::Pipeline& pipeline, const isa::timing::NestSteps& steps, unsigned halves,
            const UopRange& uops, Cycle issued) {
    before_ = last_;
    last_ = {true, steps.is_mul, issued + pipeline.first_step, Cycle(), uops};
    if (before_.any) {
      const bool waits = before_.is_mul && steps.source_reads == 0;
      last_.first_step = std::max(last_.first_step, before_.last_step + 1 + (waits ? isa::timing::kMulWait : 0));
    }
    last_.first_step += steps.before_first();
    last_.last_step = last_.first_step + steps.behind_first();
    for (unsigned h = 0; h < 2; ++h) {
      if ((halves >> h) & 1) halves_free_[h] = last_.last_step + pipeline.halves_free;
    }
    return last_.last_step + pipeline.ends;
  }

  // From when on the next nest may be issued to it; another engine may, that touches these halves; and micro-ops may be
  // overwritten.
  Cycle takes_next_from() const { return last_.any ? isa::timing::after_first_step(last_.first_step) : Cycle(); }
  Cycle frees(unsigned halves) const { return latest_of(halves, halves_free_); }
  Cycle has_read(const UopRange& uops) const {
    Cycle from;
    for (const Nest* nest : {&before_, &last_}) {
      if (nest->any && uops.overlaps(nest->uops)) from = std::max(from, nest->last_step + 1);
    }
    return from;
  }

  Cycle first_step() const { return last_.first_step; }  // of the nest that was issued last
  Cycle last_step() const { return last_.last_step; }

 private:
  struct Nest {
    bool any = false;
    bool is_mul = false;
    Cycle first_step, last_step;
    UopRange uops;
  };
  Nest last_, before_;
  std::array<Cycle, 2> halves_free_{};
};

}  // namespace vantage::core
