// What happened inside an accelerator in one run or several, as the part "timeline" of a report's document: over all
// cycles in buckets, and instruction by instruction.
//
// Thread safety: none; one trace is filled by one thread.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "hw/isa/config.h"
#include "report/detail.h"
#include "report/series.h"
#include "sim/profile/recorded_run.h"

namespace vantage::report {

class RunTrace {
 public:
  explicit RunTrace(const isa::Config& config);

  // Adds a run behind those before it, unless it was stopped. REQUIRES: run.result.cycles
  void add(const sim::RecordedRun& run);
  // What runs from now on is left out.
  void stop() { stopped_ = true; }

  size_t runs() const { return runs_.size(); }
  uint64_t cycles() const { return cycles_; }

  // `names`: of the runs, in order. Takes at most about `budget` bytes: where instructions need more, their texts are
  // left out first, then all but when they are worked on, then all about them but their share in the buckets. Empty
  // without a run.
  Json json(const std::vector<std::string>& names, size_t budget) const;

 private:
  struct Run {
    uint64_t first_cycle, cycles, first_insn, insns;
  };
  struct Channel {
    std::string group, name, unit;
    double full = 1;  // what the highest level stands for; 0: the peak
    Series series = {};
  };
  Series& series(const std::string& group, const std::string& name, const std::string& unit, double full);
  void add_engines(const sim::RecordedRun& run);
  void add_stages(const sim::RecordedRun& run);
  void add_bus(const sim::RecordedRun& run);
  void add_fills(const sim::RecordedRun& run);
  void add_changes(Series& series, const sim::Changes& changes, uint64_t run_cycles);
  void add_instructions(const sim::RecordedRun& run);

  isa::Config config_;
  bool stopped_ = false;
  uint64_t cycles_ = 0;
  std::vector<Run> runs_;
  std::deque<Channel> channels_;  // whose places do not change
  Detail detail_;
};

}  // namespace vantage::report
