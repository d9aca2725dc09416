#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/installation.h"
#include "base/json.h"
#include "base/temporary.h"
#include "cli/commands.h"
#include "cli/design_table.h"
#include "cli/known_values.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/part_table.h"
#include "cli/sweep_options.h"
#include "cli/synth_option.h"
#include "cli/timing_text.h"

namespace vantage::cli {

namespace {

struct DesignsArguments : SweepArguments {
  std::vector<std::string> configs, memories = {"m64"};
  std::string db;
  EnergyOption energy;
  PartOption part{"xc7z020"};
  SynthOption synth;
  bool json = false;
};

// An accelerator on the part; memories do not count here.
struct Core {
  std::string given;
  isa::Config config;
  DesignFit fit;
  std::optional<TimedCore> timed = {};  // by Yosys, where the part's delays are known
};

std::vector<Core> cores_of(const DesignsArguments& a) {
  const fpga::PartFit& part = *a.part.fit();
  std::vector<Core> cores;
  std::vector<isa::Config> configs;
  for (const std::string& name : a.configs) {
    configs.push_back(load_config(name));
    cores.push_back({name, configs.back(), fit_of(part, configs.back())});
  }
  if (!a.synth.given()) return cores;
  const std::vector<fpga::Synthesis> results = a.synth.synthesize(configs, part.part().family);
  for (size_t i = 0; i < cores.size(); ++i) {
    cores[i].fit = fit_of(part.part(), results[i].used);
    if (results[i].timing) cores[i].timed = {cores[i].given, configs[i].clock_mhz(), *results[i].timing};
  }
  return cores;
}

std::string text_of(const std::vector<Core>& cores, const fpga::Part& part, const SynthOption& synth) {
  std::vector<PartUse> uses;
  std::vector<TimedCore> timed;
  for (const Core& core : cores) {
    uses.push_back({core.given, core.fit.used});
    if (core.timed) timed.push_back(*core.timed);
  }
  std::string text = part_table(uses, part, synth.given() ? "Yosys" : "estimate");
  if (!timed.empty()) text += "\n" + timing_table(timed, fpga::CellDelays::of_family(part.family).value());
  return text;
}

Json json_of(const std::vector<Core>& cores, const fpga::Part& part) {
  Json areas = Json::array();
  for (const Core& core : cores) {
    areas.push_back({{"design", core.given}, {"used", used_json(core.fit.used)}, {"fits", core.fit.fits}});
    if (core.timed) {
      areas.back()["timing"] = timing_json(*core.timed, fpga::CellDelays::of_family(part.family).value());
    }
  }
  return areas;
}

int compare_designs(DesignsArguments& a) {
  require_distinct("the list of configurations", a.configs);
  require_distinct("--memory", a.memories);
  a.check();
  a.energy.load();
  a.part.load();
  a.synth.check();
  const fpga::Part& part = a.part.fit()->part();
  std::vector<explore::Design> designs;
  std::vector<std::string> names;
  for (const std::string& name : a.configs) {
    const isa::Config config = load_config(name);
    for (const std::string& memory : a.memories) {
      designs.push_back({config, load_memory(memory, config.clock_mhz())});
      names.push_back(fmt::format("{} {}", name, designs.back().memory.name));
    }
  }
  const explore::Space space = explore::Space::of(designs);
  const TemporaryDirectory folder = a.scratch();
  explore::Database database(a.db.empty() ? (folder.path() / "designs.sqlite").string() : a.db);
  const explore::SweepResult result = a.run(space, database);
  if (result.stopped) return tell_stopped(!a.db.empty());
  const std::vector<Core> cores = cores_of(a);
  // In the order of the workloads, and of these in that of the designs.
  std::vector<DesignRow> rows;
  for (const int64_t workload : result.workloads) {
    for (size_t d = 0; d < designs.size(); ++d) {
      DesignRow& row = rows.emplace_back(row_of(database, database.add(designs[d]).design, workload));
      row.name = names[d];
      row.fit = cores[d / a.memories.size()].fit;
    }
  }
  add_energy(database, a.energy, rows);
  if (a.json) {
    print_out("{}\n", json_text({{"rows", to_json(rows)}, {"part", part.part}, {"areas", json_of(cores, part)}}));
  } else {
    print_out("{}\n{}", table(rows).substr(1), text_of(cores, part, a.synth));
  }
  return status_of(result);
}

}  // namespace

void add_compare_designs(CLI::App& parent, int& status) {
  auto a = std::make_shared<DesignsArguments>();
  CLI::App* command = parent.add_subcommand("designs", "accelerators side by side, on networks, layers and products");
  command->add_option("configs", a->configs, "the accelerators: JSON files, or names from configs/accelerators")
      ->required()
      ->type_name("NAME|FILE")
      ->check(such_as(configuration_names()));
  command->add_option("--memory", a->memories, "memories, separated by commas: each accelerator with each of them")
      ->type_name("NAME|FILE")
      ->delimiter(',')
      ->check(such_as(memory_names()))
      ->capture_default_str();
  a->add_to(*command);
  a->part.add_to(*command, "the FPGA that they are to fit, by estimate; those that do not are shown, too");
  a->synth.add_to(*command, "what they take, and how fast they may be clocked");
  command->add_option("--db", a->db, "keep the results in this database, and take what it has (`vantage sweep`)")
      ->type_name("FILE")
      ->check(not_empty());
  a->energy.add_to(*command);
  add_json_flag(*command, a->json);
  command->footer(
      "Examples:\n"
      "  vantage compare designs default 16x32 32x32\n"
      "  vantage compare designs default 16x32 --energy 45nm --part xc7z045\n"
      "  vantage compare designs default 8x8 --synth\n"
      "  vantage compare designs default mine.json --workloads resnet18,bert_base\n"
      "  vantage compare designs default --memory m1,m64 --workloads conv:C2 --json");
  command->callback([a, &status] { status = compare_designs(*a); });
}

}  // namespace vantage::cli
