#include "cli/workload_arguments.h"

#include <CLI/CLI.hpp>

#include "base/file.h"
#include "base/json.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/wrap.h"
#include "report/layers.h"

namespace vantage::cli {

void WorkloadArguments::add_to(CLI::App& app) {
  config.add_to(app);
  target.add_to(app);
  app.add_option("--seed", seed, "seed of the random operands")
      ->check(whole_number(0, UINT64_MAX))
      ->capture_default_str();
  app.add_option("--record", record, "write the run as a replay bundle into this new directory")
      ->type_name("DIR")
      ->check(not_empty());
  energy.add_to(app);
  html.add_to(app);
  add_json_flag(app, json);
}

void WorkloadArguments::check(std::vector<std::pair<std::string, std::string>> others) {
  energy.load();
  if (!record.empty()) require_new_directory(record);
  for (const auto& [option, file] : others) {
    if (!file.empty()) require_writable(file);
  }
  others.insert(others.end(),
                {{"--record", record}, {"--trace", target.trace}, {"--vcd", target.vcd}, {"--html", html.file()}});
  html.check();
  require_different(others);
}

namespace {

#if VANTAGE_HAS_TIME
void write_page(const WorkloadArguments& arguments, const isa::Config& config, const driver::RunResult& result,
                const WorkloadReport& report, const Json& energy) {
  report::Report page;
  page.title = report.title;
  page.target = arguments.target.uri;
  page.memory = arguments.target.memory_name(config);
  report::set_accelerator(page, config, arguments.target.memory_setting(config), sim::clock_mhz(config, result));
  report::Layer layer = report::layer_of(report.workload.at("name").get<std::string>(), config, result,
                                         report.work ? &*report.work : nullptr);
  layer.least = report.least;
  if (report.bound) {
    layer.bound = report.bound->cycles();
    layer.binds = report.bound->binds();
  }
  page.bottleneck = layer.bottleneck;
  if (result.cycles) page.seconds = layer.seconds;
  page.layers.push_back(std::move(layer));
  if (report.bound) page.what_ifs = report.what_ifs;
  page.energy = energy;
  if (!report.mapping.empty()) page.facts.emplace_back("mapping", report.mapping);
  arguments.html.write(std::move(page), arguments.json);
}
#else
void write_page(const WorkloadArguments&, const isa::Config&, const driver::RunResult&, const WorkloadReport&,
                const Json&) {}
#endif

}  // namespace

int report_workload(const WorkloadArguments& arguments, const isa::Config& config, const driver::RunResult& result,
                    const WorkloadReport& report) {
  const bool ok = report.difference.empty();
  RunFacts facts{arguments.target.memory_name(config), report.work};
  const auto useful = report.work ? std::optional(report.work->useful) : std::nullopt;
  facts.energy = arguments.energy.report(config, result, arguments.target.uri, useful);
  print_warnings(result);
  if (result.cycles) warn_of_clock(config);
  if (arguments.json) {
    Json json = report_json(ok, arguments.target.uri, config, result, facts);
    if (!ok) json["mismatch"] = report.difference;
    json["workload"] = report.workload;
#if VANTAGE_HAS_TIME
    if (report.what_ifs) json["what_ifs"] = report::to_json(*report.what_ifs);
#endif
    print_out("{}\n", json_text(json));
  } else {
    print_out("{}{}{}{}{}", wrapped(report.title, 0), setup_line(arguments.target.uri, config, result, facts),
              report.details, run_table(config, result, facts), report.explanation);
    if (ok) print_out("{}\n", report.success);
  }
  if (ok && arguments.html.wanted()) write_page(arguments, config, result, report, facts.energy.json);
  if (!ok) print_error("error: the device's result is wrong: {}\n", report.difference);
  return ok ? 0 : 1;
}

}  // namespace vantage::cli
