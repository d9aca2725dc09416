// What the vector engine does while the first sums wait: only the order changes, and only of what may change places.
#include "compiler/backend/vta/finishing/fill_waits.h"

#include <algorithm>

#include "compiler/backend/vta/lower.h"
#include "compiler/ops/conv2d/vta_layer.h"
#include "tests/catch.h"
#include "tests/compiler/backend/vta/random_layer.h"
#include "tests/support/effort.h"

namespace vantage::test::vta_finishing_fill_waits_test {

using namespace vantage;
using namespace vantage::vta;

namespace {

// Each operation of a list by itself, with a number that tells it from all others.
OperationList numbered(OperationList list) {
  for (size_t i = 0; i < list.operations.size(); ++i) {
    list.operations[i].accesses.push_back({Access::Space::kTensor, 0, i, i, false});
  }
  return list;
}
size_t number(const Operation& operation) {
  return operation.accesses.back().begin;
}

}  // namespace

TEST_CASE("filling waits changes the order alone, and none of what depends on each other", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  size_t moved = 0;
  for (int round = 0; round < test::rounds(60); ++round) {
    const test::RandomLayer r = test::random_layer(random, test::random_byte_config(random));
    OperationList list =
        emit(passes::run_passes(ops::schedule_layer(r.layer, r.config), pass_list(r.config)), r.config);
    list.fills_waits = true;
    const OperationList before = numbered(std::move(list)), after = fill_waits(before);
    std::vector<size_t> places(before.operations.size(), SIZE_MAX);
    REQUIRE(after.operations.size() == before.operations.size());
    for (size_t i = 0; i < after.operations.size(); ++i) places.at(number(after.operations[i])) = i;
    REQUIRE(std::count(places.begin(), places.end(), SIZE_MAX) == 0);
    for (size_t i = 0; i < places.size(); ++i) {
      if (places[i] != i) ++moved;
      for (size_t j = i + 1; j < std::min(places.size(), i + 64); ++j) {
        if (places[i] < places[j]) continue;
        INFO(to_text(before));
        CHECK_FALSE(conflict(before.operations[i], before.operations[j]));
        // Of a stage's own order nothing changes but that of the compute stage.
        CHECK(isa::stage(before.operations[j].insn) == isa::Stage::kCompute);
      }
    }
  }
  CHECK(moved > 0);
}

TEST_CASE("a reset stands before sums whose operands are still to come, in another half", "[unit]") {
  OperationList list{isa::Config::vta_default()};
  list.fills_waits = true;
  list.kernels = {{"gemm", {{0, 0, 0}}}, {"gemm.reset", {{1024, 0, 0}}}, {"gemm.reset", {{0, 0, 0}}}};
  isa::Load load;
  load.transfer.memory = isa::Memory::kInp;
  load.transfer.y_size = 1;
  load.transfer.x_size = load.transfer.x_stride = 64;
  isa::Gemm gemm, reset;
  gemm.loop.iter_out = reset.loop.iter_out = 1;
  gemm.loop.iter_in = reset.loop.iter_in = 32;
  reset.reset = true;
  using enum Access::Space;
  const Operation loads{.insn = load, .accesses = {{kInp, 0, 0, 64, true}, {kTensor, 0, 0, 1024, false}}};
  const Operation sums{.insn = gemm, .kernel = 0, .accesses = {{kAcc, 0, 0, 32, true}, {kInp, 0, 0, 64, false}}};
  const Operation other{.insn = reset, .kernel = 1, .accesses = {{kAcc, 0, 1024, 1056, true}}};
  const Operation same{.insn = reset, .kernel = 2, .accesses = {{kAcc, 0, 0, 32, true}}};
  const auto kernels = [&](std::vector<Operation> operations) {
    list.operations = std::move(operations);
    std::vector<int> order;
    for (const Operation& o : fill_waits(list).operations) order.push_back(o.kernel ? static_cast<int>(*o.kernel) : -1);
    return order;
  };
  CHECK(kernels({loads, sums, other}) == std::vector{-1, 1, 0});
  CHECK(kernels({loads, sums, same, other}) == std::vector{-1, 1, 0, 2});  // one that clears them stays behind
  CHECK(kernels({other, other, sums, other}) == std::vector{1, 1, 0, 1});  // so does one that would hold sums up
  list.fills_waits = false;
  CHECK(kernels({loads, sums, other}) == std::vector{-1, 0, 1});
}

}  // namespace vantage::test::vta_finishing_fill_waits_test
