// Whatever steps a schedule accepts, the function still computes the same; and its trace tells them.
#include "base/json.h"
#include "compiler/ir/parse_function.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/structural.h"
#include "compiler/ir/verify.h"
#include "tests/catch.h"
#include "tests/compiler/schedule/random_ir.h"
#include "tests/compiler/schedule/random_schedule.h"
#include "tests/compiler/schedule/random_te.h"
#include "tests/support/effort.h"
#include "tests/support/generator.h"

namespace vantage::test::compiler_schedule_property_test {

using namespace vantage;
using namespace vantage::schedule;

TEST_CASE("random steps leave what a function computes", "[property]") {
  std::mt19937_64 random = test::generator(20261121);
  test::Tally tally;
  ir::InterpreterOptions options;
  options.threads = false;  // barriers are placed later
  for (int round = 0; round < test::rounds(150); ++round) {
    const ir::PrimFunc original = test::random_te_function(random);
    const auto arrays = test::random_arrays(original, random);
    const auto expected = test::run(original, arrays, options);
    Schedule s(original);
    for (int i = 0; i < 12; ++i) {
      const std::string before = ir::to_text(s.function());
      const ir::PrimFunc kept = s.function();
      if (test::random_step(s, random, tally).empty()) continue;
      INFO("round " << round << "\n" << before << to_cpp(s.trace()) << ir::to_text(s.function()));
      REQUIRE(ir::verify(s.function()) == std::vector<std::string>());
      REQUIRE(test::first_difference(original, expected, test::run(s.function(), arrays, options)) == "");
    }
    // What is printed is read back as what computes the same.
    const std::string text = ir::to_text(s.function());
    INFO(text);
    const ir::PrimFunc read = ir::parse_function(text, "text");
    REQUIRE(ir::to_text(read) == text);
    REQUIRE(ir::verify(read) == std::vector<std::string>());
    REQUIRE(test::first_difference(original, expected, test::run(read, arrays, options)) == "");
    // The same steps, from their JSON, on the same function.
    Schedule again(original);
    again.replay(trace_from_json(parse_json(to_json(s.trace()).dump(), "trace")));
    REQUIRE(ir::structural_equal(again.function(), s.function()));
    REQUIRE(to_cpp(again.trace()) == to_cpp(s.trace()));
  }
  // Every primitive was legal somewhere, so the test is about all of them.
  for (const auto& [name, times] : tally.refused) {
    INFO(name << ": refused " << times << " times");
    CHECK(tally.done[name] >= 2);
  }
}

TEST_CASE("random steps leave what a function written by hand computes", "[property]") {
  std::mt19937_64 random = test::generator(20261130);
  test::Tally tally;
  ir::InterpreterOptions options;
  options.threads = false;
  for (int round = 0; round < test::rounds(250); ++round) {
    const std::string text = test::random_ir_text(random);
    INFO("round " << round << "\n" << text);
    const ir::PrimFunc original = ir::parse_function(text, "text");
    REQUIRE(ir::verify(original) == std::vector<std::string>());
    const auto arrays = test::random_arrays(original, random);
    const auto expected = test::run(original, arrays, options);
    Schedule s(original);
    for (int i = 0; i < 16; ++i) {
      const std::string before = ir::to_text(s.function());
      if (test::random_step(s, random, tally).empty()) continue;
      INFO(before << to_cpp(s.trace()) << ir::to_text(s.function()));
      REQUIRE(ir::verify(s.function()) == std::vector<std::string>());
      REQUIRE(test::first_difference(original, expected, test::run(s.function(), arrays, options)) == "");
    }
  }
  for (const char* name : {"split", "reorder", "fuse", "compute_at", "reverse_compute_at", "compute_inline",
                           "reverse_compute_inline", "cache_read", "cache_write", "decompose_reduction", "rfactor"}) {
    INFO(name << ": refused " << tally.refused[name] << " times");
    CHECK(tally.done[name] >= 1);
  }
}

}  // namespace vantage::test::compiler_schedule_property_test
