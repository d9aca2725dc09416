#include "compiler/backend/vta/finishing/place_micro_ops.h"

#include <array>
#include <random>

#include "compiler/backend/vta/operations.h"
#include "tests/catch.h"

namespace vantage::test::backend_vta_finishing_place_micro_ops_test {

using namespace vantage;
using namespace vantage::vta;

namespace {

using Uops = std::vector<isa::MicroOp>;

const isa::Config kConfig = isa::Config::vta_default();

isa::Loop& loop_of(isa::Insn& insn) {
  if (auto* gemm = std::get_if<isa::Gemm>(&insn)) return gemm->loop;
  return std::get<isa::Alu>(insn).loop;
}

struct Kind {
  const char* name;
  isa::Insn insn;
};
const std::array kKinds = {Kind{"gemm", isa::Gemm{}}, Kind{"gemm.reset", isa::Gemm{.reset = true}},
                           Kind{"alu.add", isa::Alu{.op = isa::AluOp::kAdd}},
                           Kind{"alu.max.imm", isa::Alu{.op = isa::AluOp::kMax, .use_imm = true}}};

Operation with_kernel(OperationList& list, const Kind& kind, const Uops& uops, uint32_t iterations) {
  Operation operation{.insn = kind.insn, .kernel = static_cast<uint32_t>(list.kernels.size())};
  loop_of(operation.insn).iter_out = iterations;
  loop_of(operation.insn).iter_in = 1;
  list.kernels.push_back({kind.name, uops});
  return operation;
}

// What each instruction that computes finds in the micro-op scratchpad; what it does not read left out.
std::vector<Uops> found(const OperationList& placed) {
  Uops scratchpad(kConfig.depth(isa::Memory::kUop).count());
  std::vector<Uops> result;
  for (Operation operation : placed.operations) {
    if (const isa::Transfer* t = load_of(operation)) {
      for (uint32_t i = 0; i < t->x_size; ++i) scratchpad.at(t->sram_base + i) = placed.uops.at(t->dram_base + i);
      continue;
    }
    const isa::Loop& loop = loop_of(operation.insn);
    Uops uops(scratchpad.begin() + loop.uop_bgn, scratchpad.begin() + loop.uop_end);
    const auto* alu = std::get_if<isa::Alu>(&operation.insn);
    const bool reads_sources = alu != nullptr ? !alu->use_imm : is_gemm(operation);
    for (isa::MicroOp& uop : uops) {
      if (!reads_sources) uop = {.dst = uop.dst};
    }
    result.push_back(std::move(uops));
  }
  return result;
}

size_t loads(const OperationList& list) {
  return static_cast<size_t>(
      std::ranges::count_if(list.operations, [](const auto& o) { return load_of(o) != nullptr; }));
}

}  // namespace

TEST_CASE("every instruction finds its micro-ops, whoever shares them and whenever they are loaded", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  const auto pick = [&](uint64_t low, uint64_t high) {
    return static_cast<uint32_t>(low + random() % (high - low + 1));
  };
  size_t most = 0;
  for (int round = 0; round < 300; ++round) {
    OperationList list{kConfig};
    list.shares_micro_ops = pick(0, 1) == 0;
    list.in_slices = pick(0, 1) == 0;
    std::vector<Uops> expected;
    // Few destinations, so that some are alike; sometimes more of them than the scratchpad holds.
    const uint32_t longest = pick(0, 7) == 0 ? 900 : 40, destinations = pick(1, 3);
    for (uint32_t n = pick(1, 40); n > 0; --n) {
      const Kind& kind = kKinds.at(pick(0, kKinds.size() - 1));
      Uops uops(pick(0, 2) == 0 ? 1 : pick(1, longest));
      for (isa::MicroOp& uop : uops) uop.dst = pick(1, destinations);
      expected.push_back(uops);
      const bool reads_sources = kind.name == std::string("gemm") || kind.name == std::string("alu.add");
      for (size_t i = 0; i < uops.size() && reads_sources; ++i) {
        uops[i].src = expected.back()[i].src = pick(0, 1);
        uops[i].wgt = expected.back()[i].wgt = pick(0, 1);
      }
      list.operations.push_back(with_kernel(list, kind, uops, pick(1, 200)));
    }
    const OperationList placed = place_micro_ops(list);
    REQUIRE(found(placed) == expected);
    most = std::max(most, loads(placed));
  }
  CHECK(most > 5);
}

TEST_CASE("what writes the same accumulators shares micro-ops, where it is asked for", "[unit]") {
  OperationList list{kConfig};
  const Uops sums = {{1, 5, 7}, {2, 6, 8}}, results = {{1, 0, 0}, {2, 0, 0}};
  for (const Kind& kind : kKinds) {
    const bool is_gemm = kind.name == std::string("gemm");
    list.operations.push_back(with_kernel(list, kind, is_gemm ? sums : results, 1));
  }
  CHECK(place_micro_ops(list).uops.size() == 8);
  list.shares_micro_ops = true;
  const OperationList placed = place_micro_ops(list);
  // All but the one that reads accumulators: those of the GEMM.
  CHECK(placed.uops == Uops{{1, 5, 7}, {2, 6, 8}, {1, 0, 0}, {2, 0, 0}});
}

TEST_CASE("micro-ops for later are loaded behind a long nest, and not before what needs few", "[unit]") {
  OperationList list{kConfig};
  list.in_slices = true;
  const auto add = [&](uint32_t count, uint32_t first, uint32_t iterations) {
    Uops uops(count);
    for (uint32_t i = 0; i < count; ++i) uops[i].src = first + i;
    list.operations.push_back(with_kernel(list, kKinds[0], uops, iterations));
  };
  add(50, 0, 10);  // long
  add(60, 100, 1);
  add(60, 200, 1);
  const OperationList placed = place_micro_ops(list);
  REQUIRE(placed.operations.size() == 5);
  CHECK(load_of(placed.operations[0])->x_size == 50);
  CHECK(load_of(placed.operations[2])->x_size == 120);
}

}  // namespace vantage::test::backend_vta_finishing_place_micro_ops_test
