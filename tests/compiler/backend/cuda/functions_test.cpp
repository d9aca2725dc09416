// Expressions and statements of every type and kind, as CUDA C++, have the values that the interpreter gives them.
#include "compiler/backend/cuda/split_kernels.h"
#include "compiler/ir/printer.h"
#include "compiler/passes/lower_blocks.h"
#include "compiler/passes/plan_allocations.h"
#include "tests/catch.h"
#include "tests/compiler/backend/cuda/on_processor.h"
#include "tests/compiler/ir/random_case.h"
#include "tests/support/effort.h"

namespace vantage::test::compiler_backend_cuda_functions_test {

using namespace vantage;
using namespace vantage::ir;

namespace {

// Many are compiled at once.
constexpr size_t kBatch = 96;

void check(const std::vector<test::RandomCase>& cases) {
  std::vector<cuda::Module> modules;
  for (const test::RandomCase& c : cases) {
    // Simplification takes indices not to overflow; these do.
    modules.push_back(cuda::split_kernels(passes::lower_blocks(passes::plan_allocations(c.function))));
  }
  const test::OnProcessor processor(modules, true);
  for (size_t i = 0; i < cases.size(); ++i) {
    INFO(to_text(cases[i].function) << test::source_of({modules[i]}, true));
    REQUIRE(test::first_difference(cases[i].function, cases[i].expected, processor.run(i, cases[i].inputs)) == "");
  }
  if (const auto nvrtc = test::nvrtc_if_here()) {
    CHECK(test::complaint(*nvrtc, test::source_of(modules, true), "sm_80") == "");
  }
}

// Runs batches of cases, one per seed.
void check_seeds(int count, int at_least, const std::function<std::optional<test::RandomCase>(uint64_t seed)>& make) {
  std::vector<test::RandomCase> batch;
  int defined = 0;
  for (int seed = 0; seed < count; ++seed) {
    if (auto c = make(static_cast<uint64_t>(seed))) {
      ++defined;
      batch.push_back(std::move(*c));
    }
    if (batch.size() < kBatch && seed + 1 < count) continue;
    check(batch);
    batch.clear();
  }
  CHECK(defined >= at_least);
}

}  // namespace

TEST_CASE("random expressions have the interpreter's values in kernels", "[property]") {
  check_seeds(test::rounds(96), test::rounds(48), [](uint64_t seed) {
    test::RandomFunction random(seed);
    const Buffer out = random.buffers[random.pick(random.buffers.size())];
    const std::vector<Expr> first(out->rank(), Expr(0));
    return test::random_case(random, store(out, first, random.expr(out->dtype, 6)), fmt::format("f{}", seed));
  });
}

TEST_CASE("random expressions have the same values where several are moved at once", "[property]") {
  check_seeds(test::rounds(64), test::rounds(32), [](uint64_t seed) {
    test::RandomFunction random(seed);
    const DType type = random.buffers[random.pick(random.buffers.size())]->dtype;
    const int64_t lanes = int64_t{1} << random.pick(4);
    const Buffer out = make_buffer("out", {lanes}, type);
    const Var lane("lane");
    random.add_var(lane);
    const Stmt body = loop(ForKind::kVectorized, lane, lanes, store(out, {lane}, random.expr(type, 6)));
    random.buffers.push_back(out);
    return test::random_case(random, body, fmt::format("f{}", seed));
  });
}

TEST_CASE("random functions do what the interpreter does in kernels", "[property]") {
  check_seeds(test::rounds(96), test::rounds(16), [](uint64_t seed) {
    test::RandomFunction random(seed);
    return test::random_case(random, test::in_order(random.stmt(5)), fmt::format("f{}", seed));
  });
}

}  // namespace vantage::test::compiler_backend_cuda_functions_test
