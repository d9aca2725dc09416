// What a machine with time records its runs into: a timeline, waves, whoever else looks at them, or nothing.
//
// Thread safety: none, as the machine's.
#pragma once

#include <filesystem>
#include <memory>

#include "hw/isa/config.h"
#include "sim/profile/recorded_run.h"

namespace vantage::sim {

class Timeline;
class Waves;

class Recordings {
 public:
  // An empty path: no such file. `observer`, if given, is told of every run too. Throws Error when a file cannot be
  // written.
  Recordings(const isa::Config& config, const std::filesystem::path& timeline, const std::filesystem::path& vcd,
             RunObserver observer = {});
  ~Recordings();

  bool wanted() const { return timeline_ != nullptr || waves_ != nullptr || observer_; }
  // Adds a run behind those before it. REQUIRES: run.result.cycles
  void add(const RecordedRun& run);
  // Puts the files in place; what is added later is not recorded. Throws Error when one could not be written.
  void finish();

 private:
  template <typename Record>
  struct Recording;
  template <typename Record>
  static void end(std::unique_ptr<Recording<Record>>& recording, const std::string& text);

  std::unique_ptr<Recording<Timeline>> timeline_;
  std::unique_ptr<Recording<Waves>> waves_;
  RunObserver observer_;
};

}  // namespace vantage::sim
