// Clients that mean harm, or have bad luck: refused with a reason, and no other client notices.
#include <thread>

#include "base/json.h"
#include "tests/catch.h"
#include "tests/driver/rpc/bystander.h"

namespace vantage::test::driver_rpc_hostile_test {

using namespace vantage;
using namespace vantage::test;

namespace {

const isa::Config kConfig = isa::Config::vta_default();

std::string refusal(driver::Accelerator& device, const std::string& instructions) {
  auto in = device.allocate(Bytes(128)), out = device.allocate(Bytes(32));
  return ERROR_OF(device.load(small_program(instructions), {{"in", &in}, {"out", &out}}));
}

// Steps for minutes, in a single instruction.
std::string long_program() {
  return "gemm uop=0:32 out=16383 in=16383 dst=0,0 src=0,0 wgt=0,0\nfinish\n";
}

}  // namespace

TEST_CASE("a program that reaches outside of its buffers is refused", "[unit]") {
  const TestServer server;
  Bystander bystander(server);
  const auto device = server.open();
  CHECK_THAT(refusal(*device, "load.acc sram=0 dram=in+1 y=1 x=2 stride=2\nfinish\n"), ContainsSubstring("in"));
  CHECK_THAT(refusal(*device, "load.acc sram=0 dram=64 y=1 x=2 stride=2\nfinish\n"),
             ContainsSubstring("it names a fixed place in memory, expected one in a tensor of the program's"));
  CHECK_THAT(refusal(*device, "load.acc sram=0 dram=in+0 y=1 x=2 stride=2 pop=prev\nfinish\n"),
             ContainsSubstring("deadlock"));
  // Memory of its own, and no more than that
  std::vector<std::byte> bytes(16);
  CHECK_THAT(ERROR_OF(device->write(device->memory_size(), bytes)), ContainsSubstring("memory"));
  CHECK_THAT(ERROR_OF(device->read(Bytes(UINT64_MAX - 4), bytes)), ContainsSubstring("memory"));
  CHECK_THAT(ERROR_OF(device->allocate(Bytes(UINT64_MAX))), ContainsSubstring("that this server gives to one"));
  CHECK_THAT(ERROR_OF(device->run({Bytes(0), UINT64_MAX}, {})), ContainsSubstring("instructions are more than"));
  CHECK(server.logged("refused"));
  CHECK(bystander.works());
}

TEST_CASE("a program that never ends is stopped, and its client told why", "[unit]") {
  const TestServer server({"fsim"}, [](rpc::ServerOptions& o) { o.limits.run_seconds = 0.1; });
  Bystander bystander(server);
  const auto device = server.open();
  auto in = device->allocate(Bytes(128)), out = device->allocate(Bytes(32));
  const auto endless = device->load(small_program(long_program()), {{"in", &in}, {"out", &out}});
  const std::string too_long = "the run took longer than the 0.1 seconds that this server gives to one";
  CHECK_THAT(ERROR_OF(endless->run()), ContainsSubstring(too_long));
  CHECK_THAT(ERROR_OF(endless->time()), ContainsSubstring(too_long));
  CHECK(bystander.works());
}

TEST_CASE("a session has so much time for all of its runs", "[unit]") {
  const TestServer server({"fsim"}, [](rpc::ServerOptions& o) { o.limits.session_seconds = 0.1; });
  Bystander bystander(server);
  const auto device = server.open();
  auto in = device->allocate(Bytes(128)), out = device->allocate(Bytes(32));
  const auto endless = device->load(small_program(long_program()), {{"in", &in}, {"out", &out}});
  CHECK_THAT(ERROR_OF(endless->run()), ContainsSubstring("seconds that its session had left"));
  CHECK_THAT(ERROR_OF(endless->run()), ContainsSubstring("the session's 0.1 seconds of loads and runs are used up"));
  CHECK(bystander.works());
}

TEST_CASE("a client hears what its server has to say of it", "[unit]") {
  const TestServer server;
  std::mutex mutex;
  std::string heard;
  driver::AcceleratorOptions options;
  options.log = [&](const std::string& line) {
    const std::lock_guard lock(mutex);
    heard += line + "\n";
  };
  const auto device = driver::open_accelerator(server.uri(), kConfig, options);
  auto in = device->allocate(Bytes(128)), out = device->allocate(Bytes(32));
  const auto leftover = device->load(small_program("load.acc sram=0 dram=in+0 y=1 x=2 stride=2 push=next\nfinish\n"),
                                     {{"in", &in}, {"out", &out}});
  CHECK(leftover->run().ok());
  std::vector<std::byte> bytes(4);
  CHECK_FALSE(ERROR_OF(device->write(device->memory_size(), bytes)).empty());
  CHECK(eventually([&] {
    const std::lock_guard lock(mutex);
    return heard.find("warning: tokens are left over") != std::string::npos &&
           heard.find("Write refused: ") != std::string::npos;
  }));
}

TEST_CASE("a run is stopped from the client's side", "[unit]") {
  const TestServer server;
  const auto device = server.open();
  auto in = device->allocate(Bytes(128)), out = device->allocate(Bytes(32));
  const auto endless = device->load(small_program(long_program()), {{"in", &in}, {"out", &out}});
  std::stop_source stop;
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    stop.request_stop();
  });
  driver::RunOptions options;
  options.stop = stop.get_token();
  CHECK(endless->run(options).status == sim::RunStatus::kStopped);
  later.join();
  stop = std::stop_source();
  options.stop = stop.get_token();
  std::thread again([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    stop.request_stop();
  });
  CHECK_THAT(ERROR_OF(endless->time({}, options)), ContainsSubstring("a run that was to be timed ended with stopped"));
  again.join();
  // The server has ended it too
  const auto copy = device->load(copy_program(), {{"in", &in}, {"out", &out}});
  CHECK(copy->run().ok());
}

TEST_CASE("what a client held is free again when it vanishes in the middle of a run", "[unit]") {
  TestServer server({"fsim"}, [](rpc::ServerOptions& o) { o.limits.sessions = 2; });
  Bystander bystander(server);
  {
    rpc::Connection connection{driver::ServerAddress(server.uri())};
    const auto context = connection.context();
    const auto stream = connection.stub().Attach(context.get(), v1::AttachRequest());
    v1::SessionEvent event;
    REQUIRE(stream->Read(&event));
    CHECK_THAT(ERROR_OF(server.open()), ContainsSubstring("all 2 sessions of this server are taken"));
    context->TryCancel();
    stream->Finish();
  }
  CHECK(eventually([&] { return server.sessions() == 1; }));
  CHECK(server.open()->memory_size() == Bytes(uint64_t{1} << 30));
  CHECK(bystander.works());
}

TEST_CASE("a session is over when its server stops, and says so", "[unit]") {
  TestServer server;
  const auto device = server.open();
  server.server().stop();
  std::vector<std::byte> bytes(4);
  CHECK_THAT(ERROR_OF(device->read(Bytes(0), bytes)), ContainsSubstring("the session is over") ||
                                                          ContainsSubstring("no server answers") ||
                                                          ContainsSubstring("there is no such session"));
}

TEST_CASE("calls outside of a session, and to nothing, are refused", "[unit]") {
  const TestServer server;
  rpc::Connection connection{driver::ServerAddress(server.uri())};
  CHECK_THAT(ERROR_OF(connection.call(&v1::Devices::Stub::Reset, v1::ResetRequest())),
             ContainsSubstring("there is no such session"));
  const auto device = server.open();
  const std::string key = "00000000000000000000000000000000";
  connection.set_session(key);
  CHECK_THAT(ERROR_OF(connection.call(&v1::Devices::Stub::Reset, v1::ResetRequest())),
             ContainsSubstring("there is no such session"));
  v1::AttachRequest bad;
  Json config = kConfig.to_json();
  config["LOG_BLOCK"] = 99;
  bad.set_config_json(config.dump());
  const auto context = connection.context();
  const auto stream = connection.stub().Attach(context.get(), bad);
  v1::SessionEvent event;
  CHECK_FALSE(stream->Read(&event));
  CHECK_THAT(stream->Finish().error_message(), ContainsSubstring("LOG_BLOCK"));
}

TEST_CASE("messages that are too large or no messages do not reach the service", "[unit]") {
  const TestServer server;
  Bystander bystander(server);
  rpc::Connection connection{driver::ServerAddress(server.uri())};
  v1::LoadRequest large;
  large.mutable_program()->resize(size_t{65} << 20);
  CHECK_THAT(ERROR_OF(connection.call(&v1::Devices::Stub::Load, large)), ContainsSubstring("larger than max"));
  // Bytes that are no protocol buffer
  for (const char* method : {"Allocate", "Load", "Launch", "Attach", "NoSuchCall"}) {
    const std::string path = std::string("/vantage.v1.Devices/") + method;
    CHECK_FALSE(call_with_bytes(server, path, "\xff\xff\xff\xff garbage").status.ok());
  }
  CHECK(bystander.works());
}

}  // namespace vantage::test::driver_rpc_hostile_test
