// A device that a server offers: a kind of simulator, of which every session gets one of its own.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "driver/device/kind.h"
#include "driver/rpc/fair_queue.h"

namespace vantage::rpc {

struct Offer {
  Offer(std::string n, const driver::AcceleratorKind& k, std::optional<spec::Config> c, size_t at_once)
      : name(std::move(n)), kind(k), config(std::move(c)), runs_at_once(at_once), queue(at_once) {}

  const std::string name;  // in a client's URI: "fsim"
  const driver::AcceleratorKind kind;
  const std::optional<spec::Config> config;  // the only one that it is offered in; none: a session's own
  const size_t runs_at_once;
  FairQueue queue;
  std::atomic<uint32_t> sessions = 0;
};

}  // namespace vantage::rpc
