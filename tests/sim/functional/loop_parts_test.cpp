#include "sim/functional/loop_parts.h"

#include <vector>

#include "tests/catch.h"

namespace vantage::test::sim_functional_loop_parts_test {

using namespace vantage;
using sim::LoopPart;

namespace {

isa::Loop loop(uint32_t uops, uint32_t out, uint32_t in) {
  isa::Loop l;
  l.uop_end = uops;
  l.iter_out = out;
  l.iter_in = in;
  return l;
}

}  // namespace

TEST_CASE("the parts of a loop nest are all of it, in order", "[unit]") {
  for (const isa::Loop& l : {loop(1, 1, 1), loop(3, 100, 7), loop(1, 3, 10'000), loop(4095, 5, 3), loop(4097, 3, 4),
                             loop(16, 300, 256), loop(1, 9000, 1), loop(2, 2, 2048)}) {
    uint64_t next = 0, largest = 0;
    const uint64_t done = sim::for_each_part(l, {}, [&](const LoopPart& part) {
      uint64_t iterations = 0;
      for (uint64_t out = part.out_begin; out < part.out_end; ++out) {
        for (uint64_t in = part.in_begin; in < part.in_end; ++in, ++iterations) CHECK(out * l.iter_in + in == next++);
      }
      largest = std::max(largest, iterations * (l.uop_end - l.uop_bgn));
    });
    CHECK(next == uint64_t{l.iter_out} * l.iter_in);
    CHECK(done == l.steps());
    CHECK(largest <= std::max<uint64_t>(sim::kPartSteps, l.uop_end));
  }
}

TEST_CASE("a loop nest without steps has no parts", "[unit]") {
  for (const isa::Loop& l : {loop(0, 16383, 16383), loop(1, 0, 5), loop(1, 5, 0)}) {
    CHECK(sim::for_each_part(l, {}, [](const LoopPart&) { FAIL("a part"); }) == 0);
  }
}

TEST_CASE("a loop nest is stopped between two parts, and what ran is counted", "[unit]") {
  std::stop_source stop;
  int parts = 0;
  const uint64_t done = sim::for_each_part(loop(1, 16383, 16383), stop.get_token(), [&](const LoopPart&) {
    if (++parts == 3) stop.request_stop();
  });
  CHECK(parts == 3);
  CHECK(done == 3 * sim::kPartSteps);
}

}  // namespace vantage::test::sim_functional_loop_parts_test
