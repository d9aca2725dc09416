// The schedules for processors compute what their definitions say, for random shapes and every kind of processor that
// this one can stand for.
#include <random>

#include "base/tensor/compare.h"
#include "base/tensor/random.h"
#include "compiler/ir/printer.h"
#include "compiler/ops/conv2d/cpu_conv2d.h"
#include "compiler/ops/cpu/default_schedule.h"
#include "compiler/ops/matmul/cpu_matmul.h"
#include "compiler/ops/nn.h"
#include "native/workers.h"
#include "tests/catch.h"
#include "tests/compiler/backend/cpu/run_compiled.h"
#include "tests/support/effort.h"

namespace vantage::test::ops_cpu_property_test {

using namespace vantage;
using namespace vantage::ops;
using namespace vantage::test;

namespace {

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  int64_t pick(int64_t from, int64_t to) {
    return from + static_cast<int64_t>(engine_() % static_cast<uint64_t>(to - from + 1));
  }
  bool flip() { return pick(0, 1) == 1; }
  // Small whole numbers: floats of these add up without rounding, in whatever order.
  Tensor array(const ir::Buffer& buffer) {
    std::vector<int64_t> shape;
    for (const ir::Expr& size : buffer->shape) shape.push_back(*ir::as_int(size));
    Tensor result(buffer->dtype, shape);
    const bool bytes = buffer->dtype == ir::kInt8;
    fill(result, engine_, bytes ? -128 : -4, bytes ? 127 : 4);
    return result;
  }
  // For every parameter.
  std::vector<Input> arrays(const ir::PrimFunc& function) {
    std::vector<Input> result;
    for (const ir::Buffer& buffer : function.buffers()) result.emplace_back(array(buffer));
    return result;
  }

 private:
  std::mt19937_64 engine_;
};

// Processors whose code this one runs, from the plainest on, each with vectors and byte products of its own.
std::vector<cpu::Target> targets() {
  const cpu::Target host = cpu::host_target();
  std::vector<cpu::Target> all = {host};
  if (host.triple.rfind("x86_64", 0) != 0) return all;
  all.push_back(cpu::cross_target(host.triple, "x86-64"));
  if (host.vector_bytes >= 32) all.push_back(cpu::cross_target(host.triple, "haswell"));
  if (host.vector_bytes >= 64) all.push_back(cpu::cross_target(host.triple, "skylake-avx512"));
  return all;
}

std::string describe(const MatmulShape& s, const CpuMatmulTiling& t, const cpu::Target& target) {
  return fmt::format("matmul {}x{}x{} {} batch {} {}{} in tiles {}x{}, blocks {} {} {} for {}", s.m, s.n, s.k,
                     ir::name(s.dtype), s.batch.value_or(0), s.transpose_a ? "T" : "N", s.transpose_b ? "T" : "N",
                     t.tile_m, t.tile_n, t.block_m, t.block_n, t.block_k, target.cpu);
}

}  // namespace

TEST_CASE("matrix products of every shape, type and layout", "[property]") {
  Random random(20261122);
  native::Workers workers(2);
  const std::vector<cpu::Target> all = targets();
  for (int round = 0; round < test::rounds(8); ++round) {
    MatmulShape s;
    s.m = random.pick(1, 40);
    s.n = random.pick(1, 70);
    s.k = random.pick(1, 90);
    s.dtype = std::array{ir::kFloat32, ir::kFloat16, ir::kBFloat16, ir::kInt8}[static_cast<size_t>(random.pick(0, 3))];
    s.transpose_a = random.flip();
    s.transpose_b = random.flip();
    if (random.pick(0, 3) == 0) s.batch = random.pick(1, 3);
    const cpu::Target& target = all[static_cast<size_t>(round) % all.size()];
    const int threads = static_cast<int>(random.pick(1, 2));
    CpuMatmulTiling t = choose_cpu_matmul_tiling(s, target, threads);
    const bool any_tiling = random.flip();
    if (any_tiling) {
      // Any tiling is right, not only the one chosen.
      t.tile_m = random.pick(1, 9);
      t.tile_n = random.pick(1, 3) * 8;
      t.block_m = t.tile_m * random.pick(1, 3);
      t.block_n = t.tile_n * random.pick(1, 3);
      t.block_k = 16 * random.pick(1, 3);
    }
    const schedule::Schedule scheduled =
        any_tiling ? schedule_cpu_matmul(s, t, target, threads) : schedule_cpu_matmul(s, target, threads);
    INFO("round " << round << ": " << describe(s, t, target));
    INFO(ir::to_text(scheduled.function()));
    const ir::PrimFunc definition = cpu_matmul(s);
    const auto inputs = random.arrays(definition);
    const auto expected = run_interpreted(definition, inputs);
    const auto compiled = jit(scheduled.function(), target, checked_options());
    const vantage_runtime* runtime = threads > 1 ? workers.runtime() : nullptr;
    REQUIRE(first_difference(definition, expected, run_compiled(compiled, inputs, runtime)) == "");
    // The schedule itself, by the interpreter, which sees reads and writes outside of arrays.
    if (round % 4 == 0) {
      REQUIRE(first_difference(definition, expected, run_interpreted(scheduled.function(), inputs)) == "");
    }
  }
}

TEST_CASE("convolutions of every shape and type", "[property]") {
  Random random(20261123);
  native::Workers workers(2);
  const std::vector<cpu::Target> all = targets();
  for (int round = 0; round < test::rounds(12); ++round) {
    CpuConv2d conv;
    Conv2dShape& s = conv.shape;
    s.batch = random.pick(1, 2);
    s.in_channels = random.pick(1, 20);
    s.out_channels = random.pick(1, 40);
    s.kernel_h = random.pick(1, 3);
    s.kernel_w = random.pick(1, 3);
    s.stride = random.pick(1, 2);
    s.pad = random.pick(0, 2);
    s.height = random.pick(3, 9);
    s.width = random.pick(3, 18);
    if (random.flip()) conv.dtype = ir::kInt8;
    if (conv.dtype == ir::kInt8 && random.flip()) {
      conv.epilogue = Epilogue{random.flip(), static_cast<int>(random.pick(0, 8)), -20, 100};
    }
    const cpu::Target& target = all[static_cast<size_t>(round) % all.size()];
    const int threads = static_cast<int>(random.pick(1, 2));
    CpuConv2dTiling t = choose_cpu_conv2d_tiling(conv, target, threads);
    if (random.flip()) t = {random.pick(1, 7), random.pick(1, 3) * 8, random.pick(1, 4)};
    const schedule::Schedule scheduled = schedule_cpu_conv2d(conv, t, target, threads);
    const schedule::Schedule packing = schedule_weight_packing(conv, t);
    INFO("round " << round << " for " << target.cpu << "\n" << ir::to_text(scheduled.function()));
    const ir::PrimFunc definition = cpu_conv2d(conv);
    std::vector<Input> inputs = random.arrays(definition);
    const auto expected = run_interpreted(definition, inputs);
    const auto compiled = jit({scheduled.function(), packing.function()}, target, checked_options());
    const Tensor packed(conv.dtype == ir::kInt8 ? ir::kInt32 : ir::kFloat32, packed_weights_shape(conv, t));
    const auto weights = run_compiled(compiled[1], {inputs[1], packed}, workers.runtime());
    inputs[1] = weights[1];
    const auto got = run_compiled(compiled[0], inputs, threads > 1 ? workers.runtime() : nullptr);
    REQUIRE(vantage::difference(std::get<Tensor>(expected.back()), std::get<Tensor>(got.back())) == std::nullopt);
  }
}

TEST_CASE("other operators by the default schedule", "[property]") {
  Random random(20261124);
  native::Workers workers(2);
  const std::vector<cpu::Target> all = targets();
  for (int round = 0; round < test::rounds(20); ++round) {
    const int64_t rows = random.pick(1, 20), columns = random.pick(1, 70);
    const ir::DType floating = random.flip() ? ir::kFloat32 : ir::kFloat64;
    const ir::DType any = random.flip() ? floating : ir::kInt32;
    const ir::PrimFunc definition = [&] {
      switch (random.pick(0, 6)) {
        case 0: return define_multiply({rows, columns}, any);
        case 1: return define_row_sum(rows, columns, any);
        case 2: return define_row_max(rows, columns, any);
        case 3: return define_column_sum(rows, columns, any);
        case 4: return define_softmax(rows, columns, floating);
        case 5: return define_softmax_cross_entropy(rows, columns, floating);
        default: break;
      }
      DepthwiseShape s{1, columns, random.pick(3, 6), random.pick(3, 9), 3, random.pick(1, 2), random.pick(0, 1)};
      return define_depthwise_conv2d(s, random.flip() ? ir::kFloat32 : ir::kInt8);
    }();
    const cpu::Target& target = all[static_cast<size_t>(round) % all.size()];
    const schedule::Schedule scheduled = schedule_by_default(definition, target, 1 + round % 2);
    INFO("round " << round << " for " << target.cpu << "\n" << ir::to_text(scheduled.function()));
    std::vector<Input> inputs = random.arrays(definition);
    for (size_t p = 0; p < inputs.size(); ++p) {
      auto& array = std::get<Tensor>(inputs[p]);
      if (definition.buffers()[p]->name != "label") continue;
      for (int64_t e = 0; e < array.size(); ++e) array.set_integer(e, random.pick(0, columns - 1));
    }
    const auto expected = run_interpreted(definition, inputs);
    const auto got = run_compiled(jit(scheduled.function(), target, checked_options()), inputs,
                                  round % 2 == 1 ? workers.runtime() : nullptr);
    // Sums of whole numbers are exact. The exponentials of softmax and its loss are within 4 units in the last place
    // each, and so are sums of them, whatever their order: 16 units leave room for the division and the logarithm.
    const double unit = floating == ir::kFloat32 ? 0x1p-23 : 0x1p-52;
    const bool exponential = definition.name.rfind("softmax", 0) == 0;
    const Tolerance tolerance = exponential ? Tolerance{16 * unit, 16 * unit} : Tolerance{};
    REQUIRE(first_difference(definition, expected, got, tolerance) == "");
  }
}

}  // namespace vantage::test::ops_cpu_property_test
