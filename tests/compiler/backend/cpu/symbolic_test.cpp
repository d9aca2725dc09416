// Functions of any size: compiled once, run on many shapes and strides.
#include "base/tensor/random.h"
#include "compiler/ir/printer.h"
#include "compiler/ops/cpu/default_schedule.h"
#include "compiler/te/te.h"
#include "native/workers.h"
#include "tests/catch.h"
#include "tests/compiler/backend/cpu/run_compiled.h"
#include "tests/support/generator.h"

namespace vantage::test::backend_cpu_symbolic_test {

using namespace vantage;
using namespace vantage::test;
using namespace vantage::te;

namespace {

ir::PrimFunc matmul() {
  const Var m = var("m"), n = var("n"), k = var("k");
  const te::Tensor a = placeholder({m, k}, kInt32, "A"), b = placeholder({k, n}, kInt32, "B");
  const ReduceAxis r = reduce_axis(k, "r");
  const te::Tensor c = compute(
      {m, n}, [&](Expr i, Expr j) { return sum(a(i, r) * b(r, j), {r}); }, "C");
  return create_prim_func({a, b, c}, "matmul");
}

ir::PrimFunc window() {
  const Var n = var("n");
  const te::Tensor a = placeholder({n}, kInt32, "A");
  const te::Tensor t = compute(
      {n}, [&](Expr i) { return a(i) * 2; }, "T");
  const te::Tensor c = compute(
      {n},
      [&](Expr i) {
        return if_then_else(i >= 1, t(max(i - 1, 0)), 7) + if_then_else(i < n - 1, t(min(i + 1, n - 1)), 9);
      },
      "C");
  return create_prim_func({a, c}, "window");
}

ir::PrimFunc row_sum() {
  const Var m = var("m"), n = var("n");
  const te::Tensor a = placeholder({m, n}, kInt32, "A");
  const ReduceAxis r = reduce_axis(n, "r");
  return create_prim_func({a, compute(
                                  {m}, [&](Expr i) { return sum(a(i, r), {r}); }, "C")},
                          "row_sum");
}

ir::PrimFunc shifted() {
  const Var n = var("n"), by = var("by");
  const te::Tensor a = placeholder({n}, kInt32, "A");
  const te::Tensor c = compute(
      {n}, [&](Expr i) { return a(floor_mod(i + by, n)); }, "C");
  return create_prim_func({a, by, c}, "shifted");
}

}  // namespace

TEST_CASE("symbolic shapes and strides", "[property]") {
  std::mt19937_64 random = test::generator(20261125);
  native::Workers workers(2);
  const cpu::Target target = cpu::host_target();
  const auto pick = [&](int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random() % static_cast<uint64_t>(to - from + 1));
  };
  for (const auto& make : {matmul, window, row_sum, shifted}) {
    for (const bool scheduled : {false, true}) {
      for (const bool strided : {false, true}) {
        ir::PrimFunc f = scheduled ? ops::schedule_by_default(make(), target, 2).function() : make();
        f = with_params(f, [&](ir::BufferNode& buffer) {
          if (!strided) return;
          for (size_t d = 0; d < buffer.rank(); ++d)
            buffer.strides.push_back(var(fmt::format("{}_stride{}", buffer.name, d)));
        });
        const native::Function compiled = cpu::jit(f, target);
        INFO(ir::to_text(f));
        for (int round = 0; round < 12; ++round) {
          std::map<std::string, int64_t> sizes;
          const auto size_of = [&](const ir::Expr& size) {
            if (const int64_t* known = ir::as_int(size)) return *known;
            return sizes.emplace(ir::Var::of(size).name(), pick(1, 40)).first->second;
          };
          std::vector<Input> inputs;
          for (const ir::Param& param : f.params) {
            const auto* buffer = std::get_if<ir::Buffer>(&param);
            if (buffer == nullptr) {
              inputs.emplace_back(pick(0, 50));
              continue;
            }
            std::vector<int64_t> shape, strides;
            for (const ir::Expr& size : (*buffer)->shape) shape.push_back(size_of(size));
            if (strided) {
              strides.resize(shape.size());
              int64_t stride = pick(1, 2);
              for (size_t d = shape.size(); d-- > 0; stride = stride * shape[d] + pick(0, 5)) strides[d] = stride;
            }
            vantage::Tensor array(kInt32, shape, strides);
            fill(array, random);
            inputs.emplace_back(std::move(array));
          }
          const auto expected = run_interpreted(f, inputs);
          REQUIRE(first_difference(f, expected, run_compiled(compiled, inputs, workers.runtime())) == "");
        }
      }
    }
  }
}

}  // namespace vantage::test::backend_cpu_symbolic_test
