// Long folds and thin products: threads share them, read what lies side by side, and read it once.
#include "compiler/backend/cuda/lower.h"
#include "compiler/backend/cuda/shared_banks.h"
#include "compiler/backend/cuda/split_kernels.h"
#include "compiler/ir/printer.h"
#include "compiler/ops/cuda/default_schedule.h"
#include "compiler/te/te.h"
#include "tests/catch.h"
#include "tests/compiler/backend/cuda/on_processor.h"
#include "tests/compiler/ops/cuda/gpu_cases.h"
#include "tests/driver/cuda/on_gpu.h"
#include "tests/support/effort.h"
#include "tests/support/generator.h"

namespace vantage::test::compiler_ops_cuda_fold_schedule_test {

using namespace vantage;
using ops::Integers;

namespace {

// Rows by a matrix, which has a row for each result, or a column.
ir::PrimFunc rows_by_matrix(int64_t m, int64_t n, int64_t k, DType type, bool by_columns) {
  const te::Tensor x = te::placeholder({m, k}, type, "x");
  const te::Tensor w = by_columns ? te::placeholder({k, n}, type, "w") : te::placeholder({n, k}, type, "w");
  const te::ReduceAxis along = te::reduce_axis(k, "k");
  const DType sums = type.is_float() ? kFloat32 : kInt32;
  const te::Tensor y = te::compute(
      {m, n},
      [&](const te::Expr& i, const te::Expr& j) {
        return te::sum(ir::cast(sums, x(i, along)) * ir::cast(sums, by_columns ? w(along, j) : w(j, along)), {along});
      },
      "y");
  return te::create_prim_func({x, w, y}, "rows_by_matrix");
}

// Folds of an array over some of its axes: results lie side by side, or what is folded does.
ir::PrimFunc fold(const std::vector<int64_t>& sizes, const std::vector<bool>& folded, DType type) {
  std::vector<te::Expr> all, left;
  std::vector<te::ReduceAxis> axes;
  for (size_t d = 0; d < sizes.size(); ++d) {
    all.emplace_back(sizes[d]);
    if (folded[d]) axes.push_back(te::reduce_axis(sizes[d], fmt::format("k{}", d)));
    if (!folded[d]) left.emplace_back(sizes[d]);
  }
  const te::Tensor x = te::placeholder(all, type, "x");
  const te::Tensor y = te::compute(
      left,
      [&](const std::vector<te::Var>& i) {
        std::vector<te::Expr> at;
        size_t next = 0, axis = 0;
        for (const bool is_folded : folded) at.push_back(is_folded ? te::Expr(axes[axis++].var) : te::Expr(i[next++]));
        return te::max(x.at(at), axes);
      },
      "y");
  return te::create_prim_func({x, y}, "fold");
}

// Eighths, which are added up exactly in any order, and small integers.
std::vector<Tensor> exact_values(const ir::PrimFunc& function, std::mt19937_64& random) {
  std::vector<Tensor> arrays = test::arrays_of(function, {});
  for (Tensor& array : arrays) {
    for (int64_t e = 0; e < array.size(); ++e) {
      const auto number = static_cast<double>(random() % 33) - 16;
      array.set_number(e, array.dtype().is_float() ? number / 8 : number);
    }
  }
  return arrays;
}

cuda::Module module_of(const ir::PrimFunc& function, const std::string& architecture = "sm_90a") {
  return cuda::split_kernels(
      cuda::lower(ops::schedule_for_gpu(function, cuda::find_architecture(architecture)).function()));
}

}  // namespace

TEST_CASE("thin products and folds compute what they should, however threads share them", "[property]") {
  std::mt19937_64 random = test::generator(20261201);
  const auto pick = [&](int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random() % static_cast<uint64_t>(to - from + 1));
  };
  const auto nvrtc = test::nvrtc_if_here();
  for (int round = 0; round < test::rounds(1); ++round) {
    std::vector<test::GpuCase> cases;
    for (int i = 0; i < 10; ++i) {
      const DType type = std::vector{kFloat32, kFloat16, kInt8}[random() % 3];
      const int64_t k = pick(0, 1) == 0 ? 128 * pick(1, 5) : pick(64, 500);
      const int64_t n = pick(0, 1) == 0 ? 8 * pick(1, 12) : pick(1, 80);
      const ir::PrimFunc function = rows_by_matrix(pick(1, 7), n, k, type, i % 2 == 0);
      cases.push_back(test::case_of(ir::to_text(function), function, cases.size(), exact_values(function, random)));
    }
    for (int i = 0; i < 10; ++i) {
      std::vector<int64_t> sizes;
      std::vector<bool> folded;
      for (int64_t d = pick(1, 4); d > 0; --d) {
        sizes.push_back(pick(1, d == 1 ? 90 : 20));
        folded.push_back(pick(0, 1) == 0);
      }
      folded[random() % folded.size()] = true;
      sizes[static_cast<size_t>(std::ranges::find(folded, true) - folded.begin())] = pick(64, 200);
      const ir::PrimFunc function = fold(sizes, folded, random() % 2 == 0 ? kFloat32 : kInt32);
      cases.push_back(test::case_of(ir::to_text(function), function, cases.size(), exact_values(function, random)));
    }
    test::check_cases(cases, nvrtc.get(), round == 0 ? std::vector<std::string>{"sm_80"} : std::vector<std::string>());
  }
}

TEST_CASE("a matrix is read once, by threads whose elements lie side by side", "[unit]") {
  for (const int64_t rows : {1, 4}) {
    // A row of threads makes 32 results that are neighbours, and reads what these are neighbours in.
    const cuda::Module columns = module_of(rows_by_matrix(rows, 4096, 4096, kFloat32, true));
    REQUIRE(columns.kernels.size() == 1);
    CHECK(*ir::as_int(columns.kernels[0].block[0]) == 32);
    CHECK(*ir::as_int(columns.kernels[0].block[1]) == 32);
    const std::string by_columns = test::source_of({columns});
    INFO(by_columns);
    CHECK_THAT(by_columns, ContainsSubstring("Grid (128, 1, 1)"));
    // Threads share each row of the matrix, four elements at a time.
    const cuda::Module along = module_of(rows_by_matrix(rows, 4096, 4096, kFloat32, false));
    const std::string by_rows = test::source_of({along});
    INFO(by_rows);
    CHECK_THAT(by_rows, ContainsSubstring("Grid (4096, 1, 1)"));
    CHECK_THAT(by_rows, ContainsSubstring("vt::load<4>(&w["));
    for (const cuda::Module& module : {columns, along}) {
      const cuda::Kernel& kernel = module.kernels[0];
      for (const cuda::BankUse& use : cuda::bank_uses(kernel, cuda::write_kernel(kernel).shared_accesses)) {
        INFO(use.access.text);
        CHECK(use.ways == 1);
      }
    }
  }
  // Bytes come sixteen at a time.
  CHECK_THAT(test::source_of({module_of(rows_by_matrix(2, 512, 4096, kInt8, false))}),
             ContainsSubstring("vt::load<16>(&w["));
}

TEST_CASE("a block of threads folds each row", "[unit]") {
  const auto nvrtc = test::nvrtc_if_here();
  const test::RandomCall calls[] = {
      test::call_of("softmax", {{kFloat32, {8, 1000}}}),
      test::call_of("layer_norm", {{kFloat32, {128, 768}}, {kFloat32, {768}}, {kFloat32, {768}}}),
      test::call_of("global_avg_pool2d", {{kFloat32, {1, 64, 14, 14}}}),
      test::call_of("dense", {{kFloat32, {1, 2048}}, {kFloat32, {1000, 2048}}, {kFloat32, {1000}}}),
      test::call_of("dense", {{kFloat16, {4, 2048}}, {kFloat16, {1000, 2048}}, {kFloat16, {1000}}}),
  };
  for (const test::RandomCall& call : calls) {
    INFO(test::describe(call));
    const test::Compiled c = test::compiled(call, nvrtc.get());
    INFO(c.text);
    CHECK(c.count("__global__") == 1);
    CHECK(c.count("__shared__") >= 1);
    CHECK(c.count("__syncthreads()") >= 1);
  }
}

}  // namespace vantage::test::compiler_ops_cuda_fold_schedule_test
