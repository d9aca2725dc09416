#include "driver/runtime/replay.h"

#include "base/file.h"
#include "base/json.h"
#include "driver/open/open.h"
#include "driver/runtime/recorder.h"
#include "hw/program/assembly.h"
#include "tests/catch.h"

namespace vantage::test::driver_runtime_replay_test {

using namespace vantage;
using driver::Accelerator;

namespace {

const isa::Config kConfig = isa::Config::vta_default();

Bundle recorded(const std::string& memory = "acc") {
  const Program program = assemble(".config " + kConfig.to_json().dump() + "\n.tensor in " + memory +
                                       " 2 input\n.tensor out out 2 output\n"
                                       "load." +
                                       memory +
                                       " sram=0 dram=in+0 y=1 x=2 stride=2 push=next\n"
                                       "store.out sram=0 dram=out+0 y=1 x=2 stride=2 pop=prev push=prev\n"
                                       "finish pop=next\n",
                                   "copy");
  const auto device = driver::open_accelerator("fsim:", kConfig);
  auto in = device->allocate(Bytes(128));
  auto out = device->allocate(Bytes(32));
  in.write(std::vector<std::byte>(128, std::byte{3}));
  const auto loaded = device->load(program, {{"in", &in}, {"out", &out}});
  auto run = driver::run_and_record(*device, *loaded, "copy");
  REQUIRE(run.result.ok());
  return run.bundle;
}

}  // namespace

TEST_CASE("what was recorded replays", "[unit]") {
  const auto device = driver::open_accelerator("fsim:", kConfig);
  const auto result = driver::replay(*device, recorded());
  INFO(result.mismatch.value_or(""));
  CHECK(result.ok());
}

TEST_CASE("a mismatch names address, element, expected and got", "[unit]") {
  const auto device = driver::open_accelerator("fsim:", kConfig);
  Bundle bundle = recorded();
  const uint64_t address = bundle.expect[0].address.count();
  bundle.expect[0].bytes[17] = 9;
  CHECK(driver::replay(*device, bundle).mismatch ==
        fmt::format("first mismatch at address 0x{:x} (element 1 byte 1 of the tensor at 0x{:x}): expected 9, got 3",
                    address + 17, address));
}

TEST_CASE("a counter that differs fails the replay, one that does not exist is an error", "[unit]") {
  const auto device = driver::open_accelerator("fsim:", kConfig);
  Bundle bundle = recorded();
  bundle.counters["alu_counter"] = 5;
  CHECK(driver::replay(*device, bundle).mismatch == "alu_counter: expected 5, got 0");
  bundle.counters = {{"alu_count", 0}};
  CHECK_THAT(ERROR_OF(driver::replay(*device, bundle)), ContainsSubstring("did you mean 'alu_counter'?"));
}

TEST_CASE("the byte count of 8-bit accumulator loads is not compared with another recorder's", "[unit]") {
  const auto device = driver::open_accelerator("fsim:", kConfig);
  Bundle acc8 = recorded("acc8");
  acc8.counters["acc_load_nbytes"] *= 4;
  CHECK(driver::replay(*device, acc8).ok());
  Bundle acc = recorded("acc");
  acc.counters["acc_load_nbytes"] *= 4;
  CHECK_FALSE(driver::replay(*device, acc).ok());
}

TEST_CASE("a replay starts from zeroed scratchpads and memory, whatever ran before", "[unit]") {
  const auto device = driver::open_accelerator("fsim:", kConfig);
  device->write(Bytes(0), std::vector<std::byte>(1 << 20, std::byte{0xff}));
  CHECK(driver::replay(*device, recorded()).ok());
  Bundle nothing_stored = recorded();
  nothing_stored.expect = {{Bytes(100), std::string(8, '\0')}};
  device->write(Bytes(100), std::vector<std::byte>(8, std::byte{1}));
  CHECK(driver::replay(*device, nothing_stored).ok());
}

}  // namespace vantage::test::driver_runtime_replay_test
