// --html and --plot: a run as a page, or drawn in the terminal.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "hw/isa/config.h"
#include "report/report.h"

namespace CLI {
class App;
}

namespace vantage::cli {

class ReportOptions {
 public:
  void add_to(CLI::App& app);
  const std::string& file() const { return file_; }  // of --html; empty: none
  bool wants_page() const { return !file_.empty(); }
  bool wanted() const { return wants_page() || plot_; }
  // Throws Error when the file cannot be written.
  void check() const;

  // What the device of the run is to tell of its runs; nothing when no page is wanted.
  std::function<void(const sim::RecordedRun&)> observer(const isa::Config& config);
  // What runs from now on is not part of the page.
  void stop();
  // The page, where it is wanted, and the drawing, unless what is printed is to be read by programs. Throws Error.
  void write(report::Report report, bool prints_json) const;

 private:
  std::string file_;
  bool plot_ = false;
  std::shared_ptr<report::RunTrace> trace_;
};

}  // namespace vantage::cli
