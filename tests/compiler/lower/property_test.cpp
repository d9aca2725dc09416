// Every pass leaves what a function computes, whatever schedule it comes from.
#include "compiler/lower/align_storage.h"
#include "compiler/lower/bound_loops.h"
#include "compiler/lower/compact_buffers.h"
#include "compiler/lower/double_buffer.h"
#include "compiler/lower/lower_blocks.h"
#include "compiler/lower/pass.h"
#include "compiler/lower/plan_allocations.h"
#include "compiler/lower/simplify.h"
#include "compiler/lower/unroll_loops.h"
#include "compiler/tir/printer.h"
#include "compiler/tir/verify.h"
#include "tests/catch.h"
#include "tests/compiler/schedule/random_schedule.h"
#include "tests/compiler/schedule/random_te.h"

using namespace vantage;

TEST_CASE("passes leave what a function computes", "[property]") {
  const std::vector<lower::Pass> passes = {
      {"plan_allocations", "", lower::plan_allocations},
      {"compact_buffers", "", lower::compact_buffers},
      {"align_storage", "", lower::align_storage},
      {"lower_blocks", "", lower::lower_blocks},
      {"simplify", "", lower::simplify},
      {"bound_loops", "", lower::bound_loops},
      {"double_buffer", "", lower::double_buffer},
      {"unroll_loops", "", lower::unroll_loops},
      {"simplify again", "", lower::simplify},
  };
  std::mt19937_64 random(20261122);
  test::Tally tally;
  tir::InterpreterOptions options;
  options.threads = false;
  for (int round = 0; round < 200; ++round) {
    const tir::PrimFunc original = test::random_te_function(random);
    const auto arrays = test::random_arrays(original, random);
    const auto expected = test::run(original, arrays, options);
    schedule::Schedule s(original);
    for (int i = 0; i < 12; ++i) test::random_step(s, random, tally);
    std::string before = to_cpp(s.trace()) + tir::to_text(s.function());
    lower::run_passes(s.function(), passes, [&](const lower::Pass& pass, const tir::PrimFunc& function) {
      INFO("round " << round << "\n" << before << "==== " << pass.name << "\n" << tir::to_text(function));
      REQUIRE(tir::verify(function) == std::vector<std::string>());
      REQUIRE(test::first_difference(original, expected, test::run(function, arrays, options)) == "");
      before = tir::to_text(function);
    });
  }
}
