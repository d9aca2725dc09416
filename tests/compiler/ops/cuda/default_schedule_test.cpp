// Default schedules for GPUs compute what their functions say: as threads of the interpreter, as C++ on a processor,
// and NVIDIA's compiler takes them.
#include "compiler/ops/cuda/default_schedule.h"

#include <cmath>

#include "base/error.h"
#include "base/tensor/compare.h"
#include "base/tensor/random.h"
#include "compiler/backend/cuda/externs.h"
#include "compiler/backend/cuda/lower.h"
#include "compiler/backend/cuda/nvrtc.h"
#include "compiler/backend/cuda/shared_banks.h"
#include "compiler/backend/cuda/split_kernels.h"
#include "compiler/graph/lower.h"
#include "compiler/graph/passes/fuse.h"
#include "compiler/graph/text.h"
#include "compiler/ir/interpreter/interpreter.h"
#include "compiler/ir/printer.h"
#include "compiler/te/te.h"
#include "tests/catch.h"
#include "tests/compiler/backend/cuda/on_processor.h"
#include "tests/compiler/backend/cuda/tile_products.h"
#include "tests/compiler/graph/random_graph.h"
#include "tests/compiler/ops/cuda/gpu_cases.h"
#include "tests/compiler/ops/random_call.h"
#include "tests/compiler/schedule/random_te.h"
#include "tests/driver/cuda/on_gpu.h"
#include "tests/support/effort.h"
#include "tests/support/generator.h"
#include "workload/images_innermost.h"

namespace vantage::test::compiler_ops_cuda_default_schedule_test {

using namespace vantage;
using ops::Integers;

namespace {

// Numbers that every operator takes: positive ones, and integers that may be indices and divisors.
Tensor mild_values(const TensorType& type, std::mt19937_64& random) {
  Tensor result(type.dtype, type.shape);
  if (!type.dtype.is_float()) {
    fill(result, random, 1, 1);
    return result;
  }
  fill(result, random);
  for (int64_t e = 0; e < result.size(); ++e) result.set_number(e, std::abs(result.number(e)) + 0.125);
  return result;
}

GpuCase case_of_graph(const graph::Graph& function, size_t number, std::mt19937_64& random) {
  const ir::PrimFunc lowered = graph::to_prim_func(function);
  std::vector<Tensor> inputs;
  for (const uint32_t input : function.inputs()) inputs.push_back(mild_values(function.type({input, 0}), random));
  return case_of(graph::to_text(function), lowered, number, arrays_of(lowered, std::move(inputs)));
}

}  // namespace

TEST_CASE("every operator has a schedule for GPUs that computes the same", "[property]") {
  std::mt19937_64 random = test::generator(20261127);
  const auto nvrtc = test::nvrtc_if_here();
  for (int round = 0; round < test::rounds(1); ++round) {
    std::vector<GpuCase> cases;
    for (const ops::Operator& op : ops::operators()) {
      const test::RandomCall call = test::random_call(op, random);
      const ir::PrimFunc function = test::formula_of(call);
      cases.push_back(case_of(test::describe(call), function, cases.size(), arrays_of(function, call.operands)));
    }
    check_cases(cases, nvrtc.get(),
                round == 0 ? std::vector<std::string>{"sm_80", "sm_90a"} : std::vector<std::string>());
  }
}

TEST_CASE("layers with whole tiles and with remainders compute the same by default schedules", "[property]") {
  std::mt19937_64 random = test::generator(7);
  std::vector<GpuCase> cases;
  // Long sums are of eighths, which are added up exactly in any order.
  bool are_eighths = false;
  const auto add = [&](const std::string& name, const std::vector<TensorType>& inputs, Given given = {},
                       const std::string& architecture = "") {
    const test::RandomCall call = call_of(name, inputs, std::move(given));
    const ir::PrimFunc function = test::formula_of(call);
    std::vector<Tensor> operands;
    for (const TensorType& input : inputs) {
      Tensor& operand = operands.emplace_back(input.dtype, input.shape);
      if (input.dtype.is_float()) {
        fill(operand, random);
      } else {
        fill(operand, random, -20, 20);
      }
      for (int64_t e = 0; are_eighths && input.dtype.is_float() && e < operand.size(); ++e) {
        operand.set_number(e, std::round(8 * operand.number(e)) / 8);
      }
    }
    cases.push_back(
        case_of(test::describe(call), function, cases.size(), arrays_of(function, std::move(operands)), architecture));
  };
  const auto has = [&](std::string_view call) {
    return ir::to_text(cases.back().lowered).find(call) != std::string::npos;
  };
  const Integers same = {1, 1, 1, 1};
  add("matmul", {{kFloat32, {64, 32}}, {kFloat32, {32, 64}}});
  add("matmul", {{kFloat32, {2, 21, 19}}, {kFloat32, {2, 19, 37}}});
  add("matmul", {{kFloat32, {24, 40}}, {kFloat32, {40, 20}}}, {{"transpose_a", false}});
  add("matmul", {{kFloat32, {3, 40, 24}}, {kFloat32, {1, 20, 40}}}, {{"transpose_a", true}, {"transpose_b", true}});
  add("matmul", {{kInt8, {33, 64}}, {kInt8, {64, 48}}});
  add("dense", {{kFloat32, {2, 9, 48}}, {kFloat32, {40, 48}}, {kFloat32, {40}}});
  add("dense", {{kFloat32, {1, 500}}, {kFloat32, {10, 500}}, {kFloat32, {10}}});
  add("conv2d", {{kFloat32, {1, 8, 16, 16}}, {kFloat32, {16, 8, 3, 3}}}, {{"padding", same}});
  add("conv2d", {{kFloat32, {2, 5, 13, 11}}, {kFloat32, {12, 5, 3, 3}}, {kFloat32, {12}}},
      {{"padding", same}, {"strides", Integers{2, 2}}});
  add("conv2d", {{kInt8, {1, 16, 9, 9}}, {kInt8, {18, 16, 3, 2}}}, {{"dilation", Integers{2, 1}}});
  add("conv2d", {{kFloat32, {1, 32, 6, 6}}, {kFloat32, {32, 8, 3, 3}}}, {{"padding", same}, {"groups", int64_t{4}}});
  add("conv2d", {{kFloat32, {1, 20, 8, 8}}, {kFloat32, {20, 1, 3, 3}}}, {{"padding", same}, {"groups", int64_t{20}}});
  add("conv2d", {{kFloat32, {1, 24, 7, 7}}, {kFloat32, {40, 24, 1, 1}}});
  // Too few channels for tensor cores.
  add("pixel_conv2d", {{kInt8, {1, 30, 9, 9}}, {kInt8, {7, 7, 30, 32}}}, {{"padding", same}, {"pixels", int64_t{32}}});
  // Sums that are made in parts.
  are_eighths = true;
  add("matmul", {{kFloat32, {24, 480}}, {kFloat32, {480, 36}}});
  // The longest axis of the sum is not the first.
  add("pixel_conv2d", {{kFloat32, {1, 8, 1, 200}}, {kFloat32, {1, 192, 8, 16}}}, {{"pixels", int64_t{8}}});
  CHECK(ir::to_text(cases.back().lowered).find("product_rf") != std::string::npos);
  add("pixel_conv2d", {{kFloat32, {2, 192, 5, 3}}, {kFloat32, {3, 3, 192, 32}}, {kFloat32, {32}}},
      {{"padding", same}, {"pixels", int64_t{32}}});
  CHECK(cuda::split_kernels(cases.back().lowered).kernels.size() == 2);
  // On tensor cores: what a kernel sees is brought there as it is fetched, or, where it is used often, by a kernel.
  const Given summed_up = {{"padding", same}, {"pixels", int64_t{32}}, {"dtype", kFloat32}};
  add("pixel_conv2d", {{kFloat16, {1, 40, 5, 8}}, {kFloat16, {3, 3, 40, 30}}}, summed_up, "sm_75");
  CHECK(has("T.cuda.multiply_tiles"));
  add("pixel_conv2d", {{kBFloat16, {2, 32, 6, 5}}, {kBFloat16, {3, 2, 32, 64}}, {kFloat32, {64}}}, summed_up, "sm_90a");
  CHECK(has("T.cuda.multiply_tiles"));
  const Integers beside = {0, 1, 0, 1};
  add("pixel_conv2d", {{kFloat16, {1, 64, 8, 8}}, {kFloat16, {1, 3, 64, 256}}},
      {{"padding", beside}, {"pixels", int64_t{32}}, {"dtype", kFloat32}}, "sm_90a");
  CHECK(has("shared.swizzled"));
  // Bytes are multiplied along the sum, in which no tensor has them.
  const Given in_int32 = {{"padding", same}, {"pixels", int64_t{32}}, {"dtype", kInt32}};
  add("pixel_conv2d", {{kInt8, {2, 72, 5, 6}}, {kInt8, {3, 3, 72, 40}}}, in_int32, "sm_75");
  CHECK(has("T.cuda.multiply_tiles"));
  add("pixel_conv2d", {{kInt8, {1, 128, 8, 8}}, {kInt8, {1, 3, 128, 256}}},
      {{"padding", beside}, {"pixels", int64_t{32}}, {"dtype", kInt32}}, "sm_90a");
  CHECK(has("shared.swizzled"));
  are_eighths = false;
  add("pixel_conv2d", {{kFloat32, {1, 8, 12, 8}}, {kFloat32, {3, 3, 8, 16}}},
      {{"padding", same}, {"pixels", int64_t{32}}});
  CHECK(cuda::split_kernels(cases.back().lowered).kernels.size() == 1);
  add("pixel_conv2d", {{kInt8, {1, 40, 7, 9}}, {kInt8, {1, 1, 40, 24}}},
      {{"strides", Integers{2, 1}}, {"pixels", int64_t{16}}});
  add("conv2d_transpose", {{kFloat32, {1, 10, 7, 7}}, {kFloat32, {10, 12, 3, 3}}}, {{"strides", Integers{2, 2}}});
  add("softmax", {{kFloat32, {5, 300}}});
  add("softmax", {{kFloat32, {20, 9, 50}}}, {{"axis", int64_t{1}}});
  CHECK(cuda::split_kernels(cases.back().lowered).kernels.size() == 1);
  add("softmax", {{kFloat32, {90, 100, 10}}});
  CHECK(cuda::split_kernels(cases.back().lowered).kernels.size() == 1);
  add("log_softmax", {{kFloat32, {2, 70, 3}}}, {{"axis", int64_t{1}}});
  add("layer_norm", {{kFloat32, {3, 2, 130}}, {kFloat32, {130}}, {kFloat32, {130}}});
  add("rms_norm", {{kFloat32, {4, 256}}, {kFloat32, {256}}});
  add("global_avg_pool2d", {{kFloat32, {2, 3, 12, 12}}});
  add("global_max_pool2d", {{kInt8, {2, 3, 9, 8}}});
  add("sum", {{kFloat32, {100, 70}}}, {{"axes", Integers{0}}});
  add("mean", {{kFloat32, {40, 50}}});
  add("argmax", {{kFloat32, {5, 200}}}, {{"axis", int64_t{1}}});
  add("top_k", {{kFloat32, {3, 100}}}, {{"k", int64_t{4}}});
  add("cumsum", {{kInt32, {3, 90}}}, {{"axis", int64_t{1}}});
  add("relu", {{kFloat32, {3, 10, 28, 28}}});
  add("add", {{kFloat32, {4, 96, 48}}, {kFloat32, {48}}});
  add("transpose", {{kFloat32, {7, 60, 52}}});
  add("transpose", {{kFloat32, {3, 70, 40}}}, {{"order", Integers{0, 2, 1}}});
  add("transpose", {{kInt8, {64, 2, 64}}});
  add("attention", {{kFloat32, {1, 2, 16, 8}}, {kFloat32, {1, 2, 72, 8}}, {kFloat32, {1, 2, 72, 16}}});
  check_cases(cases, test::nvrtc_if_here().get(), {"sm_90a"});
}

TEST_CASE("operators that are computed together have schedules for GPUs", "[property]") {
  std::mt19937_64 random = test::generator(3);
  std::vector<GpuCase> cases;
  for (int i = 0; i < test::rounds(8); ++i) {
    const graph::Graph fused = graph::fuse_operators(test::random_graph(random, 12));
    for (const graph::Node& node : fused.nodes()) {
      if (node.function != nullptr) cases.push_back(case_of_graph(*node.function, cases.size(), random));
    }
  }
  // A layer of a residual network, and one of a transformer.
  graph::Graph residual("residual");
  const graph::Value x = residual.input("x", {kFloat32, {1, 8, 14, 14}});
  const graph::Value weight = residual.input("weight", {kFloat32, {16, 8, 3, 3}});
  const graph::Value bias = residual.input("bias", {kFloat32, {16}});
  const graph::Value before = residual.input("before", {kFloat32, {1, 16, 14, 14}});
  const graph::Value product = residual.call("conv2d", {x, weight, bias}, {{"padding", Integers{1, 1, 1, 1}}});
  residual.set_outputs({residual.call("relu", {residual.call("add", {product, before})})});
  cases.push_back(case_of_graph(residual, cases.size(), random));
  CHECK(ir::to_text(cases.back().lowered).find("conv2d_local") != std::string::npos);
  CHECK(cuda::split_kernels(cases.back().lowered).kernels.size() == 1);
  graph::Graph gelu("gelu");
  const graph::Value rows = gelu.input("rows", {kFloat32, {2, 20, 40}});
  const graph::Value dense = gelu.call("dense", {rows, gelu.input("weight", {kFloat32, {36, 40}})});
  gelu.set_outputs({gelu.call("multiply", {gelu.call("sigmoid", {dense}), dense})});
  cases.push_back(case_of_graph(gelu, cases.size(), random));
  CHECK(cuda::split_kernels(cases.back().lowered).kernels.size() == 1);
  check_cases(cases, test::nvrtc_if_here().get(), {"sm_80"});
}

TEST_CASE("random functions have schedules for GPUs, recurrences too", "[property]") {
  std::mt19937_64 random = test::generator(5);
  std::vector<GpuCase> cases;
  for (int i = 0; i < test::rounds(30); ++i) {
    const ir::PrimFunc function = test::random_te_function(random);
    cases.push_back(case_of(ir::to_text(function), function, cases.size(), test::random_arrays(function, random)));
  }
  check_cases(cases, nullptr, {});
}

TEST_CASE("the steps of a recurrence are done by the thread of an element, or by a kernel each", "[unit]") {
  for (const bool of_others : {false, true}) {
    constexpr int64_t kSteps = 6, kSize = 40;
    const te::Tensor x = te::placeholder({kSteps, kSize}, kFloat32, "x"),
                     state = te::placeholder({kSteps, kSize}, kFloat32, "state");
    const te::Tensor init = te::compute(
        {1, kSize}, [&](const te::Expr&, const te::Expr& i) { return x(0, i); }, "init");
    const te::Tensor update = te::compute(
        {kSteps, kSize},
        [&](const te::Expr& t, const te::Expr& i) {
          return state(t - 1, of_others ? te::floor_mod(i + 1, kSize) : i) + x(t, i);
        },
        "update");
    const ir::PrimFunc function = te::create_prim_func({x, te::scan(init, update, state, "S")}, "steps");
    const ir::PrimFunc lowered =
        cuda::lower(ops::schedule_for_gpu(function, cuda::find_architecture("sm_80")).function());
    const cuda::Module module = cuda::split_kernels(lowered);
    INFO(cuda::to_text(module));
    CHECK(module.kernels.size() == 2);
    CHECK((cuda::to_text(module).find("for i in range(1, 6)") != std::string::npos) == of_others);
    std::mt19937_64 random(1);
    const std::vector<Tensor> arrays = test::random_arrays(function, random);
    REQUIRE(test::first_difference(function, test::run(function, arrays), test::run(lowered, arrays)) == "");
  }
}

TEST_CASE("products are made in tiles from shared memory", "[unit]") {
  const auto nvrtc = test::nvrtc_if_here();
  const Integers same = {1, 1, 1, 1};
  const test::RandomCall calls[] = {
      call_of("matmul", {{kFloat32, {512, 512}}, {kFloat32, {512, 512}}}),
      call_of("dense", {{kFloat32, {128, 768}}, {kFloat32, {3072, 768}}, {kFloat32, {3072}}}),
      call_of("conv2d", {{kFloat32, {1, 64, 56, 56}}, {kFloat32, {64, 64, 3, 3}}}, {{"padding", same}}),
      call_of("conv2d", {{kFloat32, {1, 64, 56, 56}}, {kFloat32, {256, 64, 1, 1}}, {kFloat32, {256}}}),
      call_of("conv2d", {{kFloat32, {32, 64, 56, 56}}, {kFloat32, {64, 64, 3, 3}}}, {{"padding", same}}),
      call_of("pixel_conv2d", {{kFloat32, {8, 64, 28, 28}}, {kFloat32, {3, 3, 64, 128}}, {kFloat32, {128}}},
              {{"padding", same}, {"pixels", int64_t{64}}}),
      call_of("matmul", {{kFloat32, {2048, 2048}}, {kFloat32, {2048, 2048}}}),
      call_of("matmul", {{kFloat16, {2048, 2048}}, {kFloat16, {2048, 2048}}}),
      call_of("matmul", {{kBFloat16, {2048, 2048}}, {kBFloat16, {2048, 2048}}}),
      call_of("conv2d", {{kInt8, {1, 64, 56, 56}}, {kInt8, {64, 64, 3, 3}}}, {{"padding", same}}),
  };
  for (const test::RandomCall& call : calls) {
    for (const std::string architecture : {"sm_75", "sm_90a"}) {
      INFO(test::describe(call) << " for " << architecture);
      // Steps overlap where copies are made beside the threads, and sums are of 32 bits.
      const bool overlaps = architecture != "sm_75" && !call.call.inputs[0].dtype.is_narrow_float();
      const Compiled c = compiled(call, nvrtc.get(), architecture);
      INFO(c.text);
      // One kernel, of which padding and bias are part; or one more that adds up what others made of the sums.
      const bool is_in_parts = c.count("_rf_local[") > 0;
      CHECK(c.count("__global__") == (is_in_parts ? 2 : 1));
      CHECK(c.count("__syncthreads()") == (overlaps ? 1 : 2));
      CHECK((c.count("vt::commit_copies()") > 0) == overlaps);
      CHECK(c.count("vt::store(") >= 1);
      if (!is_in_parts) CHECK(c.count("if (k_0 == 0)") == 0);
    }
  }
  // Both operands are fetched by 16 bytes, and what a thread multiplies is read by as many.
  const Compiled c = compiled(calls[6], nullptr);
  CHECK(c.count("vt::copy_async<16>") == 6);
  CHECK(c.count("vt::copy_async<4>") == 0);
  CHECK(c.count("vt::load<4>") == 3);
  // What lies apart, or is not there, is copied beside the threads all the same.
  CHECK(compiled(calls[5], nullptr).count("vt::copy_async<4>(&seen[") == 3);
  CHECK(compiled(calls[5], nullptr, "sm_75").count("copy_async") == 0);
}

TEST_CASE("products of matrices are made by tensor cores", "[unit]") {
  const auto nvrtc = test::nvrtc_if_here();
  struct Wanted {
    std::string product;  // whose sides lie so
    Sizes sizes;
    DType out;
    bool by_group;  // where there are warpgroups
  };
  const std::vector<Wanted> all = {
      {"tile.f16_nn", {64, 128, 192}, kFloat32, true}, {"tile.f16_nt", {128, 64, 128}, kFloat16, true},
      {"tile.f16_tn", {64, 64, 256}, kFloat32, true},  {"tile.f16_tt", {192, 64, 64}, kFloat32, true},
      {"tile.i8_nt", {64, 64, 256}, kInt32, true},     {"tile.f16_nn", {96, 96, 96}, kFloat32, false},
      {"tile.f16_nt", {16, 32, 32}, kFloat32, false},  {"tile.bf16_nt", {64, 128, 128}, kBFloat16, true},
      {"tile.bf16_nn", {32, 32, 64}, kFloat32, false},
  };
  std::vector<ir::PrimFunc> functions;
  std::vector<std::vector<Tensor>> arrays, expected;
  for (const Wanted& wanted : all) {
    functions.push_back(matmul(wanted.sizes, cuda::find_tile_product(wanted.product), wanted.out,
                               fmt::format("f{}", functions.size())));
    arrays.push_back(small_arrays(functions.back()));
    expected.push_back(test::run(functions.back(), arrays.back()));
  }
  for (const std::string architecture : {"sm_80", "sm_90a"}) {
    std::vector<cuda::Module> modules;
    for (const Wanted& wanted : all) {
      const ir::PrimFunc& function = functions[modules.size()];
      INFO(wanted.product << " " << function.name << " for " << architecture);
      const auto s = ops::schedule_for_gpu(function, cuda::find_architecture(architecture));
      modules.push_back(cuda::split_kernels(cuda::lower(s.function())));
      const std::string text = test::source_of({modules.back()});
      INFO(text);
      const bool by_group = wanted.by_group && architecture == "sm_90a";
      CHECK(modules.back().kernels.size() == 1);
      CHECK((text.find("vt::multiply_group<") != std::string::npos) == by_group);
      CHECK((text.find("vt::multiply_tiles(") != std::string::npos) == !by_group);
    }
    const test::OnProcessor processor(modules);
    const test::OnGpu gpu(modules);
    for (size_t i = 0; i < modules.size(); ++i) {
      INFO(all[i].product << " " << modules[i].host.name << " for " << architecture);
      CHECK(test::first_difference(modules[i].host, expected[i], processor.run(i, arrays[i])) == "");
      if (const auto got = gpu.run(i, arrays[i])) {
        CHECK(test::first_difference(modules[i].host, expected[i], *got) == "");
      }
    }
    if (nvrtc != nullptr) CHECK(test::complaint(*nvrtc, test::source_of(modules), architecture) == "");
  }
}

// Tensor cores multiply bytes that lie along the sum.
TEST_CASE("bytes are turned for tensor cores where they lie otherwise", "[unit]") {
  for (const std::string architecture : {"sm_80", "sm_90a"}) {
    std::vector<GpuCase> cases;
    for (const auto& [a_transposed, b_transposed] :
         {std::pair{false, false}, {true, false}, {false, true}, {true, true}}) {
      cuda::TileProduct product = cuda::find_tile_product("tile.i8_nt");
      product.a_transposed = a_transposed;
      product.b_transposed = b_transposed;
      const ir::PrimFunc function = matmul({64, 64, 128}, product, kInt32, "f");
      cases.push_back(case_of(ir::to_text(function), function, cases.size(), small_arrays(function), architecture));
      const cuda::Module module = cuda::split_kernels(cases.back().lowered);
      const std::string text = test::source_of({module});
      INFO(text);
      CHECK(module.kernels.size() == 1U + (a_transposed ? 1 : 0) + (b_transposed ? 0 : 1));
      CHECK_THAT(text, ContainsSubstring(architecture == "sm_80" ? "vt::multiply_tiles(" : "vt::multiply_group<"));
    }
    check_cases(cases, test::nvrtc_if_here().get(), {architecture});
  }
}

TEST_CASE("convolutions of bytes are made in tiles, whatever is turned for that", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  const auto pick = [&](int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random() % static_cast<uint64_t>(to - from + 1));
  };
  for (const std::string architecture : {"sm_75", "sm_90a"}) {
    std::vector<GpuCase> cases;
    for (int i = 0; i < test::rounds(1); ++i) {
      const int64_t channels = pick(0, 1) == 0 ? 32 * pick(1, 4) : pick(20, 130), kernel = pick(1, 3);
      const Integers strides = {pick(1, 2), pick(1, 2)}, padding = {pick(0, 1), pick(0, 1), pick(0, 1), pick(0, 1)};
      const test::RandomCall call =
          call_of("pixel_conv2d",
                  {{kInt8, {pick(1, 2), channels, pick(3, 8), pick(3, 8)}},
                   {kInt8, {kernel, pick(1, 3), channels, pick(8, 80)}}},
                  {{"strides", strides}, {"padding", padding}, {"pixels", 8 * pick(1, 4)}, {"dtype", kInt32}});
      const ir::PrimFunc function = test::formula_of(call);
      cases.push_back(case_of(ir::to_text(function), function, cases.size(), small_arrays(function), architecture));
    }
    check_cases(cases, test::nvrtc_if_here().get(), {architecture});
  }
}

// Sides and sums of any length: tiles go beyond their ends, over zeros.
TEST_CASE("products of matrices of any size are made in tiles", "[property]") {
  std::mt19937_64 random = test::generator(20261127);
  const auto nvrtc = test::nvrtc_if_here();
  const auto pick = [&](int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random() % static_cast<uint64_t>(to - from + 1));
  };
  for (int round = 0; round < test::rounds(1); ++round) {
    std::vector<ir::PrimFunc> functions;
    std::vector<std::vector<Tensor>> arrays, expected;
    for (int i = 0; i < 5; ++i) {
      cuda::TileProduct product =
          cuda::tile_products()[static_cast<size_t>(pick(0, static_cast<int64_t>(cuda::tile_products().size()) - 1))];
      if (i == 0) product.operand = product.sum = kFloat32;
      product.a_transposed = pick(0, 1) == 0;
      product.b_transposed = pick(0, 1) == 0;
      const Sizes sizes = {pick(8, 100), pick(8, 100), pick(8, 100)};
      const DType out = product.operand.is_narrow_float() && pick(0, 1) == 0 ? product.operand : product.sum;
      functions.push_back(matmul(sizes, product, out, fmt::format("f{}", functions.size())));
      arrays.push_back(small_arrays(functions.back()));
      expected.push_back(test::run(functions.back(), arrays.back()));
    }
    for (const std::string architecture : {"sm_75", "sm_80", "sm_90a"}) {
      std::vector<cuda::Module> modules;
      for (const ir::PrimFunc& function : functions) {
        INFO(ir::to_text(function) << " for " << architecture);
        const auto s = ops::schedule_for_gpu(function, cuda::find_architecture(architecture));
        modules.push_back(cuda::split_kernels(cuda::lower(s.function())));
      }
      const test::OnProcessor processor(modules);
      const test::OnGpu gpu(modules);
      for (size_t i = 0; i < modules.size(); ++i) {
        INFO(ir::to_text(functions[i]) << test::source_of({modules[i]}) << " for " << architecture);
        CHECK(test::first_difference(modules[i].host, expected[i], processor.run(i, arrays[i])) == "");
        if (const auto got = gpu.run(i, arrays[i])) {
          CHECK(test::first_difference(modules[i].host, expected[i], *got) == "");
        }
      }
      if (nvrtc != nullptr) CHECK(test::complaint(*nvrtc, test::source_of(modules), architecture) == "");
    }
  }
}

TEST_CASE("convolutions of images that lie innermost are made in tiles", "[property]") {
  std::mt19937_64 random(Catch::rngSeed());
  const auto pick = [&](int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random() % static_cast<uint64_t>(to - from + 1));
  };
  const auto side = [&] { return pick(0, 1) == 0 ? 16 * pick(1, 4) : pick(8, 70); };
  for (const std::string architecture : {"sm_80", "sm_90a"}) {
    std::vector<GpuCase> cases;
    for (int i = 0; i < test::rounds(1); ++i) {
      const DType type = std::vector{kFloat32, kFloat16, kBFloat16}[static_cast<size_t>(pick(0, 2))];
      const DType result = pick(0, 1) == 0 ? kFloat32 : type;
      const ir::PrimFunc function =
          workload::conv2d({pick(1, 3), side(), side(), side(), 2 * pick(0, 1) + 1}, type, result, "conv2d");
      cases.push_back(case_of(ir::to_text(function), function, cases.size(), small_arrays(function), architecture));
    }
    check_cases(cases, test::nvrtc_if_here().get(), {architecture});
  }
}

// What does not do what it should is found by what the kernels are, and how many.
TEST_CASE("tiles that cost least make products on tensor cores", "[unit]") {
  const auto text_of = [](const Sizes& sizes, size_t kernels, DType out = kFloat32) {
    const ir::PrimFunc function = matmul(sizes, cuda::find_tile_product("tile.f16_nn"), out, "f");
    const auto s = ops::schedule_for_gpu(function, cuda::find_architecture("sm_90a"));
    const cuda::Module module = cuda::split_kernels(cuda::lower(s.function()));
    CHECK(module.kernels.size() == kernels);
    return test::source_of({module});
  };
  // Larger tiles over zeros before small ones without, but where there is little to do.
  CHECK_THAT(text_of({4000, 4000, 4000}, 2), ContainsSubstring("vt::multiply_group<256"));
  CHECK_THAT(text_of({96, 96, 96}, 1), ContainsSubstring("vt::multiply_tiles("));
  CHECK_THAT(text_of({4096, 4096, 4096}, 1, kFloat16), ContainsSubstring("vt::multiply_group<256"));
  // Nothing is cut out where the sum alone is longer.
  CHECK_THAT(text_of({1024, 1024, 1008}, 1), ContainsSubstring("vt::multiply_group<"));
  // What kernels see is written to memory for many outputs only.
  const auto convolution = [](int64_t channels, int64_t outputs) {
    const test::RandomCall call =
        call_of("pixel_conv2d", {{kFloat16, {1, channels, 14, 14}}, {kFloat16, {3, 3, channels, outputs}}},
                {{"padding", Integers{1, 1, 1, 1}}, {"pixels", int64_t{64}}, {"dtype", kFloat32}});
    return compiled(call, nullptr, "sm_90a").text;
  };
  for (const int64_t channels : {40, 64}) {
    CHECK_THAT(convolution(channels, 64),
               ContainsSubstring("vt::multiply_tiles(") && !ContainsSubstring("__restrict__ seen"));
    CHECK_THAT(convolution(channels, 256), ContainsSubstring("vt::multiply_group<"));
  }
}

TEST_CASE("sides that no tile divides are no reason to leave tensor cores", "[unit]") {
  const auto text_of = [](int64_t side, const std::string& architecture, size_t kernels) {
    const ir::PrimFunc function = matmul({side, side, side}, cuda::find_tile_product("tile.f16_nn"), kFloat16, "f");
    const auto s = ops::schedule_for_gpu(function, cuda::find_architecture(architecture));
    const cuda::Module module = cuda::split_kernels(cuda::lower(s.function()));
    CHECK(module.kernels.size() == kernels);
    return test::source_of({module});
  };
  // The copy engine fills up rows that begin where it can read; other ones are copied to where it can, each by a
  // kernel. The last kernel rounds what is wanted.
  CHECK_THAT(text_of(1000, "sm_90a", 2), ContainsSubstring("vt::multiply_group<"));
  CHECK_THAT(text_of(1001, "sm_90a", 4), ContainsSubstring("vt::multiply_group<"));
  CHECK_THAT(text_of(1000, "sm_80", 2),
             ContainsSubstring("vt::multiply_tiles(") && ContainsSubstring("copy_async<16>"));
  CHECK_THAT(text_of(1001, "sm_80", 2), ContainsSubstring("vt::multiply_tiles("));
  // Elements of tiles are asked about where they are fetched and stored, and not where they are multiplied.
  const test::RandomCall call = call_of("matmul", {{kFloat32, {1000, 1000}}, {kFloat32, {1000, 1000}}});
  const Compiled c = compiled(call, nullptr, "sm_90a");
  INFO(c.text);
  const size_t product = c.text.find(" = fmaf(");
  REQUIRE(product != std::string::npos);
  CHECK(c.text.rfind("if (", product) < c.text.rfind("vt::commit_copies();", product));
  const std::string behind = c.text.substr(product);
  CHECK_THAT(behind, ContainsSubstring(" < 1000) {"));
}

TEST_CASE("a warp's threads load for their products what their neighbours load", "[unit]") {
  const std::vector<test::RandomCall> calls = {
      call_of("matmul", {{kFloat32, {512, 512}}, {kFloat32, {512, 512}}}),
      call_of("matmul", {{kFloat32, {1000, 1000}}, {kFloat32, {1000, 1000}}}),
      call_of("matmul", {{kFloat32, {4096, 256}}, {kFloat32, {256, 4096}}}),
      call_of("dense", {{kFloat32, {256, 512}}, {kFloat32, {512, 512}}, {kFloat32, {512}}}),
      call_of("conv2d", {{kFloat32, {1, 64, 56, 56}}, {kFloat32, {64, 64, 3, 3}}, {kFloat32, {64}}}),
  };
  for (const test::RandomCall& call : calls) {
    INFO(test::describe(call));
    const auto s = ops::schedule_for_gpu(test::formula_of(call), cuda::find_architecture("sm_90a"));
    int64_t loads = 0;
    for (const cuda::Kernel& kernel : cuda::split_kernels(cuda::lower(s.function())).kernels) {
      for (const cuda::BankUse& use : cuda::bank_uses(kernel, cuda::write_kernel(kernel).shared_accesses)) {
        if (!use.access.is_vector_load) continue;
        INFO(use.access.text);
        CHECK(use.ways == 1);
        CHECK(use.rounds <= 2);
        ++loads;
      }
    }
    CHECK(loads > 0);
  }
}

TEST_CASE("products that an architecture's tensor cores lack are made without them", "[unit]") {
  const cuda::TileProduct& p = cuda::find_tile_product("tile.bf16_nt");
  const ir::PrimFunc function = matmul({64, 64, 64}, p, kBFloat16, "f");
  const auto s = ops::schedule_for_gpu(function, cuda::find_architecture("sm_75"));
  const std::vector<cuda::Module> modules = {cuda::split_kernels(cuda::lower(s.function()))};
  const std::string text = test::source_of(modules);
  INFO(text);
  CHECK(text.find("vt::multiply_tiles(") == std::string::npos);
  const auto arrays = small_arrays(function);
  CHECK(test::first_difference(function, test::run(function, arrays), test::OnProcessor(modules).run(0, arrays)) == "");
  if (const auto nvrtc = test::nvrtc_if_here()) CHECK(test::complaint(*nvrtc, text, "sm_75") == "");
}

TEST_CASE("transposes are turned in shared memory", "[unit]") {
  const auto nvrtc = test::nvrtc_if_here();
  const Compiled c = compiled(call_of("transpose", {{kFloat32, {512, 384}}}), nvrtc.get());
  INFO(c.text);
  CHECK(c.count("__global__") == 1);
  // Without the same bank for all of a column.
  CHECK(c.count("__shared__ float in0_shared[1055]") == 1);
  CHECK(c.count("__syncthreads()") == 1);
  for (const DType type : {kFloat32, kFloat16, kInt8}) {
    const ir::PrimFunc function = test::formula_of(call_of("transpose", {{type, {512, 384}}}));
    const auto s = ops::schedule_for_gpu(function, cuda::find_architecture("sm_80"));
    const cuda::Module module = cuda::split_kernels(cuda::lower(s.function()));
    for (const cuda::BankUse& use :
         cuda::bank_uses(module.kernels[0], cuda::write_kernel(module.kernels[0]).shared_accesses)) {
      INFO(name(type) << " " << use.access.text);
      CHECK(use.ways == 1);
    }
  }
}

TEST_CASE("sizes may be known when a kernel is launched only", "[unit]") {
  const te::Var n("n");
  const te::Tensor a = te::placeholder({n, 20}, kFloat32, "A");
  const te::ReduceAxis k = te::reduce_axis(20, "k");
  const te::Tensor twice = te::map(
      a, [](const te::Expr& e) { return e + e; }, "twice");
  const te::Tensor sums = te::compute(
      {n}, [&](const te::Expr& i) { return te::sum(a(i, k), {k}); }, "sums");
  const te::Tensor rest = te::compute(
      {n, 20}, [&](const te::Expr& i, const te::Expr& j) { return a(i, j) - sums(i); }, "rest");
  const ir::PrimFunc function = te::create_prim_func({a, twice, sums}, "sized");
  const ir::PrimFunc lowered =
      cuda::lower(ops::schedule_for_gpu(function, cuda::find_architecture("sm_80")).function());
  INFO(ir::to_text(lowered));
  CHECK(cuda::split_kernels(lowered).kernels.size() == 2);
  const ir::PrimFunc by_rows = te::create_prim_func({a, rest}, "rows");
  const ir::PrimFunc lowered_rows =
      cuda::lower(ops::schedule_for_gpu(by_rows, cuda::find_architecture("sm_80")).function());
  INFO(ir::to_text(lowered_rows));
  CHECK(cuda::split_kernels(lowered_rows).kernels.size() == 1);
  std::mt19937_64 random(1);
  for (const int64_t size : {1, 300}) {
    std::vector<Tensor> arrays;
    arrays.push_back(mild_values({kFloat32, {size, 20}}, random));
    arrays.emplace_back(kFloat32, Tensor::Shape{size, 20});
    arrays.emplace_back(kFloat32, Tensor::Shape{size});
    REQUIRE(test::first_difference(function, test::run(function, arrays), test::run(lowered, arrays)) == "");
    arrays.pop_back();
    const std::vector<Tensor> expected = test::run(by_rows, arrays), got = test::run(lowered_rows, arrays);
    REQUIRE(difference(expected[1], got[1], {0x1p-18, 0x1p-18}).value_or("") == "");
  }
}

TEST_CASE("elements that lie side by side are moved by one access", "[unit]") {
  const auto nvrtc = test::nvrtc_if_here();
  const Compiled c = compiled(call_of("relu", {{kFloat32, {1, 64, 56, 56}}}), nvrtc.get());
  INFO(c.text);
  CHECK(c.count("vt::load<4>") == 1);
  CHECK(c.count("vt::store(") == 1);
  CHECK(c.count("block (256, 1, 1)") == 1);
}

}  // namespace vantage::test::compiler_ops_cuda_default_schedule_test
