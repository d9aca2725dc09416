#include "cli/report_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/file.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/output_file.h"
#include "cli/version.h"
#include "report/page.h"
#include "report/plot.h"

namespace vantage::cli {

#if VANTAGE_HAS_TIME

void ReportOptions::add_to(CLI::App& app) {
  app.add_option("--html", file_, "write a page about the run: timeline, roofline, layers (docs/report.md)")
      ->type_name("FILE")
      ->check(not_empty());
  app.add_flag("--plot", plot_, "draw the roofline, bytes and stages in the terminal");
}

void ReportOptions::check() const {
  if (!wants_page()) return;
  require_file_name("--html", file_);
  require_writable(file_);
}

std::function<void(const sim::RecordedRun&)> ReportOptions::observer(const isa::Config& config) {
  if (!wants_page()) return nullptr;
  trace_ = std::make_shared<report::RunTrace>(config);
  return [trace = trace_](const sim::RecordedRun& run) { trace->add(run); };
}

void ReportOptions::stop() {
  if (trace_) trace_->stop();
}

void ReportOptions::write(report::Report report, bool prints_json) const {
  if (plot_ && !prints_json) print_out("\n{}", report::plot(report));
  if (!wants_page()) return;
  const std::string built_from = commit();
  report.made_by = fmt::format("vantage {}{}", version(), built_from.empty() ? "" : fmt::format(" ({})", built_from));
  const size_t room = report::kMostPageBytes - report::page_bytes_without_document();
  write_file(file_, report::page(report::document(report, trace_.get(), room)));
}

#else

// The tool for boards has no machine that could tell, and no page.
void ReportOptions::add_to(CLI::App&) {}
void ReportOptions::check() const {}
std::function<void(const sim::RecordedRun&)> ReportOptions::observer(const isa::Config&) {
  return nullptr;
}
void ReportOptions::stop() {}
void ReportOptions::write(report::Report, bool) const {}

#endif

}  // namespace vantage::cli
