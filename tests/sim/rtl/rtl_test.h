// Verilated cores for tests: built once, then taken from the cache.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/cache.h"
#include "base/json.h"
#include "sim/rtl/model_builder.h"
#include "sim/rtl/rtl_machine.h"
#include "tests/support/random_config.h"
#include "tests/support/temporary.h"

namespace vantage::test {

inline sim::RtlLibrary rtl_library(const isa::Config& config) {
  return sim::build_model(config, {default_cache(), false, {}});
}

// Memory settings by name from configs/memory, as a core at so many megahertz sees them.
inline MemoryTiming memory_setting(const std::string& name, int clock_mhz = 100) {
  return MemoryTiming::load(source_dir() / "configs" / "memory" / (name + ".json"), clock_mhz);
}

inline std::unique_ptr<sim::Machine> rtl_machine(const isa::Config& config, const std::string& memory = "m64") {
  return sim::make_rtl_machine(config, rtl_library(config), {memory_setting(memory), {}});
}

// A shipped configuration with some keys changed.
inline isa::Config changed(const std::string& base, const Json& changes) {
  Json json = shipped_config(base).to_json();
  json.update(changes);
  return isa::Config::from_json(json, base);
}

// A single multiplier, a single accumulator.
inline isa::Config smallest_config() {
  return changed("8x8", {{"LOG_BLOCK", 0},
                         {"LOG_BLOCK_IN", 0},
                         {"LOG_BLOCK_OUT", 0},
                         {"LOG_UOP_BUFF_SIZE", 4},
                         {"LOG_INP_BUFF_SIZE", 2},
                         {"LOG_WGT_BUFF_SIZE", 1},
                         {"LOG_ACC_BUFF_SIZE", 2}});
}

// The configurations that programs are compared on: shipped ones, and some that reach the corners of the data path.
struct NamedConfig {
  std::string name;
  isa::Config config;
};
inline std::vector<NamedConfig> rtl_configs() {
  return {
      {"default", shipped_config("default")},
      {"batch2", shipped_config("batch2")},
      {"not_square", shipped_config("16x32")},
      {"int4", shipped_config("int4")},
      // Two elements of INP and OUT in a beat, eight micro-ops
      {"8x8_bus128", changed("8x8", {{"LOG_BUS_WIDTH", 7}})},
      // Every element smaller than a beat, rows that start anywhere in one, scratchpads with ends close by,
      // accumulators that all lie in one half and are fewer than inputs
      {"4x4_bus512", changed("8x8", {{"LOG_BLOCK", 2},
                                     {"LOG_BLOCK_IN", 2},
                                     {"LOG_BLOCK_OUT", 2},
                                     {"LOG_BUS_WIDTH", 9},
                                     {"LOG_UOP_BUFF_SIZE", 7},
                                     {"LOG_INP_BUFF_SIZE", 9},
                                     {"LOG_WGT_BUFF_SIZE", 9},
                                     {"LOG_ACC_BUFF_SIZE", 9}})},
      // Sums that wrap at once, products that share no multiplier
      {"i16w16a16_bus256", changed("8x8", {{"LOG_INP_WIDTH", 4},
                                           {"LOG_WGT_WIDTH", 4},
                                           {"LOG_ACC_WIDTH", 4},
                                           {"LOG_BUS_WIDTH", 8},
                                           {"LOG_BATCH", 1},
                                           {"LOG_ACC_BUFF_SIZE", 12},
                                           {"LOG_INP_BUFF_SIZE", 12}})},
      {"1x1", smallest_config()},
  };
}

}  // namespace vantage::test
