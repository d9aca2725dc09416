// Products with zeros that are left out, against what the loads brought.
#include "compiler/backend/vta/finishing/skip_zeros.h"

#include <algorithm>
#include <array>
#include <compare>
#include <random>
#include <set>
#include <vector>

#include "tests/catch.h"

namespace vantage::test::vta_finishing_skip_zeros_test {

using namespace vantage;
using namespace vantage::vta;

namespace {

const isa::Config kConfig = isa::Config::vta_default();
constexpr uint64_t kInstruction = 6;  // cycles that one may cost

class RandomList {
 public:
  explicit RandomList(std::mt19937_64& random) : random_(random) {}

  OperationList make() {
    list_.skips_zeros = true;
    list_.tensors = {{"X", isa::Memory::kInp, 100, TensorRole::kInput}};
    for (uint64_t n = pick(1, 4); n > 0; --n) {
      for (uint64_t m = pick(1, 3); m > 0; --m) load();
      for (uint64_t m = pick(1, 3); m > 0; --m) sum();
    }
    return std::move(list_);
  }

 private:
  uint32_t pick(uint64_t from, uint64_t to) { return static_cast<uint32_t>(from + random_() % (to - from + 1)); }
  uint32_t pad() { return pick(0, 1) == 0 ? 0 : pick(0, 3); }

  // Now and then of another memory, or of nothing, which writes no zeros either.
  void load() {
    const std::array others = {isa::Memory::kWgt, isa::Memory::kAcc};
    const isa::Memory memory = pick(0, 4) == 0 ? others.at(pick(0, 1)) : isa::Memory::kInp;
    const uint32_t columns = pick(0, 9) == 0 ? 0 : pick(1, 6), rows = pick(0, 9) == 0 ? 0 : pick(1, 6);
    isa::Transfer t{memory, pick(0, 20), 0, rows, columns, columns, pad(), pad(), pad(), pad()};
    if (memory == isa::Memory::kInp) row_ = std::max(t.padded_row(), uint64_t{1});
    list_.operations.push_back(
        {.insn = isa::Load{{}, t},
         .symbol = 0,
         .accesses = {{Access::Space::kInp, 0, t.sram_base, t.sram_base + t.padded_row() * t.padded_rows(), true}}});
  }

  // Often along the rows and columns that were loaded.
  void sum() {
    isa::Gemm gemm;
    const bool is_along = pick(0, 3) != 0;
    gemm.loop = {0,
                 0,
                 pick(1, 6),
                 pick(1, 6),
                 pick(0, 6),
                 pick(0, 6),
                 is_along ? static_cast<uint32_t>(row_) : pick(0, 9),
                 is_along ? pick(1, 2) : pick(0, 4)};
    gemm.reset = pick(0, 5) == 0;
    gemm.wgt_factor_out = pick(0, 2);
    gemm.wgt_factor_in = pick(0, 2);
    uint32_t kernel = pick(0, list_.kernels.size());
    if (kernel == list_.kernels.size()) {
      Kernel made{"gemm", {}};
      for (uint64_t n = pick(1, 9); n > 0; --n) made.uops.push_back({pick(0, 9), pick(0, 40), pick(0, 9)});
      list_.kernels.push_back(std::move(made));
    }
    list_.operations.push_back({.insn = gemm, .kernel = kernel, .accesses = {{Access::Space::kAcc, 0, 0, 100, true}}});
  }

  std::mt19937_64& random_;
  OperationList list_{kConfig};
  uint64_t row_ = 1;
};

// Of a reset the sources are whatever its micro-ops say.
struct Step {
  bool is_reset;
  uint32_t result, input, weight;
  auto operator<=>(const Step&) const = default;
};

std::multiset<Step> steps_of(const OperationList& list, const Operation& operation) {
  const auto& gemm = std::get<isa::Gemm>(operation.insn);
  const isa::Loop& l = gemm.loop;
  std::multiset<Step> steps;
  for (uint32_t out = 0; out < l.iter_out; ++out) {
    for (uint32_t in = 0; in < l.iter_in; ++in) {
      for (const isa::MicroOp& uop : list.kernels.at(*operation.kernel).uops) {
        steps.insert({gemm.reset, uop.dst + out * l.dst_factor_out + in * l.dst_factor_in,
                      uop.src + out * l.src_factor_out + in * l.src_factor_in,
                      uop.wgt + out * gemm.wgt_factor_out + in * gemm.wgt_factor_in});
      }
    }
  }
  return steps;
}

// A load, or what is summed up to the next one.
struct Stretch {
  std::set<uint64_t> zeros;  // elements of the inputs that are there
  std::multiset<Step> steps = {};
  uint64_t instructions = 0;
};

std::vector<Stretch> stretches(const OperationList& list) {
  std::vector<Stretch> all = {{}};
  for (const Operation& operation : list.operations) {
    if (const isa::Transfer* t = load_of(operation)) {
      all.push_back({all.back().zeros});
      if (t->memory != isa::Memory::kInp || t->moves_nothing()) continue;
      uint64_t at = t->sram_base;
      for (uint64_t y = 0; y < t->padded_rows(); ++y) {
        for (uint64_t x = 0; x < t->padded_row(); ++x, ++at) {
          const bool is_row = y >= t->y_pad_0 && y < t->y_pad_0 + t->y_size;
          const bool is_data = is_row && x >= t->x_pad_0 && x < t->x_pad_0 + t->x_size;
          is_data ? all.back().zeros.erase(at) : all.back().zeros.insert(at).second;
        }
      }
    } else {
      all.back().steps.merge(steps_of(list, operation));
      ++all.back().instructions;
    }
  }
  return all;
}

}  // namespace

TEST_CASE("what is left out is with zeros alone, and the rest takes no more steps and instructions", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  size_t left_out = 0;
  for (int round = 0; round < 2000; ++round) {
    const OperationList list = RandomList(random).make();
    OperationList untouched = list;
    untouched.skips_zeros = false;
    CHECK(to_text(skip_zeros(untouched)) == to_text(untouched));
    const auto before = stretches(list), after = stretches(skip_zeros(list));
    REQUIRE(after.size() == before.size());
    for (size_t i = 0; i < before.size(); ++i) {
      auto left = before[i].steps;
      for (const Step& step : after[i].steps) {
        const auto found = left.find(step);
        REQUIRE(found != left.end());
        left.erase(found);
      }
      for (const Step& step : left) REQUIRE((!step.is_reset && before[i].zeros.count(step.input) == 1));
      left_out += left.size();
      const auto cost = [](const Stretch& s) { return s.steps.size() + s.instructions * kInstruction; };
      CHECK(cost(after[i]) <= cost(before[i]));
    }
  }
  CHECK(left_out > 1000);
}

TEST_CASE("a 3x3 kernel over a padded image multiplies pixels alone", "[unit]") {
  OperationList list{kConfig};
  list.skips_zeros = true;
  const isa::Transfer image{isa::Memory::kInp, 0, 0, 14, 14, 14, 1, 1, 1, 1};
  list.operations.push_back(
      {.insn = isa::Load{{}, image}, .symbol = 0, .accesses = {{Access::Space::kInp, 0, 0, 16 * 16, true}}});
  Kernel taps{"gemm", {}};
  for (uint32_t y = 0; y < 14; ++y) {
    for (uint32_t k = 0; k < 9; ++k) taps.uops.push_back({y * 14, (y + k / 3) * 16 + k % 3, k});
  }
  list.kernels.push_back(taps);
  isa::Gemm gemm;
  gemm.loop = {0, 0, 4, 14, 196, 1, 0, 1};
  gemm.wgt_factor_out = 9;
  list.operations.push_back({.insn = gemm, .kernel = 0});
  const OperationList after = skip_zeros(list);
  uint64_t products = 0;
  for (const Operation& operation : after.operations) {
    if (is_gemm(operation)) products += steps(operation, after.kernels);
  }
  CHECK(products == 4 * (3 * 14 - 2) * (3 * 14 - 2));
  CHECK(after.operations.size() == 1 + 3);  // a GEMM for each column of the kernel
}

}  // namespace vantage::test::vta_finishing_skip_zeros_test
