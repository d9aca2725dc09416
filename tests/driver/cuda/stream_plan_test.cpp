// Plans of streams keep the order that calls need, and let those run side by side that need no order.
#include "driver/cuda/stream_plan.h"

#include <algorithm>
#include <random>

#include "tests/catch.h"
#include "tests/support/effort.h"

namespace vantage::test::driver_cuda_stream_plan_test {

using namespace vantage;
using driver::PlannedCall;
using driver::StreamPlan;

namespace {

// Of each call, which calls are over when it begins: those before it on its stream, those it waits for, and what was
// over when these began.
std::vector<std::vector<bool>> over_before(const StreamPlan& plan) {
  std::vector<std::vector<bool>> over(plan.calls.size(), std::vector<bool>(plan.calls.size()));
  const auto add = [&](size_t call, size_t earlier) {
    over[call][earlier] = true;
    for (size_t i = 0; i < earlier; ++i) over[call][i] = over[call][i] || over[earlier][i];
  };
  for (size_t call = 0; call < plan.calls.size(); ++call) {
    for (size_t earlier = 0; earlier < call; ++earlier) {
      if (plan.calls[earlier].stream == plan.calls[call].stream) add(call, earlier);
    }
    for (const size_t awaited : plan.calls[call].waits) {
      REQUIRE(awaited < call);
      add(call, awaited);
    }
  }
  return over;
}

std::vector<size_t> streams_of(const StreamPlan& plan) {
  std::vector<size_t> streams;
  for (const StreamPlan::Call& call : plan.calls) streams.push_back(call.stream);
  return streams;
}

}  // namespace

TEST_CASE("calls that need each other share a stream, and others do not", "[unit]") {
  const StreamPlan chain = driver::plan_streams({{{}}, {{0}}, {{1}}, {{2}}}, 4);
  CHECK(chain.streams == 1);
  CHECK(chain.ends.empty());

  // Of two branches the first goes on where it began, and what joins them waits for the second.
  const StreamPlan diamond = driver::plan_streams({{{}}, {{0}}, {{0}}, {{1}}, {{3, 2}}}, 4);
  CHECK(streams_of(diamond) == std::vector<size_t>{0, 0, 1, 0, 0});
  CHECK(diamond.calls[2].waits == std::vector<size_t>{0});
  CHECK(diamond.calls[4].waits == std::vector<size_t>{2});
  CHECK(diamond.ends.empty());

  const StreamPlan apart = driver::plan_streams(std::vector<PlannedCall>(3), 2);
  CHECK(streams_of(apart) == std::vector<size_t>{0, 1, 0});
  CHECK(apart.ends == std::vector<size_t>{1});

  // The second branch of a later pair takes the stream that an earlier one has left.
  const StreamPlan pairs = driver::plan_streams({{{}}, {{0}}, {{0}}, {{1, 2}}, {{3}}, {{3}}, {{4, 5}}}, 4);
  CHECK(pairs.streams == 2);
}

TEST_CASE("a call that is bound to the first stream stays there", "[unit]") {
  const StreamPlan plan = driver::plan_streams({{{}}, {{}}, {{1}, true}, {{1}}}, 4);
  CHECK(streams_of(plan) == std::vector<size_t>{0, 1, 0, 1});
  CHECK(plan.calls[2].waits == std::vector<size_t>{1});
}

TEST_CASE("random plans keep every order, and wait for nothing twice", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  for (int round = 0; round < test::rounds(200); ++round) {
    std::vector<PlannedCall> calls(random() % 30);
    for (size_t i = 1; i < calls.size(); ++i) {
      for (uint64_t needed = random() % 4; needed > 0; --needed) {
        const size_t earlier = i - 1 - random() % std::min<size_t>(i, 6);
        if (std::ranges::count(calls[i].after, earlier) == 0) calls[i].after.push_back(earlier);
      }
      calls[i].is_on_first = random() % 10 == 0;
    }
    const size_t most = 1 + random() % 4;
    const StreamPlan plan = driver::plan_streams(calls, most);
    REQUIRE(plan.calls.size() == calls.size());
    CHECK(plan.streams <= most);
    const auto over = over_before(plan);
    for (size_t i = 0; i < calls.size(); ++i) {
      CHECK(plan.calls[i].stream < plan.streams);
      if (calls[i].is_on_first) CHECK(plan.calls[i].stream == 0);
      for (const size_t needed : calls[i].after) CHECK(over[i][needed]);
      StreamPlan without = plan;
      for (const size_t awaited : plan.calls[i].waits) {
        std::erase(without.calls[i].waits, awaited);
        CHECK_FALSE(over_before(without)[i][awaited]);
        without.calls[i].waits = plan.calls[i].waits;
      }
    }
    // All are over at the end of the first stream.
    StreamPlan ended = plan;
    ended.calls.push_back({0, plan.ends});
    const std::vector<bool> last = over_before(ended).back();
    CHECK(std::count(last.begin(), last.end(), true) == static_cast<ptrdiff_t>(calls.size()));
  }
}

}  // namespace vantage::test::driver_cuda_stream_plan_test
