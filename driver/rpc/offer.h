// A device that a server offers: a kind of simulator, of which every session gets one of its own, or a board that all
// share.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "driver/device/kind.h"
#include "driver/rpc/fair_queue.h"

namespace vantage::rpc {

// A bitstream for an offered board, as a client sent it.
struct FlashJob {
  std::string name;  // for logs and records
  std::string bitstream;
  std::string config_json;
  std::string register_map;
  double clock_mhz = 0;  // 0: the configuration's
  bool force = false;    // though nothing verifies it
};

struct Offer {
  Offer(std::string n, const driver::AcceleratorKind& k, std::optional<isa::Config> c, size_t at_once)
      : name(std::move(n)), kind(k), config(std::move(c)), runs_at_once(at_once), queue(at_once) {}

  const std::string name;  // in a client's URI: "fsim"
  const driver::AcceleratorKind kind;
  const std::optional<isa::Config> config;  // the only one that it is offered in; none: a session's own
  const size_t runs_at_once;
  // Puts a bitstream on the board, telling each step; throws Error. Empty: clients may not, or there is no board.
  std::function<void(const FlashJob& job, const std::function<void(const std::string&)>& step)> flash;
  FairQueue queue;
  std::atomic<uint32_t> sessions = 0;
};

}  // namespace vantage::rpc
