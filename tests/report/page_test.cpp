// Documents and pages as text; what browsers make of them, tests/report/browser_test.py sees.
#include "report/page.h"

#include <fmt/format.h>

#include <regex>

#include "base/json.h"
#include "report/layers.h"
#include "report/plot.h"
#include "tests/catch.h"
#include "tests/support/golden.h"

namespace vantage::test::report_page_test {

using namespace vantage;

namespace {

sim::RunResult result_of(uint64_t cycles) {
  sim::RunResult result;
  result.cycles = Cycles(cycles);
  result.stages = {{Cycles(400), Cycles(100), Cycles(200), Cycles(cycles - 700)},
                   {Cycles(800), Cycles(50), Cycles(0), Cycles(cycles - 850)},
                   {Cycles(100), Cycles(700), Cycles(10), Cycles(cycles - 810)}};
  result.counters.inp_load_nbytes = 4096;
  result.counters.wgt_load_nbytes = 2048;
  result.counters.uop_load_nbytes = 64;
  result.counters.out_store_nbytes = 1024;
  result.counters.gemm_counter = 600;
  return result;
}

// Two layers on an accelerator, one before them on the processor.
report::Report small_report() {
  const isa::Config config = isa::Config::vta_default();
  report::Report r;
  r.title = "small </script><b>&";
  r.made_by = "vantage";
  r.target = "systemc:";
  r.memory = "m64";
  report::set_accelerator(r, config, MemoryTiming{}, config.clock_mhz());
  report::Layer first;
  first.name = "input";
  first.op = "cast";
  first.device = "cpu";
  first.seconds = 2e-6;
  first.bytes = 100;
  const sim::Work work{250'000, 307'200, {}};
  report::Layer conv = report::layer_of("conv", config, result_of(1000), &work);
  conv.op = "conv2d";
  conv.start_seconds = 2e-6;
  conv.least = workload::Traffic{2048, 2048, 0, 0, 1024};
  conv.bound = 600;
  conv.binds = "the GEMM core";
  report::Layer other = report::layer_of("program", config, result_of(2000), nullptr);
  other.start_seconds = 12e-6;
  r.layers = {first, conv, other};
  r.seconds = 32e-6;
  r.what_ifs = report::WhatIfs{1000, {{"twice the bus", 700, ""}, {"twice the clock", 0, "no"}}};
  r.facts = {{"mapping", "one tile"}};
  return r;
}

}  // namespace

TEST_CASE("a report's document", "[golden]") {
  Json document = report::document(small_report(), nullptr, 1 << 20);
  document.erase("config");  // docs/json.md has what changes with every key
  const std::string difference = test::compare_golden("report_document.txt", json_text(document) + "\n");
  if (!difference.empty()) FAIL(difference);
}

TEST_CASE("a report of a board is told at the board's clock", "[unit]") {
  report::Report r = small_report();
  report::set_accelerator(r, *r.config, {}, 123.81);
  const Json config = report::document(r, nullptr, 1 << 20).at("config");
  CHECK(config.at("clock_mhz") == 123.81);
  CHECK_THAT(json_text(config.at("groups")), ContainsSubstring("123.81 MHz") && ContainsSubstring("63.4 GOPS"));
  CHECK_FALSE(json_text(config.at("groups")).find("100 MHz") != std::string::npos);
}

TEST_CASE("a report drawn in a terminal", "[golden]") {
  const std::string text = report::plot(small_report());
  const std::string difference = test::compare_golden("report_plot.txt", text);
  if (!difference.empty()) FAIL(difference);
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    CHECK(end - begin <= 80);
    begin = end + 1;
  }
}

TEST_CASE("nothing to draw is drawn as nothing", "[unit]") {
  CHECK(report::plot({}) == "");
}

TEST_CASE("a page loads nothing, and no name in it is taken for a tag", "[unit]") {
  const std::string page = report::page(report::document(small_report(), nullptr, 1 << 20));
  CHECK_THAT(page, ContainsSubstring("<title>small &lt;/script>&lt;b>&amp;</title>"));
  CHECK_THAT(page, ContainsSubstring(R"("title":"small \u003c/script>\u003cb>&")"));
  CHECK_THAT(page, ContainsSubstring("default-src 'none'"));
  CHECK_THAT(page, ContainsSubstring("Redistribution and use in source and binary forms"));
  CHECK_FALSE(std::regex_search(page.substr(0, 20'000), std::regex(R"((src|href)=)")));
  // Three scripts: the library, the document, and ours.
  size_t scripts = 0;
  for (size_t at = page.find("</script"); at != std::string::npos; at = page.find("</script", at + 1)) ++scripts;
  CHECK(scripts == 3);
  for (const char* mark : {"/*STYLE*/", "/*D3*/", "/*SCRIPTS*/", "/*DOCUMENT*/", "<!--TITLE-->"}) {
    CHECK(page.find(mark) == std::string::npos);
  }
}

TEST_CASE("a timeline leaves out what there is no room for", "[unit]") {
  const isa::Config config = isa::Config::vta_default();
  report::RunTrace trace(config);
  CHECK(trace.json({}, SIZE_MAX).is_null());
  std::vector<isa::Insn> insns;
  std::vector<sim::EngineWork> work;
  sim::RunResult result;
  constexpr uint32_t kInsns = 2000;
  for (uint32_t i = 0; i < kInsns; ++i) {
    isa::Load load;
    load.transfer = {.memory = isa::Memory::kInp, .dram_base = i * i * 7919 % 10'007, .y_size = 1, .x_size = 1};
    insns.emplace_back(load);
    work.push_back({i, sim::Engine::kLoadDma, Cycles(10 * i + 2), Cycles(10 * i + 8)});
    result.retired.push_back({i, isa::Stage::kLoad, Cycles(i), Cycles(10 * i), Cycles(10 * i + 9)});
  }
  result.cycles = Cycles(10 * kInsns);
  trace.add({result, insns, work, {}});
  const Json all = trace.json({"one"}, SIZE_MAX);
  CHECK(all["cycles"] == 10 * kInsns);
  CHECK(all["runs"][0]["name"] == "one");
  CHECK(all["instructions"]["count"] == kInsns);
  CHECK_FALSE(all.contains("left_out"));
  std::vector<std::string> left_out;
  for (size_t budget = all.dump().size(); budget > 100; budget -= 100) {
    const Json less = trace.json({"one"}, budget);
    const std::string said = less.value("left_out", "");
    if (said != "instructions") CHECK(less.dump().size() <= budget + 100);
    if (left_out.empty() || left_out.back() != said) left_out.push_back(said);
  }
  CHECK(left_out == std::vector<std::string>{"", "texts", "all but work", "instructions"});
  trace.stop();
  trace.add({result, insns, work, {}});
  CHECK(trace.runs() == 1);
}

}  // namespace vantage::test::report_page_test
