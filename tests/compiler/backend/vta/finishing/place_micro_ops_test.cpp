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
  if (auto* sums = std::get_if<isa::Gemm>(&insn)) return sums->loop;
  return std::get<isa::Alu>(insn).loop;
}

isa::Gemm gemm(bool reset) {
  isa::Gemm result;
  result.reset = reset;
  return result;
}

isa::Alu alu(isa::AluOp op, bool use_imm) {
  isa::Alu result;
  result.op = op;
  result.use_imm = use_imm;
  return result;
}

struct Kind {
  const char* name;
  isa::Insn insn;
};
const std::array kKinds = {Kind{"gemm", gemm(false)}, Kind{"gemm.reset", gemm(true)},
                           Kind{"alu.add", alu(isa::AluOp::kAdd, false)},
                           Kind{"alu.max.imm", alu(isa::AluOp::kMax, true)}};

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
    const auto* by_alu = std::get_if<isa::Alu>(&operation.insn);
    const bool reads_sources = by_alu != nullptr ? !by_alu->use_imm : is_gemm(operation);
    for (isa::MicroOp& uop : uops) {
      if (!reads_sources) uop = {uop.dst, 0, 0};
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
  size_t shared = 0, in_time = 0;
  for (int round = 0; round < 300; ++round) {
    OperationList list{kConfig};
    list.shares_micro_ops = pick(0, 1) == 0;
    list.in_slices = pick(0, 1) == 0;
    // Few destinations, so that some are alike; sometimes more of them than the scratchpad holds.
    const uint32_t longest = pick(0, 7) == 0 ? 900 : 60;
    std::vector<Uops> destinations(pick(1, 6));
    for (Uops& uops : destinations) {
      uops.resize(pick(1, longest));
      for (isa::MicroOp& uop : uops) uop.dst = pick(1, 3);
    }
    std::vector<Uops> expected;
    for (uint32_t n = pick(1, 40); n > 0; --n) {
      const Kind& kind = kKinds.at(pick(0, kKinds.size() - 1));
      Uops uops = destinations.at(pick(0, destinations.size() - 1));
      const bool reads_sources = kind.name == std::string("gemm") || kind.name == std::string("alu.add");
      for (isa::MicroOp& uop : uops) {
        if (reads_sources) uop = {uop.dst, pick(0, 1), pick(0, 1)};
      }
      expected.push_back(uops);
      list.operations.push_back(with_kernel(list, kind, uops, pick(1, 200)));
    }
    const OperationList placed = place_micro_ops(list);
    REQUIRE(found(placed) == expected);
    size_t own = 0;
    for (const Kernel& kernel : list.kernels) own += kernel.uops.size();
    const bool fit_at_once = placed.uops.size() <= kConfig.depth(isa::Memory::kUop).count();
    if (placed.uops.size() < own) {
      REQUIRE(list.shares_micro_ops);
      ++shared;
    }
    if (fit_at_once && loads(placed) > 1) {
      REQUIRE(list.in_slices);
      ++in_time;
    }
  }
  CHECK(shared > 50);
  CHECK(in_time > 20);
}

TEST_CASE("what writes the same accumulators shares micro-ops, where it is asked for", "[unit]") {
  OperationList list{kConfig};
  const Uops sums = {{1, 5, 7}, {2, 6, 8}}, results = {{1, 0, 0}, {2, 0, 0}};
  for (const Kind& kind : kKinds) {
    list.operations.push_back(with_kernel(list, kind, kind.name == std::string("gemm") ? sums : results, 1));
  }
  CHECK(place_micro_ops(list).uops.size() == 8);
  list.shares_micro_ops = true;
  const OperationList placed = place_micro_ops(list);
  // All but the one that reads accumulators: those of the GEMM.
  CHECK(placed.uops == Uops{{1, 5, 7}, {2, 6, 8}, {1, 0, 0}, {2, 0, 0}});
}

TEST_CASE("micro-ops for later are loaded behind a long nest, if they are many", "[unit]") {
  const auto sizes_of_loads = [](bool in_slices, const std::vector<std::array<uint32_t, 2>>& uops_and_iterations) {
    OperationList list{kConfig};
    list.in_slices = in_slices;
    uint32_t src = 0;
    for (const auto& [count, iterations] : uops_and_iterations) {
      Uops uops(count);
      for (isa::MicroOp& uop : uops) uop.src = src++;
      list.operations.push_back(with_kernel(list, kKinds[0], uops, iterations));
    }
    std::vector<uint32_t> sizes;
    for (const Operation& operation : place_micro_ops(list).operations) {
      if (const isa::Transfer* t = load_of(operation)) sizes.push_back(t->x_size);
    }
    return sizes;
  };
  using Sizes = std::vector<uint32_t>;
  CHECK(sizes_of_loads(true, {{64, 2}, {60, 1}, {60, 1}}) == Sizes{64, 120});
  CHECK(sizes_of_loads(false, {{64, 2}, {60, 1}, {60, 1}}) == Sizes{184});
  CHECK(sizes_of_loads(true, {{64, 1}, {60, 1}, {60, 1}}) == Sizes{184});        // no nest is long
  CHECK(sizes_of_loads(true, {{40, 100}, {60, 1}, {60, 1}}) == Sizes{100, 60});  // the first alone is too few
  CHECK(sizes_of_loads(true, {{64, 2}, {4, 100}, {60, 1}}) == Sizes{64, 64});    // so is the second
}

}  // namespace vantage::test::backend_vta_finishing_place_micro_ops_test
