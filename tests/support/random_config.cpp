#include "tests/support/random_config.h"

#include <algorithm>
#include <filesystem>
#include <random>

#include "base/error.h"
#include "base/json.h"
#include "tests/support/temporary.h"

namespace vantage::test {

isa::Config random_config(uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  while (true) {
    // Mostly the usual byte-wide elements; now and then anything that the format allows.
    const bool usual = pick(0, 3) != 0;
    Json json = {{"TARGET", "sim"},
                 {"HW_VER", "0.0.2"},
                 {"LOG_INP_WIDTH", usual ? 3 : pick(0, 4)},
                 {"LOG_WGT_WIDTH", usual ? 3 : pick(0, 4)},
                 {"LOG_ACC_WIDTH", usual ? 5 : pick(4, 5)},
                 {"LOG_BATCH", pick(0, 2)},
                 {"LOG_BLOCK", pick(0, 5)},
                 {"LOG_UOP_BUFF_SIZE", pick(4, 9)},
                 {"LOG_INP_BUFF_SIZE", pick(6, 12)},
                 {"LOG_WGT_BUFF_SIZE", pick(6, 14)},
                 {"LOG_ACC_BUFF_SIZE", pick(6, 13)}};
    json["LOG_BLOCK_OUT"] = json["LOG_BLOCK"];
    if (pick(0, 2) == 0) json["LOG_BLOCK_OUT"] = pick(0, 5);
    if (pick(0, 2) == 0) json["LOG_BLOCK"] = pick(0, 5);
    json["LOG_BLOCK_IN"] = json["LOG_BLOCK"];
    if (pick(0, 9) == 0) json["LOG_BATCH"] = pick(3, 6);
    if (pick(0, 2) == 0) json["LOG_BUS_WIDTH"] = pick(6, 9);
    try {
      return isa::Config::from_json(json, "random");
    } catch (const Error&) {
      // An element wider than its scratchpad, say; draw again.
    }
  }
}

std::vector<std::string> shipped_config_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() / "configs" / "accelerators")) {
    names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

isa::Config shipped_config(const std::string& name) {
  return isa::Config::load(source_dir() / "configs" / "accelerators" / (name + ".json"));
}

}  // namespace vantage::test
