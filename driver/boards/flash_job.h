// A bitstream for an offered board, as a client sent it, and what does something with it.
#pragma once

#include <functional>
#include <stop_token>
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

// Puts a bitstream on a board, telling each step; throws Error. Asked to stop, it puts back what was there.
using Flasher = std::function<void(const FlashJob& job, const std::function<void(const std::string&)>& step,
                                   const std::stop_token& stop)>;

}  // namespace vantage::boards
