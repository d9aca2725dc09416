#include "cli/workload_arguments.h"

#include <CLI/CLI.hpp>

#include "base/file.h"
#include "base/json.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/wrap.h"

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
  add_json_flag(app, json);
}

void WorkloadArguments::check(std::vector<std::pair<std::string, std::string>> others) const {
  if (!record.empty()) require_new_directory(record);
  others.insert(others.end(), {{"--record", record}, {"--trace", target.trace}, {"--vcd", target.vcd}});
  require_different(others);
}

int report_workload(const WorkloadArguments& arguments, const isa::Config& config, const driver::RunResult& result,
                    const WorkloadReport& report) {
  const bool ok = report.difference.empty();
  const RunFacts facts{arguments.target.memory_name(config), report.work};
  print_warnings(result);
  if (result.cycles) warn_of_clock(config);
  if (arguments.json) {
    Json json = report_json(ok, arguments.target.uri, config, result, facts);
    if (!ok) json["mismatch"] = report.difference;
    json["workload"] = report.workload;
    print_out("{}\n", json_text(json));
  } else {
    print_out("{}{}{}{}{}", wrapped(report.title, 0), setup_line(arguments.target.uri, config, result, facts),
              report.details, run_table(config, result, facts), report.explanation);
    if (ok) print_out("{}\n", report.success);
  }
  if (!ok) print_error("error: the device's result is wrong: {}\n", report.difference);
  return ok ? 0 : 1;
}

}  // namespace vantage::cli
