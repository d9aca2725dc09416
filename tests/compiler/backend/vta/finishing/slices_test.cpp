// Operations in slices, and programs that begin and end with slices.
#include "compiler/backend/vta/finishing/slices.h"

#include <array>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "base/json.h"
#include "compiler/backend/vta/finishing/begin_in_slices.h"
#include "compiler/backend/vta/finishing/end_in_slices.h"
#include "compiler/backend/vta/finishing/load_vectors_in_pieces.h"
#include "compiler/backend/vta/lower.h"
#include "compiler/ops/conv2d/vta_conv2d.h"
#include "compiler/ops/conv2d/vta_layer.h"
#include "compiler/ops/conv2d/vta_mapping_file.h"
#include "compiler/ops/conv2d/vta_search.h"
#include "tests/catch.h"
#include "tests/compiler/backend/vta/check_compiled.h"

namespace vantage::test::vta_finishing_slices_test {

using namespace vantage;
using namespace vantage::vta;

namespace {

const isa::Config kConfig = isa::Config::vta_default();

uint64_t pick(std::mt19937_64& random, uint64_t from, uint64_t to) {
  return from + random() % (to - from + 1);
}

using Steps = std::multiset<std::array<uint32_t, 3>>;

void add_steps(Steps& steps, const isa::Gemm& gemm, const std::vector<isa::MicroOp>& uops) {
  const isa::Loop& l = gemm.loop;
  for (uint32_t out = 0; out < l.iter_out; ++out) {
    for (uint32_t in = 0; in < l.iter_in; ++in) {
      for (const isa::MicroOp& uop : uops) {
        steps.insert({uop.dst + out * l.dst_factor_out + in * l.dst_factor_in,
                      uop.src + out * l.src_factor_out + in * l.src_factor_in,
                      uop.wgt + out * gemm.wgt_factor_out + in * gemm.wgt_factor_in});
      }
    }
  }
}

std::set<uint64_t> elements(const std::vector<Access>& accesses, Access::Space space) {
  std::set<uint64_t> all;
  for (const Access& a : accesses) {
    if (a.space != space) continue;
    for (uint64_t i = a.begin; i < a.end; ++i) all.insert(i);
  }
  return all;
}

}  // namespace

TEST_CASE("slices of a GEMM are its steps, and know what they touch", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  for (int round = 0; round < 500; ++round) {
    OperationList list{kConfig};
    isa::Gemm gemm;
    gemm.loop = {0,
                 0,
                 static_cast<uint32_t>(pick(random, 1, 5)),
                 static_cast<uint32_t>(pick(random, 1, 5)),
                 static_cast<uint32_t>(pick(random, 0, 6)),
                 static_cast<uint32_t>(pick(random, 0, 6)),
                 static_cast<uint32_t>(pick(random, 0, 6)),
                 static_cast<uint32_t>(pick(random, 0, 6))};
    gemm.wgt_factor_out = static_cast<uint32_t>(pick(random, 0, 6));
    gemm.wgt_factor_in = static_cast<uint32_t>(pick(random, 0, 6));
    Kernel kernel{"gemm", {}};
    // Now and then of many elements that lie apart.
    if (round % 50 == 0) {
      gemm.loop.iter_out = gemm.loop.iter_in = 14;
      gemm.loop.src_factor_out = 28;
      gemm.loop.src_factor_in = 2;
    }
    for (uint64_t n = pick(random, 1, 6); n > 0; --n) {
      kernel.uops.push_back({static_cast<uint32_t>(pick(random, 0, 20)), static_cast<uint32_t>(pick(random, 0, 20)),
                             static_cast<uint32_t>(pick(random, 0, 20))});
    }
    Steps expected;
    add_steps(expected, gemm, kernel.uops);
    list.kernels.push_back(kernel);
    KernelIndex kernels;
    const Operation whole{.insn = gemm, .kernel = 0};
    const auto what = std::array{Count::kOut, Count::kIn, Count::kUops}[random() % 3];
    Steps got;
    for (uint32_t begin = 0, all = count(list, whole, what); begin < all;) {
      const auto end = static_cast<uint32_t>(pick(random, begin + 1, all));
      const Operation part = added_to(list, kernels, slice(list, whole, what, begin, end));
      Steps own;
      add_steps(own, std::get<isa::Gemm>(part.insn), list.kernels.at(*part.kernel).uops);
      std::array<std::set<uint64_t>, 3> touched;
      for (const auto& step : own) {
        for (size_t i = 0; i < 3; ++i) touched[i].insert(step[i]);
      }
      CHECK(elements(part.accesses, Access::Space::kAcc) == touched[0]);
      CHECK(elements(part.accesses, Access::Space::kInp) == touched[1]);
      CHECK(elements(part.accesses, Access::Space::kWgt) == touched[2]);
      auto operands = operands_of_slice(list, whole, what, begin, end);
      if (what != Count::kUops) {
        operands = operands_further_on(operands_of_slice(list, whole, what, 0, end - begin), whole, what, begin);
      }
      CHECK(elements(operands, Access::Space::kInp) == touched[1]);
      CHECK(elements(operands, Access::Space::kWgt) == touched[2]);
      got.insert(own.begin(), own.end());
      begin = end;
    }
    REQUIRE(got == expected);
  }
}

TEST_CASE("rows of a transfer move what all of it does", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  const auto moves = [](const isa::Transfer& t) {
    std::map<uint64_t, std::optional<uint32_t>> all;  // elements of the scratchpad, and of memory; none for a zero
    uint64_t at = t.sram_base;
    for (uint64_t y = 0; y < t.padded_rows(); ++y) {
      for (uint64_t x = 0; x < t.padded_row(); ++x, ++at) {
        const bool is_zero = y < t.y_pad_0 || y >= t.y_pad_0 + t.y_size || x < t.x_pad_0 || x >= t.x_pad_0 + t.x_size;
        const uint64_t element = t.dram_base + (y - t.y_pad_0) * t.x_stride + (x - t.x_pad_0);
        all[at] = is_zero ? std::nullopt : std::optional(static_cast<uint32_t>(element));
      }
    }
    return all;
  };
  for (int round = 0; round < 500; ++round) {
    isa::Load load;
    isa::Transfer& t = load.transfer;
    t.memory = isa::Memory::kWgt;
    t.sram_base = static_cast<uint32_t>(pick(random, 0, 100));
    t.dram_base = static_cast<uint32_t>(pick(random, 0, 100));
    t.y_size = static_cast<uint32_t>(pick(random, 1, 6));
    t.x_size = static_cast<uint32_t>(pick(random, 1, 9));
    t.x_stride = t.y_size == 1 ? t.x_size : t.x_size + static_cast<uint32_t>(pick(random, 0, 4));
    for (uint32_t* zeros : {&t.y_pad_0, &t.y_pad_1, &t.x_pad_0, &t.x_pad_1}) {
      *zeros = static_cast<uint32_t>(pick(random, 0, 1) * pick(random, 0, 2));
    }
    const Operation whole{.insn = load,
                          .symbol = 0,
                          .accesses = {{Access::Space::kWgt, 0, 0, 0, true}, {Access::Space::kTensor, 0, 0, 0, false}}};
    decltype(moves(t)) got;
    for (uint32_t begin = 0, all = rows_of(t); begin < all;) {
      const auto end = static_cast<uint32_t>(pick(random, begin + 1, all));
      const Operation part = slice_rows({kConfig}, whole, begin, end);
      const auto own = moves(*load_of(part));
      std::set<uint64_t> written;
      std::set<uint32_t> read;
      for (const auto& [sram, dram] : own) {
        written.insert(sram);
        if (dram) read.insert(*dram);
      }
      CHECK(elements(part.accesses, Access::Space::kWgt) == written);
      const uint64_t bytes = kConfig.element_size(isa::Memory::kWgt).count();
      CHECK(part.accesses[1].begin == *read.begin() * bytes);
      CHECK(part.accesses[1].end == (uint64_t{*read.rbegin()} + 1) * bytes);
      got.insert(own.begin(), own.end());
      begin = end;
    }
    REQUIRE(got == moves(t));
    const uint64_t from = pick(random, 0, 160), to = from + pick(random, 0, 40);
    const Interval with = rows_with(t, {from, to});
    for (uint32_t row = 0; row < rows_of(t); ++row) {
      const Interval its = elements_of_rows(t, row, row + 1);
      CHECK((row >= with.begin && row < with.end) == (its.begin < to && from < its.end && from < to));
    }
  }
}

TEST_CASE("a load of zeros alone stays before the slice that reads them", "[unit]") {
  OperationList list{kConfig};
  list.in_slices = true;
  list.kernels.push_back({"gemm", {{0, 0, 0}}});
  isa::Load zeros, weights;
  zeros.transfer.memory = isa::Memory::kInp;
  zeros.transfer.x_size = zeros.transfer.x_stride = 1;
  zeros.transfer.y_pad_0 = 8;
  weights.transfer.memory = isa::Memory::kWgt;
  weights.transfer.y_size = 1;
  weights.transfer.x_size = weights.transfer.x_stride = 64;
  isa::Gemm gemm;
  gemm.loop.iter_out = 16;
  gemm.loop.dst_factor_out = 1;
  gemm.loop.iter_in = 64;
  gemm.wgt_factor_in = 1;
  using Space = Access::Space;
  list.operations.push_back({.insn = zeros, .accesses = {{Space::kInp, 0, 0, 8, true}}});
  list.operations.push_back(
      {.insn = weights, .accesses = {{Space::kWgt, 0, 0, 64, true}, {Space::kTensor, 0, 0, 64 * 256, false}}});
  list.operations.push_back(
      {.insn = gemm,
       .kernel = 0,
       .accesses = {{Space::kAcc, 0, 0, 16, true}, {Space::kInp, 0, 0, 1, false}, {Space::kWgt, 0, 0, 64, false}}});
  const OperationList cut = begin_in_slices(list);
  REQUIRE(cut.operations.size() > list.operations.size());
  const auto is_zeros = [](const Operation& o) { return load_of(o) != nullptr && load_of(o)->y_size == 0; };
  const auto first_gemm = std::find_if(cut.operations.begin(), cut.operations.end(), is_gemm);
  CHECK(std::count_if(cut.operations.begin(), first_gemm, is_zeros) == 1);
}

TEST_CASE("a program that begins and ends in slices computes the same", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  const std::vector<Conv2dShape> shapes = {
      {24, 80, 1, 1, 40, 1, 1, 1, 0}, {1, 40, 9, 20, 40, 3, 3, 2, 1}, {2, 70, 8, 8, 36, 1, 1, 2, 0}};
  bool begins = false, ends = false;
  for (const Conv2dShape& shape : shapes) {
    const ops::Epilogue epilogue = {random() % 2 == 0, 4, 0, 127};
    ops::Layer layer{shape, epilogue, ops::map_vta_conv2d(shape, epilogue, kConfig)};
    layer.mapping.in_slices = true;
    const ir::PrimFunc scheduled = ops::schedule_layer(layer, kConfig);
    INFO(to_json(layer.mapping).dump());
    CHECK(check_compiled(ops::vta_conv2d(shape, epilogue, kConfig), scheduled, kConfig, random) == "");
    const OperationList list = emit(passes::run_passes(scheduled, pass_list(kConfig)), kConfig);
    REQUIRE(list.in_slices);
    begins = begins || begin_in_slices(list).operations.size() > list.operations.size();
    ends = ends || end_in_slices(list).operations.size() > list.operations.size();
  }
  // Each pass has found something to cut.
  CHECK(begins);
  CHECK(ends);
}

TEST_CASE("first sums begin with a few rows of a padded input and a few weights", "[unit]") {
  const Conv2dShape shape = {1, 32, 12, 43, 12, 5, 5, 2, 1};
  ops::VtaConv2dTiling tiling;
  tiling.h = 3, tiling.w = 21;
  tiling.threads = 2;
  tiling.weights_resident = true;
  tiling.channels_outside = false;
  ops::Layer layer{shape, {}, tiling};
  const auto beats_before_first_gemm = [&](bool in_slices) {
    layer.mapping.in_slices = in_slices;
    const ir::PrimFunc scheduled = ops::schedule_layer(layer, kConfig);
    const OperationList list = with_loads(prepared(emit(passes::run_passes(scheduled, pass_list(kConfig)), kConfig)));
    uint64_t beats = 0;
    for (const Operation& operation : list.operations) {
      if (is_gemm(operation)) break;
      if (is_operand_load(operation)) beats += beats_of(*load_of(operation), kConfig);
    }
    return beats;
  };
  // As a whole, 25 weights of 32 beats and 8 rows of 43 pixels of two beats; of those, in the end, 4 and 1.
  CHECK(beats_before_first_gemm(false) == 25 * 32 + 8 * 86);
  CHECK(beats_before_first_gemm(true) == 4 * 32 + 86);
}

namespace {

// 75 x 136 x 51 in tiles of half the rows and so many columns, of which there are four, a half for each of two threads.
ops::Layer product_in_two_threads(int64_t columns) {
  ops::VtaConv2dTiling tiling;
  tiling.n = 38, tiling.oc = columns, tiling.ic = 9;
  tiling.threads = 2;
  tiling.input_resident = tiling.weights_resident = tiling.bias_resident = true;
  return {{75, 136, 1, 1, 51, 1, 1, 1, 0}, {true, 4, 0, 127}, tiling};
}

OperationList operations_of(ops::Layer layer, bool in_slices) {
  layer.mapping.in_slices = in_slices;
  return prepared(emit(passes::run_passes(ops::schedule_layer(layer, kConfig), pass_list(kConfig)), kConfig));
}

bool is_store(const Operation& operation) {
  return isa::stage(operation.insn) == isa::Stage::kStore;
}

}  // namespace

TEST_CASE("what is stored first at the end does not wait for all of the GEMM beside it", "[unit]") {
  const auto stores_before_last_gemm = [](const OperationList& list) {
    const auto last = std::find_if(list.operations.rbegin(), list.operations.rend(), is_gemm).base();
    return std::count_if(list.operations.begin(), last, is_store);
  };
  OperationList list = operations_of(product_in_two_threads(4), false);
  CHECK(stores_before_last_gemm(end_in_slices(list)) == 0);
  list.in_slices = true;
  const OperationList cut = end_in_slices(list);
  CHECK(stores_before_last_gemm(cut) > 1);
  CHECK(count_steps(cut).gemm == count_steps(list).gemm);

  std::mt19937_64 random(Catch::rngSeed());
  ops::Layer layer = product_in_two_threads(4);
  layer.mapping.in_slices = true;
  CHECK(check_compiled(ops::vta_conv2d(layer.shape, layer.epilogue, kConfig), ops::schedule_layer(layer, kConfig),
                       kConfig, random) == "");
}

TEST_CASE("of a bias that stays, first sums wait for what they take of it", "[unit]") {
  // For each thread, the elements of its loads of accumulators, and how many loads come before the first GEMM.
  const auto biases = [](const OperationList& list) {
    std::vector<uint32_t> elements;
    size_t before_gemm = 0;
    bool seen_gemm = false;
    for (const Operation& operation : list.operations) {
      seen_gemm = seen_gemm || is_gemm(operation);
      const isa::Transfer* t = load_of(operation);
      if (t == nullptr || t->memory != isa::Memory::kAcc) continue;
      elements.push_back(t->x_size);
      if (!seen_gemm) ++before_gemm;
    }
    return std::pair(elements, before_gemm);
  };
  // 15 columns of 16 for each of two threads, 3 at a time.
  ops::VtaConv2dTiling tiling;
  tiling.n = 8, tiling.oc = 3;
  tiling.threads = 2;
  tiling.input_resident = tiling.bias_resident = true;
  ops::Layer layer{{8, 160, 1, 1, 480, 1, 1, 1, 0}, {true, 4, 0, 127}, tiling};
  using Elements = std::vector<uint32_t>;
  CHECK(biases(load_vectors_in_pieces(operations_of(layer, false))) == std::pair(Elements{15, 15}, size_t{2}));
  CHECK(biases(load_vectors_in_pieces(operations_of(layer, true))) == std::pair(Elements(10, 3), size_t{2}));
  // Where the vector engine has more to do there is nothing to hide them behind.
  layer.shape.in_channels = 48;
  CHECK(biases(load_vectors_in_pieces(operations_of(layer, true))).first == Elements{15, 15});
  // Few come as they are.
  layer = product_in_two_threads(1);
  CHECK(biases(load_vectors_in_pieces(operations_of(layer, true))).first == Elements{2, 2});

  std::mt19937_64 random(Catch::rngSeed());
  layer = {{8, 160, 1, 1, 480, 1, 1, 1, 0}, {true, 4, 0, 127}, tiling};
  layer.mapping.in_slices = true;
  CHECK(check_compiled(ops::vta_conv2d(layer.shape, layer.epilogue, kConfig), ops::schedule_layer(layer, kConfig),
                       kConfig, random) == "");
}

}  // namespace vantage::test::vta_finishing_slices_test
