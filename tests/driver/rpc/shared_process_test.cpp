// One device for all sessions, in a process of its own.
#include "driver/rpc/workspace/shared_process.h"

#include "driver/rpc/protocol/errors.h"
#include "tests/catch.h"
#include "tests/driver/rpc/bystander.h"

namespace vantage::test::driver_rpc_shared_process_test {

using namespace vantage;
using namespace vantage::test;

namespace {

const rpc::SharedDevice kDevice{.uri = "fsim:", .boards = "boards", .manifest = "manifest", .bitstreams = "bitstreams"};

}  // namespace

TEST_CASE("what the process of a shared device is started with is read back", "[unit]") {
  for (const bool flash : {false, true}) {
    for (const bool unverified : {false, flash}) {
      rpc::SharedDevice device = kDevice;
      device.allow_flash = flash;
      device.allow_unverified = unverified;
      const rpc::SharedDevice read = rpc::SharedDevice::parse(device.arguments());
      CHECK(read.arguments() == device.arguments());
      CHECK(read.allow_flash == flash);
      CHECK(read.allow_unverified == unverified);
    }
  }
}

TEST_CASE("sessions share a device that another process has", "[unit]") {
  const auto process = std::make_shared<rpc::SharedProcess>(VANTAGE_WORKSPACE, kDevice);
  const driver::AcceleratorKind kind = *driver::accelerator_kind_of("fsim:");
  const TestServer server(std::make_shared<rpc::Offer>(rpc::offer_shared(kind, std::nullopt, process, false)));
  Bystander first(server), second(server);
  for (int i = 0; i < 3; ++i) {
    CHECK(first.works());
    CHECK(second.works());
  }
  const auto device = server.open();
  // Others' memory is not to be seen, nor an image run
  std::vector<std::byte> bytes(16);
  CHECK_THAT(ERROR_OF(device->read(Bytes(0), bytes)), ContainsSubstring("in none of this client's buffers"));
  CHECK_THAT(ERROR_OF(device->run({Bytes(0), 0}, {})), ContainsSubstring("this device is shared"));
  CHECK_THAT(ERROR_OF(process->flash({}, nullptr, {})), ContainsSubstring("this server does not flash"));
  CHECK(first.works());
}

TEST_CASE("a shared device is open while it has sessions, with one configuration", "[unit]") {
  const auto process = std::make_shared<rpc::SharedProcess>(VANTAGE_WORKSPACE, kDevice);
  const driver::AcceleratorKind kind = *driver::accelerator_kind_of("fsim:");
  const TestServer server(std::make_shared<rpc::Offer>(rpc::offer_shared(kind, std::nullopt, process, false)));
  const isa::Config other = isa::Config::load(source_dir() / "configs/accelerators/8x8.json");
  {
    const Bystander first(server);
    CHECK_THAT(ERROR_OF(server.open(other)), ContainsSubstring("the device is in use with configuration"));
  }
  CHECK(eventually([&] { return server.sessions() == 0; }));
  CHECK(server.open(other)->config() == other);
}

}  // namespace vantage::test::driver_rpc_shared_process_test
