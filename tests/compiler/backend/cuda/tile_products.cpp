#include "tests/compiler/backend/cuda/tile_products.h"

#include "compiler/backend/cuda/calls.h"
#include "compiler/backend/cuda/externs.h"
#include "compiler/backend/cuda/lower.h"
#include "compiler/backend/cuda/split_kernels.h"
#include "compiler/ir/parse_function.h"
#include "compiler/ir/printer.h"
#include "compiler/te/te.h"
#include "tests/catch.h"
#include "tests/compiler/backend/cuda/on_processor.h"
#include "tests/driver/cuda/on_gpu.h"

namespace vantage::test {

ir::PrimFunc matmul(const Sizes& sizes, const cuda::TileProduct& p, DType out, const std::string& name) {
  const te::Tensor a = p.a_transposed ? te::placeholder({sizes.k, sizes.m}, p.operand, "A")
                                      : te::placeholder({sizes.m, sizes.k}, p.operand, "A");
  const te::Tensor b = p.b_transposed ? te::placeholder({sizes.n, sizes.k}, p.operand, "B")
                                      : te::placeholder({sizes.k, sizes.n}, p.operand, "B");
  const te::ReduceAxis k = te::reduce_axis(sizes.k, "k");
  const te::Tensor c = te::compute(
      {sizes.m, sizes.n},
      [&](const ir::Expr& i, const ir::Expr& j) {
        return te::sum(
            cast(p.sum, p.a_transposed ? a(k, i) : a(i, k)) * cast(p.sum, p.b_transposed ? b(j, k) : b(k, j)), {k});
      },
      "C");
  if (out == p.sum) return te::create_prim_func({a, b, c}, name);
  const te::Tensor rounded = te::compute(
      {sizes.m, sizes.n}, [&](const ir::Expr& i, const ir::Expr& j) { return cast(out, c(i, j)); }, "D");
  return te::create_prim_func({a, b, rounded}, name);
}

std::vector<cuda::Module> check_products(const std::vector<ScheduledProduct>& all) {
  std::vector<cuda::Module> modules;
  std::vector<std::vector<Tensor>> arrays, expected;
  for (const auto& [function, schedule] : all) {
    arrays.push_back(small_arrays(function));
    expected.push_back(run(function, arrays.back()));
    INFO(ir::to_text(schedule.function()));
    const ir::PrimFunc lowered = cuda::lower(schedule.function());
    const std::string lines = ir::to_text(lowered);
    INFO(lines);
    CHECK(ir::to_text(ir::parse_function(lines, "lowered", cuda::call_touches())) == lines);
    ir::InterpreterOptions options;
    options.externs = cuda::externs();
    REQUIRE(first_difference(function, expected.back(), run(lowered, arrays.back(), options)) == "");
    modules.push_back(cuda::split_kernels(lowered));
  }
  const OnProcessor processor(modules);
  const OnGpu gpu(modules);
  for (size_t i = 0; i < modules.size(); ++i) {
    INFO(source_of({modules[i]}));
    CHECK(first_difference(modules[i].host, expected[i], processor.run(i, arrays[i])) == "");
    if (const auto got = gpu.run(i, arrays[i])) CHECK(first_difference(modules[i].host, expected[i], *got) == "");
  }
  return modules;
}

std::vector<Tensor> small_arrays(const ir::PrimFunc& function) {
  std::mt19937_64 random(1);
  std::vector<Tensor> arrays = random_arrays(function, random);
  for (Tensor& array : arrays) {
    for (int64_t e = 0; e < array.size(); ++e) {
      const int64_t value = static_cast<int64_t>(random() % 16) - 8;
      array.dtype().is_float() ? array.set_number(e, static_cast<double>(value)) : array.set_integer(e, value);
    }
  }
  return arrays;
}

}  // namespace vantage::test
