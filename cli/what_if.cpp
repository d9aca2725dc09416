#include "cli/what_if.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "base/error.h"
#include "cli/progress.h"
#include "cli/wrap.h"

namespace vantage::cli {

void add_what_if_flag(CLI::App& app, bool& flag, const std::string& what) {
  app.add_flag("--what-if", flag, fmt::format("run it again on {}, and say what they would give", what));
}

MemoryTiming what_if_memory(const TargetOptions& target, const isa::Config& config) {
  if (auto memory = target.memory_setting(config)) return *std::move(memory);
  fail("--what-if changes the core and its memory, and {} lets nobody do so; take systemc:, or leave it out",
       target.uri);
}

report::WhatIfs memory_what_ifs(uint64_t cycles, const MemoryTiming& memory,
                                const std::function<uint64_t(const MemoryTiming&)>& run) {
  report::WhatIfs what_ifs{.cycles = cycles, .how = "The same programs were run with that memory, cycle for cycle."};
  const std::vector<workload::MemoryChange> changes = workload::memory_changes(memory);
  Progress progress("what-ifs", changes.size());
  for (const workload::MemoryChange& change : changes) {
    what_ifs.all.push_back({change.name, change.memory ? run(*change.memory) : 0, change.impossible});
    progress.advance(what_ifs.all.size());
  }
  return what_ifs;
}

std::string what_if_text(const report::WhatIfs& what_ifs) {
  std::string text = fmt::format("{:>24} {:>14}\n{:>24} {:>14}\n", "what if", "cycles", "as it is", what_ifs.cycles);
  for (const workload::WhatIf& what : what_ifs.all) {
    if (what.cycles == 0) {
      text += fmt::format("{:>24} {:>14} {}", what.change, "-", wrapped(what.impossible, 40));
      continue;
    }
    const double change = 100 * (static_cast<double>(what.cycles) / static_cast<double>(what_ifs.cycles) - 1);
    text += fmt::format("{:>24} {:>14} {}", what.change, what.cycles,
                        wrapped(fmt::format("{:+.1f} %{}{}", change, what.note.empty() ? "" : "; ", what.note), 40));
  }
  return text;
}

}  // namespace vantage::cli
