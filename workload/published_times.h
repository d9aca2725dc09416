// What was published of the times of convolutions on a bitstream, as data (configs/silicon), and the model of that
// machine held against it.
//
// Thread safety: functions without state.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/embedded_file.h"
#include "base/units.h"
#include "driver/device/accelerator.h"
#include "workload/published_conv.h"
#include "workload/resnet18.h"

namespace vantage::workload {

struct PublishedLayer {
  NamedLayer layer;
  Cycles cycles;  // of the accelerator's clock, the host's time included
  PublishedTiling tiling;
};

struct PublishedTimes {
  std::string machine;      // what was measured: behind "published:", and
  isa::Config config;       // its configuration
  std::string source = {};  // who measured, and how
  std::vector<PublishedLayer> layers = {};

  // A JSON file, or the name of one in configs/silicon, as it was when this was built. Throws Error that suggests a
  // near name, or names the file, the key, the value and what would be right.
  static PublishedTimes find(const std::string& file_or_name);
  static PublishedTimes parse(std::string_view json_text, std::string_view source);
};

// configs/silicon, and the names of the files in it, sorted.
const EmbeddedFiles& published_times_files();
std::vector<std::string> published_times_names();

struct ValidatedLayer {
  std::string name;
  uint64_t instructions = 0;
  Cycles device, host;  // by the model
  Cycles published;
  std::string difference;  // of the results from the reference's; empty: none

  Cycles model() const { return device + host; }
  // By how much of the published time the model is above it.
  double error() const;
};

// Builds the layer's program, runs it on a "published:" machine with random operands from `seed`, and compares results.
ValidatedLayer validate(driver::Accelerator& machine, const PublishedLayer& layer, uint64_t seed);

}  // namespace vantage::workload
