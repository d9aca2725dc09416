// --html: a page about the run.
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

class HtmlReport {
 public:
  void add_to(CLI::App& app);
  const std::string& file() const { return file_; }
  void set_file(const std::string& file) { file_ = file; }
  bool wanted() const { return !file_.empty(); }
  // Throws Error when the file cannot be written.
  void check() const;

  // What the device of the run is to tell of its runs; nothing when no page is wanted.
  std::function<void(const sim::RecordedRun&)> observer(const isa::Config& config);
  // What runs from now on is not part of the page.
  void stop();
  // Writes it, if it is wanted. Throws Error.
  void write(report::Report report) const;

 private:
  std::string file_;
  std::shared_ptr<report::RunTrace> trace_;
};

}  // namespace vantage::cli
