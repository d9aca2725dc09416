#include "cli/html_report.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/file.h"
#include "cli/options.h"
#include "cli/version.h"
#include "report/page.h"

namespace vantage::cli {

void HtmlReport::add_to(CLI::App& app) {
#if VANTAGE_HAS_TIME
  app.add_option("--html", file_, "write a page about the run: timeline, roofline, layers (docs/report.md)")
      ->type_name("FILE")
      ->check(not_empty());
#else
  (void)app;
#endif
}

#if VANTAGE_HAS_TIME

void HtmlReport::check() const {
  if (wanted()) require_writable(file_);
}

std::function<void(const sim::RecordedRun&)> HtmlReport::observer(const isa::Config& config) {
  if (!wanted()) return nullptr;
  trace_ = std::make_shared<report::RunTrace>(config);
  return [trace = trace_](const sim::RecordedRun& run) { trace->add(run); };
}

void HtmlReport::stop() {
  if (trace_) trace_->stop();
}

void HtmlReport::write(report::Report report) const {
  if (!wanted()) return;
  const std::string built_from = commit();
  report.made_by = fmt::format("vantage {}{}", version(), built_from.empty() ? "" : fmt::format(" ({})", built_from));
  const size_t room = report::kMostPageBytes - report::page_bytes_without_document();
  write_file(file_, report::page(report::document(report, trace_.get(), room)));
}

#else

// The tool for boards, which has no machine that could tell.
void HtmlReport::check() const {}
std::function<void(const sim::RecordedRun&)> HtmlReport::observer(const isa::Config&) {
  return nullptr;
}
void HtmlReport::stop() {}
void HtmlReport::write(report::Report) const {}

#endif

}  // namespace vantage::cli
