#include "base/suggest.h"

#include "tests/catch.h"

namespace vantage::test::base_suggest_test {

using namespace vantage;

using Names = std::vector<std::string>;

TEST_CASE("the nearest name is the one with the fewest wrong letters, two that are swapped being one", "[unit]") {
  const Names commands = {"run", "rtl", "replay", "test"};
  CHECK(near_names("rnu", commands) == Names{"run"});
  CHECK(near_names("tset", commands) == Names{"test"});
  CHECK(near_names("rpelay", commands) == Names{"replay"});
  CHECK(near_names("RUN", commands) == Names{"run"});
  CHECK(near_names("", commands).empty());
  CHECK(near_names("xyz", commands).empty());
  CHECK(near_names(std::string(1000, 'r'), commands).empty());
}

TEST_CASE("dashes, colons and what stands between words do not count", "[unit]") {
  const Names names = {"--virtual-threads", "--vcd", "systemc:", "LOG_BLOCK"};
  CHECK(near_names("--virtual_threads", names) == Names{"--virtual-threads"});
  CHECK(near_names("vcd", names) == Names{"--vcd"});
  CHECK(near_names("systemc", names) == Names{"systemc:"});
  CHECK(near_names("log-block", names) == Names{"LOG_BLOCK"});
}

TEST_CASE("an abbreviation stands for what it begins, a word for the name that has it", "[unit]") {
  const Names names = {"--virtual-threads", "--trace", "--target", "disasm", "conv"};
  CHECK(near_names("--virt", names) == Names{"--virtual-threads"});
  CHECK(near_names("--threads", names) == Names{"--virtual-threads"});
  CHECK(near_names("-t", names) == Names{"--trace", "--target"});
  CHECK(near_names("disassemble", names) == Names{"disasm"});
  CHECK(near_names("convolution", names) == Names{"conv"});
}

TEST_CASE("what is as near as many others is no suggestion, but the list is", "[unit]") {
  const Names layers = {"C2", "C3", "C4", "C5"};
  CHECK(near_names("C9", layers).empty());
  CHECK(did_you_mean("C9", layers) == "; known: C2, C3, C4, C5");
  CHECK(did_you_mean("C22", layers) == "; did you mean 'C2'?");
  CHECK(did_you_mean("x", {}).empty());
  const Names two = {"armhf", "arm64"};
  CHECK(did_you_mean("arm", two) == "; did you mean 'armhf' or 'arm64'?");
}

}  // namespace vantage::test::base_suggest_test
