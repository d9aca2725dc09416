#include "compiler/backend/vta/finishing/load_in_order_of_use.h"

#include <algorithm>
#include <random>
#include <vector>

#include "tests/catch.h"
#include "tests/support/effort.h"

namespace vantage::test::vta_finishing_load_in_order_of_use_test {

using namespace vantage;
using namespace vantage::vta;

namespace {

// What happens to the stretch [begin, end) of inputs or weights; `number` finds the operation again.
Operation load(uint32_t number, Access::Space space, uint64_t begin, uint64_t end) {
  isa::Load load;
  load.transfer.memory = space == Access::Space::kInp ? isa::Memory::kInp : isa::Memory::kWgt;
  return {.insn = load,
          .symbol = number,
          .accesses = {{space, 0, begin, end, true}, {Access::Space::kTensor, 0, begin, end, false}}};
}
Operation use(uint32_t number, Access::Space space, uint64_t begin, uint64_t end) {
  return {.insn = isa::Gemm{}, .symbol = number, .accesses = {{space, 0, begin, end, false}}};
}

}  // namespace

TEST_CASE("a load waits for its use, and no longer than for another load of the same elements", "[unit]") {
  const auto order = [](std::vector<Operation> operations) {
    OperationList list{isa::Config::vta_default()};
    list.operations = std::move(operations);
    std::vector<uint32_t> numbers;
    for (const Operation& o : load_in_order_of_use(list).operations) numbers.push_back(*o.symbol);
    return numbers;
  };
  const auto kInp = Access::Space::kInp, kWgt = Access::Space::kWgt;
  CHECK(order({load(0, kInp, 0, 4), load(1, kWgt, 0, 4), use(2, kWgt, 3, 4), use(3, kInp, 0, 1)}) ==
        std::vector<uint32_t>{1, 2, 0, 3});
  // All that came before it: 2 overwrites what 1 loads.
  CHECK(order({load(0, kInp, 0, 4), load(1, kInp, 4, 8), load(2, kInp, 7, 9), use(3, kInp, 8, 9)}) ==
        std::vector<uint32_t>{0, 1, 2, 3});
}

TEST_CASE("no two operations in conflict change places, nor two that load nothing", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  for (int round = 0; round < test::rounds(100); ++round) {
    OperationList list{isa::Config::vta_default()};
    const uint32_t count = 40;
    for (uint32_t i = 0; i < count; ++i) {
      const auto space = random() % 2 == 0 ? Access::Space::kInp : Access::Space::kWgt;
      const uint64_t begin = random() % 30, end = begin + 1 + random() % 6;
      list.operations.push_back(random() % 3 == 0 ? use(i, space, begin, end) : load(i, space, begin, end));
    }
    const std::vector<Operation> before = list.operations, after = load_in_order_of_use(list).operations;
    REQUIRE(after.size() == count);
    std::vector<size_t> place(count, count);
    for (size_t i = 0; i < count; ++i) place[*after[i].symbol] = i;
    REQUIRE(std::ranges::count(place, count) == 0);
    for (size_t i = 0; i < count; ++i) {
      for (size_t j = i + 1; j < count; ++j) {
        if (conflict(before[i], before[j]) || (!is_operand_load(before[i]) && !is_operand_load(before[j]))) {
          REQUIRE(place[i] < place[j]);
        }
      }
    }
  }
}

}  // namespace vantage::test::vta_finishing_load_in_order_of_use_test
