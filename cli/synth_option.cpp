#include "cli/synth_option.h"

#include <CLI/CLI.hpp>

#include "base/cache.h"
#include "base/process.h"
#include "cli/progress.h"

namespace vantage::cli {

void SynthOption::add_to(CLI::App& app, const std::string& meaning) {
  app.add_flag("--synth", given_, meaning + ", by Yosys: minutes a core, which are kept (docs/area.md)");
}

void SynthOption::check() const {
  if (given_) require_program("yosys", "yosys");
}

std::vector<fpga::Synthesis> SynthOption::synthesize(const std::vector<isa::Config>& configs,
                                                     const std::string& family) const {
  return fpga::synthesize(configs, family, {.cache = default_cache(), .anew = false, .progress = build_progress()}, 0);
}

}  // namespace vantage::cli
