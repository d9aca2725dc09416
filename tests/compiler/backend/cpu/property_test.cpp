// Compiled functions do what the interpreter does.
#include <cmath>

#include "base/error.h"
#include "base/tensor/random.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/verify.h"
#include "compiler/ir/visitor.h"
#include "compiler/passes/lower_blocks.h"
#include "compiler/passes/plan_allocations.h"
#include "native/workers.h"
#include "tests/catch.h"
#include "tests/compiler/backend/cpu/run_compiled.h"
#include "tests/compiler/ir/interpreter/support.h"
#include "tests/compiler/ir/random_case.h"
#include "tests/compiler/ir/random_function.h"
#include "tests/compiler/schedule/random_schedule.h"
#include "tests/compiler/schedule/random_te.h"
#include "tests/support/effort.h"
#include "tests/support/generator.h"

namespace vantage::test::backend_cpu_property_test {

using namespace vantage;
using namespace vantage::test;
using namespace vantage::ir;

namespace {

// Many functions are compiled at once: starting LLVM costs more than a small function.
constexpr int kBatch = 32;

cpu::Options strict() {
  cpu::Options options = checked_options();
  options.strict = true;
  // Simplification takes indices not to overflow; these do.
  options.passes = {{"plan_allocations", "", passes::plan_allocations}, {"lower_blocks", "", passes::lower_blocks}};
  return options;
}

void check(const std::vector<RandomCase>& cases, const cpu::Options& options) {
  std::vector<PrimFunc> functions;
  for (const RandomCase& c : cases) functions.push_back(c.function);
  const auto compiled = cpu::jit(functions, cpu::host_target(), options);
  for (size_t i = 0; i < cases.size(); ++i) {
    INFO(to_text(functions[i]));
    REQUIRE(first_difference(functions[i], cases[i].expected, run_compiled(compiled[i], cases[i].inputs)) == "");
  }
}

// Runs batches of cases, one per seed.
void check_seeds(int count, int at_least, const std::function<std::optional<RandomCase>(uint64_t seed)>& make) {
  std::vector<RandomCase> batch;
  int defined = 0;
  for (int seed = 0; seed < count; ++seed) {
    if (auto c = make(static_cast<uint64_t>(seed))) {
      ++defined;
      batch.push_back(std::move(*c));
    }
    if (batch.size() < kBatch && seed + 1 < count) continue;
    check(batch, strict());
    batch.clear();
  }
  CHECK(defined >= at_least);
}

}  // namespace

TEST_CASE("random expressions have the interpreter's values when compiled", "[property]") {
  check_seeds(test::rounds(96), test::rounds(48), [](uint64_t seed) {
    RandomFunction random(seed);
    const Buffer out = random.buffers[random.pick(random.buffers.size())];
    const std::vector<Expr> first(out->rank(), Expr(0));
    return random_case(random, store(out, first, random.expr(out->dtype, 6)), fmt::format("f{}", seed));
  });
}

TEST_CASE("random expressions have the same values in lanes", "[property]") {
  check_seeds(test::rounds(96), test::rounds(48), [](uint64_t seed) {
    RandomFunction random(seed);
    const DType type = random.buffers[random.pick(random.buffers.size())]->dtype;
    const int64_t lanes = 1 + static_cast<int64_t>(random.pick(40));
    const Buffer out = make_buffer("out", {lanes}, type);
    Var lane("lane");
    random.add_var(lane);
    const Stmt body = loop(ForKind::kVectorized, lane, lanes, store(out, {lane}, random.expr(type, 6)));
    random.buffers.push_back(out);
    return random_case(random, body, fmt::format("f{}", seed));
  });
}

TEST_CASE("random functions do what the interpreter does when compiled", "[property]") {
  check_seeds(test::rounds(128), test::rounds(24), [](uint64_t seed) {
    RandomFunction random(seed);
    return random_case(random, in_order(random.stmt(5)), fmt::format("f{}", seed));
  });
}

TEST_CASE("random statements do the same in lanes", "[property]") {
  check_seeds(test::rounds(128), test::rounds(32), [](uint64_t seed) {
    RandomFunction random(seed);
    const Buffer own = make_buffer("own", {3}, random.buffers[random.pick(random.buffers.size())]->dtype);
    const int64_t lanes = 1 + static_cast<int64_t>(random.pick(40));
    const Buffer out = make_buffer("out", {lanes, 3}, own->dtype);
    Var lane("lane"), i("i"), o("o");
    random.add_var(lane);
    const Stmt start = loop(i, 3, store(own, {i}, random.expr(own->dtype, 2)));
    random.write_only_to(own);
    const Stmt body = in_order(random.stmt(5));
    if (!body) return std::optional<RandomCase>();
    const Stmt end = loop(o, 3, store(out, {lane, o}, load(own, {o})));
    random.buffers.push_back(out);
    const Stmt all = loop(ForKind::kVectorized, lane, lanes, make_stmt(Allocate(own, seq({start, body, end}))));
    return random_case(random, all, fmt::format("f{}", seed));
  });
}

TEST_CASE("random schedules of random functions compile to what they mean", "[property]") {
  std::mt19937_64 random = test::generator(20261122);
  Tally tally;
  InterpreterOptions interpreter;
  interpreter.threads = false;
  native::Workers workers(3);
  for (int round = 0; round < test::rounds(1); ++round) {
    std::vector<PrimFunc> functions;
    std::vector<std::vector<Input>> inputs, expected;
    while (functions.size() < kBatch) {
      PrimFunc original = random_te_function(random);
      // Rows have gaps between them.
      const bool gaps = random() % 2 == 0;
      original = with_params(original, [&](BufferNode& buffer) {
        if (!gaps) return;
        buffer.strides.resize(buffer.rank());
        int64_t stride = 1 + static_cast<int64_t>(random() % 2);
        for (size_t d = buffer.rank(); d-- > 0;) {
          buffer.strides[d] = stride;
          stride = stride * *as_int(buffer.shape[d]) + static_cast<int64_t>(random() % 4);
        }
      });
      schedule::Schedule s(original);
      for (int i = 0; i < 12; ++i) random_step(s, random, tally);
      PrimFunc f = s.function();
      if (to_text(f).find("thread_binding") != std::string::npos) continue;
      f.name = fmt::format("f{}", functions.size());
      std::vector<Input> arrays;
      for (const Buffer& buffer : f.buffers()) {
        std::vector<int64_t> shape, strides;
        for (const Expr& size : buffer->shape) shape.push_back(*as_int(size));
        for (const Expr& stride : buffer->all_strides()) strides.push_back(*as_int(stride));
        Tensor array(buffer->dtype, shape, strides);
        fill(array, random);
        arrays.emplace_back(std::move(array));
      }
      expected.push_back(run_interpreted(original, arrays, interpreter));
      inputs.push_back(std::move(arrays));
      functions.push_back(std::move(f));
    }
    const auto compiled = cpu::jit(functions, cpu::host_target(), checked_options());
    for (size_t i = 0; i < functions.size(); ++i) {
      INFO("round " << round << "\n" << to_text(functions[i]));
      INFO(to_text(passes::run_passes(functions[i], cpu::pass_list())));
      REQUIRE(first_difference(functions[i], expected[i],
                               run_compiled(compiled[i], inputs[i], i % 2 == 0 ? workers.runtime() : nullptr)) == "");
    }
  }
}

}  // namespace vantage::test::backend_cpu_property_test
