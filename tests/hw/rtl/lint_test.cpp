// The RTL in the subset that Verilator, Icarus and Yosys share, with nothing to complain of, whatever the
// configuration.
#include "hw/rtl/sources.h"

#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "tests/catch.h"
#include "tests/sim/rtl/rtl_test.h"

namespace vantage::test::hw_rtl_lint_test {

using namespace vantage;

namespace {

struct Tool {
  int status;
  std::string output;
};

// Runs a tool over the modules of a configuration, in the order in which it wants them.
Tool run(const isa::Config& config, std::vector<std::string> argv, const std::string& package) {
  const test::TemporaryFolder folder;
  rtl::write_sources(config, folder.path());
  for (const std::string& file : rtl::module_files()) argv.push_back(file);
  const auto log = folder.path() / "log";
  const int status = run_process(argv, folder.path(), log, package);
  return {status, read_file(log, Bytes(1 << 24))};
}

}  // namespace

TEST_CASE("Verilator finds nothing but what has a waiver", "[unit]") {
  for (const auto& [name, config] : test::rtl_configs()) {
    const Tool tool = run(config, {"verilator", "--lint-only", "-Wall", "--top", "vta", "lint.vlt"}, "verilator");
    INFO(name);
    CHECK(tool.status == 0);
    CHECK(tool.output == "");
  }
}

TEST_CASE("Icarus finds nothing", "[unit]") {
  for (const auto& [name, config] : test::rtl_configs()) {
    const Tool tool = run(config, {"iverilog", "-g2012", "-Wall", "-I.", "-o", "lint.vvp", "-s", "vta"}, "iverilog");
    INFO(name);
    CHECK(tool.status == 0);
    CHECK(tool.output == "");
  }
}

TEST_CASE("Yosys reads the modules", "[unit]") {
  const test::TemporaryFolder folder;
  rtl::write_sources(test::smallest_config(), folder.path());
  std::string files;
  for (const std::string& file : rtl::module_files()) files += " " + file;
  const std::string script = "read_verilog -sv" + files + "; hierarchy -check -top vta; proc; check -assert";
  const auto log = folder.path() / "log";
  const int status = run_process({"yosys", "-q", "-p", script}, folder.path(), log, "yosys");
  INFO(read_file(log, Bytes(1 << 24)));
  CHECK(status == 0);
}

TEST_CASE("docs/hardware.md lists every module, and its diagram nothing else", "[unit]") {
  const auto docs = test::source_dir() / "docs";
  const std::string page = read_file(docs / "hardware.md", Bytes(1 << 20));
  std::set<std::string> modules;
  for (const std::string& file : rtl::module_files()) modules.insert(file.substr(0, file.find('.')));
  modules.erase("vta_pkg");
  for (const std::string& module : modules) CHECK_THAT(page, ContainsSubstring("`" + module + "`"));
  for (const char* name : {"core.dot", "core.svg"}) {
    const std::string text = read_file(docs / "diagrams" / name, Bytes(1 << 20));
    int found = 0;
    for (size_t at = text.find("vta_"); at != std::string::npos; at = text.find("vta_", at + 1), ++found) {
      const size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", at);
      INFO(name);
      CHECK(modules.count(text.substr(at, end - at)) == 1);
    }
    CHECK(found > 10);
  }
}

TEST_CASE("a tool that fails is reported with the end of its output", "[unit]") {
  const test::TemporaryFolder folder;
  const auto broken = folder.file("broken.sv", "module broken;\nendmodul\n");
  try {
    run_tool({"verilator", "--lint-only", broken.string()}, folder.path(), "verilator");
    FAIL("verilator accepts nonsense");
  } catch (const ToolError& e) {
    CHECK(e.what() == std::string("verilator failed with status 1; the end of what it said:"));
    CHECK_THAT(e.output(), ContainsSubstring("syntax error"));
  }
  CHECK(run_tool({"sh", "-c", "echo $LC_ALL; echo also this >&2"}, folder.path(), "dash") == "C\nalso this\n");
  CHECK_THAT(ERROR_OF(run_tool({"no-such-tool"}, folder.path(), "some-package")),
             ContainsSubstring("apt-get install --no-install-recommends some-package"));
}

}  // namespace vantage::test::hw_rtl_lint_test
