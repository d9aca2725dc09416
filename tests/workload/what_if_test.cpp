// Cores and memories with more of something.
#include "workload/what_if.h"

#include "base/json.h"
#include "tests/catch.h"

namespace vantage::test::workload_what_if_test {

using namespace vantage;

TEST_CASE("cores have twice as much of something, where there are such cores", "[unit]") {
  const isa::Config config = isa::Config::vta_default();
  const auto& changes = workload::core_changes();
  REQUIRE(changes.size() == 3);
  CHECK(workload::changed(config, changes[0]).bus_width().count() == 2 * config.bus_width().count());
  CHECK(workload::changed(config, changes[2]).block_out() == 2 * config.block_out());
  CHECK_THROWS_WITH(workload::changed(config, changes[1]), ContainsSubstring("such a core: a micro-op needs"));
}

TEST_CASE("memories are faster, where they can be", "[unit]") {
  MemoryTiming memory;
  memory.read_latency = Cycles(65);
  memory.write_latency = Cycles(1);
  memory.rate = {1, 2};
  memory.banks.emplace();
  memory.banks->activate = Cycles(14);
  auto changes = workload::memory_changes(memory);
  REQUIRE(changes.size() == 2);
  CHECK(changes[0].memory->read_latency == Cycles(33));
  CHECK(changes[0].memory->write_latency == Cycles(1));
  CHECK(changes[0].memory->banks->activate == Cycles(7));
  CHECK(changes[0].memory->rate == memory.rate);
  CHECK(changes[1].memory->rate.bytes == 0);
  CHECK(changes[1].memory->read_latency == memory.read_latency);
  memory = {};
  memory.read_latency = memory.write_latency = Cycles(1);
  changes = workload::memory_changes(memory);
  CHECK_FALSE(changes[0].memory);
  CHECK(changes[0].impossible == "the memory answers in a cycle");
  CHECK_FALSE(changes[1].memory);
}

}  // namespace vantage::test::workload_what_if_test
