// What runs here runs on a server with one changed word.
#include <atomic>
#include <random>
#include <thread>

#include "base/file.h"
#include "base/sha256.h"
#include "driver/runtime/recorder.h"
#include "driver/runtime/replay.h"
#include "tests/catch.h"
#include "tests/driver/rpc/test_server.h"
#include "tests/support/differential.h"
#include "tests/support/random_program.h"

namespace vantage::test::driver_rpc_remote_test {

using namespace vantage;
using namespace vantage::test;

namespace {

const isa::Config kConfig = isa::Config::vta_default();

std::vector<std::byte> random_bytes(size_t size, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

std::vector<std::byte> read_all(const driver::Buffer& buffer) {
  std::vector<std::byte> bytes(buffer.size().count());
  buffer.read(bytes);
  return bytes;
}

}  // namespace

TEST_CASE("a program runs on a served device as on one here", "[unit]") {
  const TestServer server;
  const auto device = server.open();
  CHECK(device->uri() == server.uri());
  auto in = device->allocate(Bytes(128)), out = device->allocate(Bytes(32));
  const auto loaded = device->load(copy_program(), {{"in", &in}, {"out", &out}});
  CHECK(loaded->regions().size() == 4);
  for (int value : {5, -6}) {
    in.write(std::vector<std::byte>(128, static_cast<std::byte>(value)));
    const auto result = loaded->run();
    REQUIRE(result.ok());
    CHECK(result.counters.out_store_nbytes == 32);
    CHECK(read_all(out) == std::vector<std::byte>(32, static_cast<std::byte>(value)));
  }
  const auto timing = loaded->time({.number = 3, .repeat = 4, .min_ms = 0});
  CHECK(timing.samples.size() == 4);
  CHECK(timing.number == 3);
  CHECK(timing.min() > 0);
  CHECK_THAT(ERROR_OF(loaded->time({.number = 0, .repeat = 1, .min_ms = 0})), ContainsSubstring("number is 0"));
  device->reset();
  CHECK(read_all(out) == std::vector<std::byte>(32));
}

TEST_CASE("large buffers and constants travel whole", "[unit]") {
  const TestServer server;
  const auto device = server.open();
  const auto bytes = random_bytes(3'500'001, 1);
  auto buffer = device->allocate(Bytes(bytes.size()));
  buffer.write(bytes);
  CHECK(read_all(buffer) == bytes);
  auto constant = device->allocate(Bytes(bytes.size()));
  constant.write_constant(bytes);
  CHECK(read_all(constant) == bytes);
  CHECK(
      std::filesystem::exists(server.contents() / sha256({reinterpret_cast<const char*>(bytes.data()), bytes.size()})));
  // From the store this time
  auto again = server.open();
  auto copy = again->allocate(Bytes(bytes.size()));
  copy.write_constant(bytes);
  CHECK(read_all(copy) == bytes);
}

TEST_CASE("an upload that was cut off is resumed, and one of something else begun anew", "[unit]") {
  const TestServer server;
  const auto bytes = random_bytes(2'000'000, 2);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto half = server.contents() / (sha256(text) + ".part");
  for (const std::string& begun : {std::string(text.substr(0, 700'000)), std::string(700'000, 'x')}) {
    std::filesystem::remove(server.contents() / sha256(text));
    write_file(half, begun);
    const auto device = server.open();
    auto buffer = device->allocate(Bytes(bytes.size()));
    buffer.write_constant(bytes);
    CHECK(read_all(buffer) == bytes);
    CHECK_FALSE(std::filesystem::exists(half));
  }
}

TEST_CASE("random programs do on a server what they do here", "[property]") {
  const TestServer server({"fsim", "systemc", "published"});
  for (uint64_t seed = 0; seed < 12; ++seed) {
    const RandomProgram program = random_program(kConfig, seed, 30);
    Bundle bundle = bundle_of(program, "random", image_of(program).bytes);
    for (const std::string scheme : {"fsim", "systemc", "published"}) {
      const auto here = driver::open_accelerator(scheme + ":", kConfig);
      const auto there = driver::open_accelerator(server.uri(scheme), kConfig);
      driver::RunOptions options;
      options.record_retirement = true;
      bundle.expect.clear();
      const auto expected = driver::replay(*here, bundle, options);
      std::vector<std::byte> memory(RandomProgram::kDramBytes), got(RandomProgram::kDramBytes);
      here->read(Bytes(0), memory);
      const auto result = driver::replay(*there, bundle, options);
      there->read(Bytes(0), got);
      INFO("seed " << seed << " " << scheme);
      CHECK(got == memory);
      CHECK(result.run.status == expected.run.status);
      CHECK(result.run.message == expected.run.message);
      CHECK(result.run.warnings == expected.run.warnings);
      CHECK(result.run.counters == expected.run.counters);
      CHECK(result.run.activity == expected.run.activity);
      CHECK(result.run.cycles == expected.run.cycles);
      CHECK(result.run.host_cycles == expected.run.host_cycles);
      CHECK(result.run.stages.size() == expected.run.stages.size());
      CHECK(result.run.retired.size() == expected.run.retired.size());
      CHECK(there->micro_ops() == here->micro_ops());
    }
  }
}

TEST_CASE("what was recorded on a server replays here", "[unit]") {
  const TestServer server;
  const auto device = server.open();
  auto in = device->allocate(Bytes(128)), out = device->allocate(Bytes(32));
  in.write(random_bytes(128, 3));
  const auto loaded = device->load(copy_program(), {{"in", &in}, {"out", &out}});
  const auto recorded = driver::run_and_record(*device, *loaded, "remote");
  REQUIRE(recorded.result.ok());
  const auto replayed = driver::replay(*driver::open_accelerator("fsim:", kConfig), recorded.bundle);
  INFO(replayed.mismatch.value_or(""));
  CHECK(replayed.ok());
}

TEST_CASE("clients at the same time do not cross", "[unit]") {
  const TestServer server;
  std::atomic<int> right = 0;
  std::vector<std::thread> clients;
  for (int c = 0; c < 8; ++c) {
    clients.emplace_back([&, c] {
      const auto device = server.open();
      auto in = device->allocate(Bytes(128)), out = device->allocate(Bytes(32));
      const auto loaded = device->load(copy_program(), {{"in", &in}, {"out", &out}});
      for (int i = 0; i < 25; ++i) {
        const auto value = static_cast<std::byte>(c * 25 + i);
        in.write(std::vector<std::byte>(128, value));
        if (loaded->run().ok() && read_all(out) == std::vector<std::byte>(32, value)) ++right;
      }
    });
  }
  for (std::thread& client : clients) client.join();
  CHECK(right == 8 * 25);
  CHECK(eventually([&] { return server.sessions() == 0; }));
}

TEST_CASE("a session has the configuration that it asks for", "[unit]") {
  const TestServer server;
  const isa::Config other = isa::Config::load(source_dir() / "configs/accelerators/8x8.json");
  CHECK(server.open(other)->config() == other);
  const auto device = server.open(other);
  auto in = device->allocate(Bytes(128)), out = device->allocate(Bytes(32));
  const std::map<std::string, const driver::Buffer*> tensors = {{"in", &in}, {"out", &out}};
  CHECK_THAT(ERROR_OF(device->load(copy_program(), tensors)),
             ContainsSubstring("the program was made for configuration"));
}

TEST_CASE("a device of a server says what is wrong with its address", "[unit]") {
  for (const std::string& uri :
       {std::string("rpc://"), std::string("rpc://host"), std::string("rpc://:9091"), std::string("rpc://host:0"),
        std::string("rpc://host:port"), std::string("rpc://host:70000"), std::string("rpc:host:9091")}) {
    CHECK(ERROR_OF(driver::open_accelerator(uri, kConfig)) ==
          fmt::format("target '{}' is no address; expected rpc://HOST:PORT or rpc://HOST:PORT/DEVICE", uri));
  }
  const TestServer server({"fsim", "systemc"});
  CHECK(ERROR_OF(driver::open_accelerator(server.uri("fsin"), kConfig)) ==
        fmt::format("target '{}': the server has no device 'fsin'; did you mean 'fsim'?", server.uri("fsin")));
  const auto offered = rpc::list_devices(server.uri());
  REQUIRE(offered.size() == 2);
  CHECK(offered[1].name() == "systemc");
  CHECK(offered[1].runs_at_once() == 1);
}

}  // namespace vantage::test::driver_rpc_remote_test
