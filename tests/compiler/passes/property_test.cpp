// Every pass leaves what a function computes, whatever schedule it comes from.
#include "compiler/ir/printer.h"
#include "compiler/ir/verify.h"
#include "compiler/passes/align_storage.h"
#include "compiler/passes/bound_loops.h"
#include "compiler/passes/compact_buffers.h"
#include "compiler/passes/double_buffer.h"
#include "compiler/passes/lower_blocks.h"
#include "compiler/passes/pass.h"
#include "compiler/passes/plan_allocations.h"
#include "compiler/passes/simplify.h"
#include "compiler/passes/unroll_loops.h"
#include "tests/catch.h"
#include "tests/compiler/schedule/random_schedule.h"
#include "tests/compiler/schedule/random_te.h"
#include "tests/support/effort.h"
#include "tests/support/generator.h"

namespace vantage::test::compiler_passes_property_test {

using namespace vantage;

TEST_CASE("passes leave what a function computes", "[property]") {
  const std::vector<passes::Pass> passes = {
      {"plan_allocations", "", passes::plan_allocations},
      {"compact_buffers", "", passes::compact_buffers},
      {"align_storage", "", passes::align_storage},
      {"lower_blocks", "", passes::lower_blocks},
      {"simplify", "", passes::simplify},
      {"bound_loops", "", passes::bound_loops},
      {"double_buffer", "", passes::double_buffer},
      {"unroll_loops", "", passes::unroll_loops},
      {"simplify again", "", passes::simplify},
  };
  std::mt19937_64 random = test::generator(20261122);
  test::Tally tally;
  ir::InterpreterOptions options;
  options.threads = false;
  for (int round = 0; round < test::rounds(100); ++round) {
    const ir::PrimFunc original = test::random_te_function(random);
    const auto arrays = test::random_arrays(original, random);
    const auto expected = test::run(original, arrays, options);
    schedule::Schedule s(original);
    for (int i = 0; i < 12; ++i) test::random_step(s, random, tally);
    std::string before = to_cpp(s.trace()) + ir::to_text(s.function());
    INFO("round " << round << "\n" << before);  // of a pass that throws
    passes::run_passes(s.function(), passes, [&](const passes::Step& step) {
      const ir::PrimFunc& function = *step.function;
      INFO("round " << round << "\n" << before << "==== " << step.name << "\n" << step.text());
      REQUIRE(ir::verify(function) == std::vector<std::string>());
      REQUIRE(test::first_difference(original, expected, test::run(function, arrays, options)) == "");
      before = ir::to_text(function);
    });
  }
}

}  // namespace vantage::test::compiler_passes_property_test
