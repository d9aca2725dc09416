// A bitstream for an offered board, as a client sent it.
#pragma once

#include <string>

namespace vantage::boards {

struct FlashJob {
  std::string name;  // for logs and records
  std::string bitstream;
  std::string config_json;
  std::string register_map;
  double clock_mhz = 0;  // 0: the configuration's
  bool force = false;    // though nothing verifies it
};

}  // namespace vantage::boards
