// Useful operations, and what tiles are filled up with.
#include "workload/useful_work.h"

#include "base/json.h"
#include "tests/catch.h"
#include "tests/support/random_config.h"

namespace vantage::test::workload_useful_work_test {

using namespace vantage;
using workload::useful_work;

TEST_CASE("a convolution needs its formula's operations, whatever its tiles", "[unit]") {
  const auto config = isa::Config::vta_default();
  // The first layer of ResNet-18
  const Conv2dShape conv1{.in_channels = 3,
                          .height = 224,
                          .width = 224,
                          .out_channels = 64,
                          .kernel_h = 7,
                          .kernel_w = 7,
                          .stride = 2,
                          .pad = 3};
  const sim::Work work = useful_work(conv1, config);
  CHECK(work.useful == uint64_t{2} * 112 * 112 * 64 * 3 * 7 * 7);
  CHECK(work.in_tiles == uint64_t{2} * 112 * 112 * 64 * 16 * 7 * 7);
  CHECK(work.paddings == std::vector<std::string>{"3 input channels on a block of 16"});
  // As many GEMM steps as that in whole tiles
  isa::Counters counters;
  counters.gemm_counter = work.in_tiles / 512;
  CHECK(sim::padding_share(work, sim::executed(config, counters)) == Approx(13.0 / 16));
}

TEST_CASE("what is padded is told, the worst first", "[unit]") {
  const auto config = shipped_config("batch4_8x8");
  const sim::Work work = useful_work(as_conv2d({.m = 1, .n = 20, .k = 16}), config);
  CHECK(work.useful == 2 * 20 * 16);
  CHECK(work.in_tiles == 2 * 4 * 24 * 16);
  CHECK(work.paddings == std::vector<std::string>{"1 row on a batch of 4", "20 columns of C on blocks of 8"});
  CHECK(useful_work(as_conv2d({.m = 4, .n = 8, .k = 8}), config).paddings.empty());
}

TEST_CASE("an elementwise layer needs an operation a value for each step of its formula", "[unit]") {
  const auto config = isa::Config::vta_default();
  const auto sum = [](int shift) { return ops::combination(100, isa::AluOp::kAdd, std::nullopt, shift, 0, 127); };
  CHECK(useful_work(sum(0), config).useful == 300);
  const sim::Work work = useful_work(sum(2), config);
  CHECK(work.useful == 400);
  CHECK(work.in_tiles == 448);
  CHECK(work.paddings == std::vector<std::string>{"100 values on elements of 16"});
}

}  // namespace vantage::test::workload_useful_work_test
