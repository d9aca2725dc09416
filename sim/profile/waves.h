// Runs as waves in a VCD file, for GTKWave: what every queue holds, what every engine works on, what waits to retire,
// and when the bus carries data. The hardware's own signals are in the trace of rtl:.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hw/isa/config.h"
#include "sim/profile/recorded_run.h"

namespace vantage::sim {

class Waves {
 public:
  explicit Waves(const isa::Config& config);

  // Adds a run behind those before it. REQUIRES: run.result.cycles
  void add(const RecordedRun& run);

  // The file's text.
  std::string vcd() const;

 private:
  struct Signal {
    std::string scope, name;
    int bits;
    std::map<uint64_t, uint64_t> values;  // from this cycle on
  };
  Signal& signal(const std::string& scope, const std::string& name, int bits);

  int clock_mhz_;
  uint64_t origin_ = 0;  // cycles of the runs before
  std::vector<Signal> signals_;
};

}  // namespace vantage::sim
