#include "driver/rpc/workspace/served_device.h"

#include "base/error.h"
#include "driver/boards/bitstream_store.h"
#include "driver/boards/served_flash.h"
#include "driver/open/local_kinds.h"

namespace vantage::rpc {

namespace {

driver::AcceleratorKind kind_of(const std::string& uri) {
  for (const driver::AcceleratorKind& kind : driver::local_accelerators()) {
    if (uri.starts_with(kind.scheme + ":")) return kind;
  }
  fail("there is no device '{}'", uri);
}

}  // namespace

ServedDevice::ServedDevice(SharedDevice device)
    : device_(std::move(device)),
      kind_(kind_of(device_.uri)),
      machine_(std::make_shared<boards::System>()),
      shared_([this, open = kind_.open](const isa::Config& wanted, const driver::AcceleratorOptions&) {
        driver::AcceleratorOptions options;  // not those of the client that happens to come first
        options.boards = device_.boards;
        options.machine = machine_;
        return open(device_.uri, wanted, options);
      }) {
  kind_.open = [this](const std::string&, const isa::Config& wanted, const driver::AcceleratorOptions& options) {
    return shared_.client(wanted, options);
  };
}

std::unique_ptr<Workspace> ServedDevice::start() {
  return std::make_unique<LocalWorkspace>(std::vector{kind_});
}

void ServedDevice::flash(const boards::FlashJob& job, const boards::Step& step, const std::stop_token& stop) {
  if (!device_.allow_flash) fail("this server does not flash");
  const boards::BitstreamStore store(device_.manifest, device_.bitstreams);
  const auto board = boards::board_of(*machine_, device_.boards, device_.uri);
  shared_.alone([&] {
    boards::flash_served(*machine_, store, device_.boards, board, job, device_.allow_unverified, step, stop);
  });
}

}  // namespace vantage::rpc
