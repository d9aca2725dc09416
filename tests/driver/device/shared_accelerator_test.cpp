#include "driver/device/shared_accelerator.h"

#include <thread>

#include "base/json.h"
#include "driver/open/open.h"
#include "hw/program/assembly.h"
#include "tests/catch.h"
#include "tests/support/random_config.h"

namespace vantage::test::driver_device_shared_accelerator_test {

using namespace vantage;
using namespace vantage::driver;

namespace {

const isa::Config kConfig = isa::Config::vta_default();

SharedAccelerator::Open simulator(int* opened = nullptr) {
  return [opened](const isa::Config& config, const AcceleratorOptions&) {
    if (opened != nullptr) ++*opened;
    AcceleratorOptions options;
    options.dram = Bytes(1 << 20);
    return open_accelerator("fsim:", config, options);
  };
}

Program program(const std::string& lines) {
  return assemble(
      ".config " + kConfig.to_json().dump() + "\n.tensor in acc 2 input\n.tensor out out 2 output\n" + lines, "test");
}

const char* const kCopy =
    "load.acc sram=0 dram=in+0 y=1 x=2 stride=2 push=next\n"
    "store.out sram=0 dram=out+0 y=1 x=2 stride=2 pop=prev push=prev\n"
    "finish pop=next\n";

// A client with the tensors of program().
struct Client {
  explicit Client(SharedAccelerator& shared)
      : device(shared.client(kConfig, {})), in(device->allocate(Bytes(128))), out(device->allocate(Bytes(32))) {}

  std::unique_ptr<LoadedProgram> load(const std::string& lines) {
    return device->load(program(lines), {{"in", &in}, {"out", &out}});
  }
  std::vector<std::byte> output() const {
    std::vector<std::byte> bytes(32);
    out.read(bytes);
    return bytes;
  }

  std::unique_ptr<Accelerator> device;
  Buffer in, out;
};

std::vector<std::byte> bytes_of(int value, size_t size) {
  return std::vector<std::byte>(size, static_cast<std::byte>(value));
}

}  // namespace

TEST_CASE("clients of one device see only what is theirs", "[unit]") {
  SharedAccelerator shared(simulator());
  Client a(shared), b(shared);
  a.in.write(bytes_of(7, 128));
  std::vector<std::byte> bytes(128);
  CHECK_THAT(ERROR_OF(b.device->read(a.in.address(), bytes)), ContainsSubstring("in none of this client's buffers"));
  CHECK_THAT(ERROR_OF(b.device->write(a.in.address(), bytes)), ContainsSubstring("in none of this client's buffers"));
  CHECK_THAT(ERROR_OF(a.device->read(a.in.address() + Bytes(1), bytes)), ContainsSubstring("128 bytes at"));
  CHECK_THAT(ERROR_OF(b.device->run({a.in.address(), 1}, {})), ContainsSubstring("it runs programs that were loaded"));
  CHECK_THAT(ERROR_OF(b.load("load.acc sram=0 dram=64 y=1 x=1 stride=1\nfinish\n")),
             ContainsSubstring("it names a fixed place in memory"));

  // Memory that was another's is zero for its next owner.
  const Bytes address = a.in.address();
  { const Buffer released = std::move(a.in); }
  const Buffer next = b.device->allocate(Bytes(128));
  CHECK(next.address() == address);
  next.read(bytes);
  CHECK(bytes == bytes_of(0, 128));
}

TEST_CASE("scratchpads carry over between a client's runs, not to another's", "[unit]") {
  SharedAccelerator shared(simulator());
  Client a(shared), b(shared);
  a.in.write(bytes_of(7, 128));
  // Stores what the run before left in the accumulators.
  const char* const kStore =
      "alu.add uop=0:1 out=1 in=1 dst=0,0 src=0,0 imm=0 push=next\n"
      "store.out sram=0 dram=out+0 y=1 x=2 stride=2 pop=prev push=prev\nfinish pop=next\n";
  const auto copy = a.load(kCopy), store = a.load(kStore);
  REQUIRE(copy->run().ok());
  a.out.write(bytes_of(1, 32));
  CHECK(store->run().warnings.empty());
  CHECK(a.output() == bytes_of(7, 32));

  const auto spy = b.load(kStore);
  REQUIRE(spy->run().ok());
  CHECK(b.output() == bytes_of(0, 32));
  const auto result = store->run();
  REQUIRE(result.warnings.size() == 1);
  CHECK_THAT(result.warnings[0], ContainsSubstring("others ran on this device since the last run"));
  CHECK(a.output() == bytes_of(0, 32));

  REQUIRE(copy->run().ok());
  a.device->clear_scratchpads();
  CHECK(store->run().warnings.empty());  // it was this client's own wish
  CHECK(a.output() == bytes_of(0, 32));
  a.device->reset();
  std::vector<std::byte> bytes(128);
  a.in.read(bytes);
  CHECK(bytes == bytes_of(0, 128));
}

TEST_CASE("a device is opened for its first client and closed with its last", "[unit]") {
  int opened = 0;
  SharedAccelerator shared(simulator(&opened));
  int alone = 0;
  shared.alone([&] { ++alone; });
  {
    const Client a(shared), b(shared);
    CHECK(opened == 1);
    CHECK_THAT(ERROR_OF(shared.alone([&] { ++alone; })), ContainsSubstring("in use by 2 sessions"));
    CHECK_THAT(ERROR_OF(shared.client(test::shipped_config("8x8"), {})),
               ContainsSubstring("in use with configuration 1x16_i8w8a32_15_15_18_17"));
  }
  shared.alone([&] { ++alone; });
  CHECK(alone == 2);
  CHECK(shared.client(test::shipped_config("8x8"), {})->config() == test::shipped_config("8x8"));
  CHECK(opened == 2);
}

TEST_CASE("a client that is about to end is waited for", "[unit]") {
  SharedAccelerator shared(simulator());
  auto client = std::make_unique<Client>(shared);
  std::jthread ends([&client] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    client.reset();
  });
  bool alone = false;
  shared.alone([&] { alone = true; });
  CHECK(alone);
}

TEST_CASE("a lock is given in the order in which it was asked for", "[unit]") {
  FairMutex mutex;
  std::string order;
  std::vector<std::jthread> threads;
  mutex.lock();
  for (const char name : {'a', 'b', 'c'}) {
    const uint64_t before = mutex.users();
    threads.emplace_back([&mutex, &order, name] {
      const std::lock_guard lock(mutex);
      order += name;
    });
    while (mutex.users() == before) std::this_thread::yield();
  }
  mutex.unlock();
  mutex.lock();  // after all of them
  CHECK(order == "abc");
  mutex.unlock();
}

TEST_CASE("a program that is loaded leaves another client's scratchpads alone", "[unit]") {
  SharedAccelerator shared(simulator());
  Client a(shared), b(shared);
  a.in.write(bytes_of(7, 128));
  const auto copy = a.load(kCopy);
  const auto store = a.load(
      "alu.add uop=0:1 out=1 in=1 dst=0,0 src=0,0 imm=0 push=next\n"
      "store.out sram=0 dram=out+0 y=1 x=2 stride=2 pop=prev push=prev\nfinish pop=next\n");
  REQUIRE(copy->run().ok());
  a.out.write(bytes_of(1, 32));
  const auto loaded = b.load(kCopy);
  CHECK(store->run().warnings.empty());
  CHECK(a.output() == bytes_of(7, 32));
}

TEST_CASE("clients in several threads take turns", "[unit]") {
  SharedAccelerator shared(simulator());
  std::vector<std::jthread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&shared, &wrong, t] {
      Client client(shared);
      const auto copy = client.load(kCopy);
      for (int i = 0; i < 50; ++i) {
        client.in.write(bytes_of(t * 50 + i, 128));
        if (!copy->run().ok() || client.output() != bytes_of(t * 50 + i, 32)) ++wrong;
      }
    });
  }
  threads.clear();
  CHECK(wrong == 0);
}

}  // namespace vantage::test::driver_device_shared_accelerator_test
