// Transfers that are merged, against what they bring one by one.
#include <algorithm>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "compiler/backend/vta/finishing/merge_rows_apart.h"
#include "compiler/backend/vta/finishing/merge_transfers.h"
#include "tests/catch.h"

namespace vantage::test::vta_finishing_merging_test {

using namespace vantage;
using namespace vantage::vta;

namespace {

const isa::Config kConfig = isa::Config::vta_default();

class RandomList {
 public:
  explicit RandomList(std::mt19937_64& random) : random_(random) {}

  OperationList make() {
    list_.kernels = {{"gemm", {{0, 0, 0}}}};
    for (uint64_t n = pick(1, 6); n > 0; --n) {
      for (uint64_t m = pick(1, 3); m > 0; --m) pick(0, 4) == 0 ? padded() : rows();
      for (uint64_t m = pick(1, 2); m > 0; --m) sum();
    }
    return std::move(list_);
  }

 private:
  uint32_t pick(uint64_t from, uint64_t to) { return static_cast<uint32_t>(from + random_() % (to - from + 1)); }
  isa::Memory memory() { return pick(0, 1) == 0 ? isa::Memory::kInp : isa::Memory::kWgt; }

  void add(const isa::Transfer& t) {
    const auto space = t.memory == isa::Memory::kInp ? Access::Space::kInp : Access::Space::kWgt;
    const uint64_t bytes = kConfig.element_size(t.memory).count();
    const uint64_t last = t.dram_base + uint64_t{t.y_size - 1} * t.x_stride + t.x_size;
    list_.operations.push_back(
        {.insn = isa::Load{{}, t},
         .symbol = 0,
         .accesses = {{space, 0, t.sram_base, t.sram_base + t.padded_row() * t.padded_rows(), true},
                      {Access::Space::kTensor, 0, t.dram_base * bytes, last * bytes, false}}});
  }

  // A box, row by row, or in pieces of rows.
  void rows() {
    const isa::Memory to = memory();
    const uint32_t x = pick(1, 4), pitch = x + pick(0, 6), stride = x + pick(0, 9), y = pick(1, 5);
    const uint32_t sram = pick(0, 40), dram = pick(0, 60), piece = pick(1, x);
    for (uint32_t row = 0; row < y; ++row) {
      for (uint32_t from = 0; from < x; from += piece) {
        const uint32_t size = std::min(piece, x - from);
        add({to, sram + row * pitch + from, dram + row * stride + from, 1, size, size, 0, 0, 0, 0});
      }
    }
  }

  void padded() {
    const uint32_t x = pick(1, 4), y = pick(1, 3);
    isa::Transfer t{memory(), pick(0, 40), pick(0, 60), y, x, y == 1 ? x : x + pick(0, 3), 0, 0, 0, 0};
    t.y_pad_0 = pick(0, 1), t.y_pad_1 = pick(0, 1), t.x_pad_0 = pick(0, 1), t.x_pad_1 = pick(0, 2);
    add(t);
  }

  void sum() {
    Operation gemm{.insn = isa::Gemm{}, .kernel = 0, .accesses = {{Access::Space::kAcc, 0, 0, 1, true}}};
    for (uint64_t n = pick(1, 4); n > 0; --n) {
      const uint32_t begin = pick(0, 60);
      gemm.accesses.push_back(
          {pick(0, 1) == 0 ? Access::Space::kInp : Access::Space::kWgt, 0, begin, begin + pick(1, 6), false});
    }
    list_.operations.push_back(gemm);
  }

  std::mt19937_64& random_;
  OperationList list_{kConfig, {{"X", isa::Memory::kInp, 256, {}}}};
};

// What the sums of a list read, in their order: the element of memory that lies there, counted from 1; 0 for a zero, or
// where nothing was loaded.
std::vector<uint64_t> read_by_sums(const OperationList& list) {
  std::map<std::pair<Access::Space, uint64_t>, uint64_t> scratchpads;
  std::vector<uint64_t> read;
  for (const Operation& operation : list.operations) {
    const isa::Transfer* t = load_of(operation);
    if (t == nullptr) {
      for (const Access& a : operation.accesses) {
        for (uint64_t i = a.begin; i < a.end && !a.is_write; ++i) read.push_back(scratchpads[{a.space, i}]);
      }
      continue;
    }
    const Access& written = operation.accesses.front();
    uint64_t at = t->sram_base;
    const Access& read_from = operation.accesses.at(1);
    const uint64_t bytes = kConfig.element_size(t->memory).count();
    CHECK(read_from.begin == t->dram_base * bytes);
    CHECK(read_from.end == (t->dram_base + uint64_t{t->y_size - 1} * t->x_stride + t->x_size) * bytes);
    CHECK(written.begin == at);
    for (uint64_t y = 0; y < t->padded_rows(); ++y) {
      for (uint64_t x = 0; x < t->padded_row(); ++x, ++at) {
        const bool inside =
            y >= t->y_pad_0 && y < t->y_pad_0 + t->y_size && x >= t->x_pad_0 && x < t->x_pad_0 + t->x_size;
        const uint64_t element = t->dram_base + (y - t->y_pad_0) * t->x_stride + (x - t->x_pad_0);
        scratchpads[{written.space, at}] = inside ? element + 1 : 0;
      }
    }
    CHECK(at == written.end);
  }
  return read;
}

// By sum, the last one before it that some load in front of it waits for, as their stage loads in order.
std::vector<int64_t> waits(const OperationList& list) {
  std::vector<int64_t> result;
  int64_t latest = -1;
  std::vector<const Operation*> sums;
  for (const Operation& operation : list.operations) {
    if (load_of(operation) == nullptr) {
      sums.push_back(&operation);
      result.push_back(latest);
      continue;
    }
    for (size_t s = 0; s < sums.size(); ++s) {
      if (conflict(*sums[s], operation)) latest = std::max(latest, static_cast<int64_t>(s));
    }
  }
  return result;
}

}  // namespace

TEST_CASE("sums read the same when transfers are merged", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  size_t before = 0, in_pieces = 0, apart = 0;
  for (int round = 0; round < 2000; ++round) {
    const OperationList list = RandomList(random).make();
    const OperationList rows = merge_transfers(list), all = merge_rows_apart(rows);
    INFO(to_text(list) << "\nrows:\n" << to_text(rows) << "\nrows apart:\n" << to_text(all));
    REQUIRE(read_by_sums(rows) == read_by_sums(list));
    REQUIRE(read_by_sums(all) == read_by_sums(list));
    REQUIRE(waits(all) == waits(rows));
    before += list.operations.size();
    in_pieces += rows.operations.size();
    apart += all.operations.size();
  }
  // Each has found something to merge.
  CHECK(in_pieces + 500 < before);
  CHECK(apart + 500 < in_pieces);
}

TEST_CASE("zeros between rows do not reach beyond a scratchpad", "[unit]") {
  const auto depth = static_cast<uint32_t>(kConfig.depth(isa::Memory::kInp).count());
  OperationList list{kConfig};
  for (const uint32_t row : {0U, 1U}) {
    const uint32_t sram = depth - 5 + 3 * row;
    list.operations.push_back({.insn = isa::Load{{}, {isa::Memory::kInp, sram, 16 * row, 1, 2, 2, 0, 0, 0, 0}},
                               .symbol = 0,
                               .accesses = {{Access::Space::kInp, 0, sram, sram + 2, true},
                                            {Access::Space::kTensor, 0, 256 * row, 256 * row + 32, false}}});
  }
  CHECK(merge_rows_apart(list).operations.size() == 2);
}

}  // namespace vantage::test::vta_finishing_merging_test
