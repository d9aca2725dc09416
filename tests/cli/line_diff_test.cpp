#include "cli/line_diff.h"

#include "tests/catch.h"

namespace vantage::test::cli_line_diff_test {

using namespace vantage;

TEST_CASE("lines that changed are marked, and as few as possible", "[unit]") {
  CHECK(cli::line_diff("", "") == "");
  CHECK(cli::line_diff("a\nb\n", "a\nb\n") == "  a\n  b\n");
  CHECK(cli::line_diff("a\nb\nc\nd\n", "a\nx\nc\ny\nd\n") == "  a\n- b\n+ x\n  c\n+ y\n  d\n");
  CHECK(cli::line_diff("a\na\n", "a\n") == "  a\n- a\n");
  CHECK(cli::line_diff("a\n", "b\na\n") == "+ b\n  a\n");
}

TEST_CASE("common lines far from what changed may be left out", "[unit]") {
  const std::string marked = "  a\n  b\n- c\n  d\n  e\n  f\n+ g\n";
  CHECK(cli::with_context(marked, 1) == "  (1 lines as before)\n  b\n- c\n  d\n  (1 lines as before)\n  f\n+ g\n");
  CHECK(cli::with_context(marked, 2) == marked);
  CHECK(cli::with_context("  a\n  b\n", 2) == "  (2 lines as before)\n");
  CHECK(cli::with_context("", 2) == "");
}

TEST_CASE("texts too long to be searched are marked between their common ends", "[unit]") {
  std::string before = "first\n", after = before, expected = "  first\n", added;
  for (int i = 0; i < 5000; ++i) {
    before += "old\n";
    expected += "- old\n";
    after += "new\n";
    added += "+ new\n";
  }
  CHECK((cli::line_diff(before + "last\n", after + "last\n") == expected + added + "  last\n"));
}

}  // namespace vantage::test::cli_line_diff_test
