#include "workload/measure.h"

#include "base/error.h"
#include "compiler/ops/conv2d/vta_search.h"
#include "driver/open/open.h"
#include "tests/catch.h"

namespace vantage::test::workload_measure_test {

using namespace vantage;
using namespace vantage::workload;

namespace {

Workload small_conv(DType dtype) {
  Workload w;
  w.name = "small";
  w.shape = {.batch = 2,
             .in_channels = 5,
             .height = 6,
             .width = 7,
             .out_channels = 9,
             .kernel_h = 3,
             .kernel_w = 3,
             .stride = 1,
             .pad = 1};
  w.dtype = dtype;
  w.epilogue = {.bias = true, .shift = 4};
  return w;
}

}  // namespace

TEST_CASE("a measurement says its rates", "[unit]") {
  Measurement m;
  m.useful_operations = 4'000'000;
  m.bytes = Bytes(1'000'000);
  CHECK(m.ok());
  CHECK(m.intensity() == 4);
  CHECK_FALSE(m.useful_gops());
  CHECK_FALSE(m.executed_gops());
  CHECK_FALSE(m.roofline_share());
  m.seconds = 1e-3;
  CHECK(*m.useful_gops() == Approx(4));
  CHECK_FALSE(m.executed_gops());
  m.executed_operations = 8'000'000;
  CHECK(*m.executed_gops() == Approx(8));
  m.roofline = Roofline{1e10, 2e9};
  CHECK(*m.roofline_share() == Approx(0.5));  // 8 GOPS at 4 operations a byte
  CHECK(m.roofline->attainable(100) == 1e10);
  const auto config = isa::Config::vta_default();
  CHECK(accelerator_roofline(config, config.clock_mhz()).operations == 2.0 * 256 * config.clock_mhz() * 1e6);
  CHECK(accelerator_roofline(config, config.clock_mhz()).bytes == Approx(8e8));
  MemoryTiming slow;
  slow.rate = {2, 1};
  CHECK(accelerator_roofline(config, config.clock_mhz(), slow).bytes == Approx(2e8));
  // Of a board that is clocked at half of that
  CHECK(accelerator_roofline(config, 50).operations == 2.0 * 256 * 50e6);
  CHECK(accelerator_roofline(config, 50).bytes == Approx(4e8));
}

TEST_CASE("operands are the same for a seed, and of the workload's type", "[unit]") {
  for (const DType dtype : {kInt8, kFloat16, kBFloat16, kFloat32}) {
    const Operands a = random_operands(small_conv(dtype), 3), b = random_operands(small_conv(dtype), 3);
    CHECK(a.inputs.dtype() == dtype);
    CHECK(a.inputs == b.inputs);
    CHECK(a.weights == b.weights);
    CHECK(a.bias == b.bias);
    CHECK_FALSE(a.inputs == random_operands(small_conv(dtype), 4).inputs);
  }
}

TEST_CASE("every device computes the reference, and a wrong result is told", "[unit]") {
  const Workload w = small_conv(kInt8);
  const Operands operands = random_operands(w, 1);
  Reference expected = reference(w, operands);
  const auto tiling = [&](const Conv2dShape& shape) {
    return ops::map_vta_conv2d(shape, w.epilogue, isa::Config::vta_default());
  };
  const auto device = driver::open_accelerator("fsim:", isa::Config::vta_default());
  const auto right = measure_on_accelerator({w, operands, expected}, *device, tiling);
  CHECK(right.difference == "");
  CHECK(right.useful_operations == static_cast<uint64_t>(w.shape.operations()));
  CHECK(right.bytes > Bytes(0));
  CHECK_FALSE(right.cycles);
  int32_t& sum = expected.sums.values<int32_t>()[10];
  sum = sum > 0 ? -(1 << 20) : 1 << 20;
  CHECK_THAT(measure_on_accelerator({w, operands, expected}, *device, tiling).difference,
             ContainsSubstring(" at pixel 1, channel 1, got "));
}

TEST_CASE("floats may differ by their rounding alone", "[unit]") {
  const Workload w = small_conv(kFloat32);
  const Operands operands = random_operands(w, 1);
  const Reference expected = reference(w, operands);
  Tensor got = expected.sums.converted(kFloat32);
  CHECK(difference(w, expected, got) == "");
  got.set_number(19, got.number(19) + 1e-3);
  CHECK_THAT(difference(w, expected, got), ContainsSubstring("at pixel 2, channel 1, got "));
  Workload product = w;
  product.is_matmul = true;
  CHECK_THAT(difference(product, expected, got), ContainsSubstring("at row 2, channel 1"));
}

}  // namespace vantage::test::workload_measure_test
