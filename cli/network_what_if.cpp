#include <fmt/format.h>

#include "base/error.h"
#include "base/json.h"
#include "base/stop.h"
#include "base/temporary.h"
#include "cli/sweep_options.h"
#include "cli/what_if.h"

namespace vantage::cli {

namespace {

// A design that is tried, or why there is none.
struct Variant {
  std::string name;
  std::optional<explore::Design> design = {};
  std::string impossible = {};
};

std::vector<Variant> variants_of(const explore::Design& design) {
  std::vector<Variant> all;
  for (const workload::CoreChange& change : workload::core_changes()) {
    Variant& variant = all.emplace_back(Variant{change.name});
    try {
      variant.design = {workload::changed(design.config, change), design.memory};
    } catch (const Error& error) {
      variant.impossible = error.what();
    }
  }
  for (workload::MemoryChange& change : workload::memory_changes(design.memory)) {
    Variant& variant = all.emplace_back(Variant{change.name});
    if (change.memory) variant.design = {design.config, *std::move(change.memory)};
    variant.impossible = change.impossible;
  }
  return all;
}

// What a design came to.
struct VariantResult {
  uint64_t cycles = 0;
  uint64_t left = 0;  // layers that stay on the processor
  std::string error;  // without cycles: why
};

VariantResult result_of(explore::Database& database, const explore::Design& design) {
  const auto rows =
      database.query("SELECT cycles, left_layers, error FROM results WHERE design = ?", {database.add(design).design});
  VANTAGE_CHECK(rows.size() == 1);
  VariantResult result;
  if (!rows[0][0].is_null()) result.cycles = rows[0][0];
  result.left = rows[0][1];
  if (!rows[0][2].is_null()) result.error = rows[0][2];
  return result;
}

}  // namespace

report::WhatIfs network_what_ifs(const graph::Graph& integers, const isa::Config& config, const MemoryTiming& memory,
                                 const std::string& effort) {
  const explore::Design as_it_is{config, memory};
  const std::vector<Variant> variants = variants_of(as_it_is);
  std::vector<explore::Design> designs = {as_it_is};
  for (const Variant& variant : variants) {
    if (variant.design) designs.push_back(*variant.design);
  }
  SweepArguments sweep;
  sweep.effort = effort;
  const TemporaryDirectory folder;
  explore::Database database(folder.path() / "what_if.sqlite");
  const explore::Workload network{"network", "",
                                  [&](const explore::Design& design) { return explore::layers_of(integers, design); }};
  if (sweep.run(explore::Space::of(designs), {network}, database).stopped) throw Stopped();

  const VariantResult base = result_of(database, as_it_is);
  if (base.cycles == 0) fail("--what-if: {}", base.error);
  report::WhatIfs what_ifs{
      .cycles = base.cycles,
      .how =
          "The network was parted and compiled anew for that core, or that memory, and each program was run on it, "
          "cycle for cycle. Alone its tensors may begin elsewhere in memory, which makes some cycles of difference."};
  for (const Variant& variant : variants) {
    workload::WhatIf& what = what_ifs.all.emplace_back(workload::WhatIf{variant.name, 0, variant.impossible});
    if (!variant.design) continue;
    const VariantResult result = result_of(database, *variant.design);
    what.cycles = result.cycles;
    what.impossible = result.error;
    if (result.left != base.left) {
      what.note = fmt::format("{} of its layers stay on the processor instead of {}", result.left, base.left);
    }
  }
  return what_ifs;
}

}  // namespace vantage::cli
