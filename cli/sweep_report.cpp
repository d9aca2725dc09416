#include "cli/sweep_report.h"

#include <optional>

#include "base/file.h"
#include "base/installation.h"
#include "base/json.h"
#include "base/settings.h"
#include "cli/progress.h"
#include "cli/version.h"
#include "report/page.h"
#include "report/sweep.h"

namespace vantage::cli {

void write_sweep_report(const SweepReport& report, const std::string& file, const std::string& out) {
  require_writable(out);
  std::optional<energy::EnergyModel> model;
  if (!report.energy.empty()) {
    model =
        energy::EnergyModel::load(find_settings(report.energy, data_folder() / "configs" / "energy", "energy model"));
  }
  explore::Results results(file);
  const Json document = report::sweep_document(results, {.file = file,
                                                         .made_by = "vantage " + full_version(),
                                                         .workloads = report.workloads,
                                                         .x = report.x,
                                                         .y = report.y,
                                                         .energy = model ? &*model : nullptr,
                                                         .progress = build_progress()});
  write_file(out, report::page(document));
}

}  // namespace vantage::cli
