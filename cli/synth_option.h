// --synth: what designs take by Yosys and not by estimate, and how fast they may be clocked (docs/area.md).
#pragma once

#include <string>
#include <vector>

#include "hw/fpga/synthesis.h"
#include "hw/isa/config.h"

namespace CLI {
class App;
}

namespace vantage::cli {

class SynthOption {
 public:
  void add_to(CLI::App& app, const std::string& meaning);
  bool given() const { return given_; }
  // Throws Error where it was given and there is no Yosys: before anything runs.
  void check() const;
  // Of cores, in their order; as many at a time as the machine has processor cores. Minutes each, kept.
  std::vector<fpga::Synthesis> synthesize(const std::vector<isa::Config>& configs, const std::string& family) const;

 private:
  bool given_ = false;
};

}  // namespace vantage::cli
