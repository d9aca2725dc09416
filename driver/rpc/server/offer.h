// A device that a server offers: a kind of simulator, of which every session gets one of its own, or a board that all
// share.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "driver/boards/flash_job.h"
#include "driver/device/kind.h"
#include "driver/rpc/server/fair_queue.h"
#include "driver/rpc/workspace/shared_process.h"

namespace vantage::rpc {

struct Offer {
  std::string name;    // in a client's URI: "fsim"
  std::string scheme;  // of its kind
  std::string meaning;
  std::optional<isa::Config> config;  // the only one that it is offered in; none: a session's own
  size_t runs_at_once = 1;
  // What a session begins with; throws.
  std::function<std::unique_ptr<Workspace>()> start;
  boards::Flasher flash = {};  // empty: clients may not, or there is no board
  bool takes_code = false;     // of its clients
};

// An offer, who waits for it, and who has it.
struct OfferedDevice {
  explicit OfferedDevice(Offer o) : offer(std::move(o)), queue(offer.runs_at_once) {}

  const Offer offer;
  FairQueue queue;
  std::atomic<uint32_t> sessions = 0;
};

// Every session has a device of this kind in the server's own process.
Offer offer_here(const driver::AcceleratorKind& kind, std::optional<isa::Config> config, size_t runs_at_once);
// All sessions have the one that is in this process.
Offer offer_shared(const driver::AcceleratorKind& kind, std::optional<isa::Config> config,
                   const std::shared_ptr<SharedProcess>& process, bool allow_flash);
// Every session has this machine's processor for code of its own, in a confined process of its own, which `program` is.
Offer offer_code(std::filesystem::path program, bool confined);
// Every session has one in a process of its own, which `program` (workspace_main.cpp) is.
Offer offer_in_processes(const driver::AcceleratorKind& kind, std::optional<isa::Config> config, size_t runs_at_once,
                         std::filesystem::path program);

}  // namespace vantage::rpc
