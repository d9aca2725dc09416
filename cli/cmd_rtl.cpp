#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "base/cache.h"
#include "base/json.h"
#include "base/shell_word.h"
#include "base/temporary.h"
#include "cli/commands.h"
#include "cli/known_values.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "hw/fpga/vivado_project.h"
#include "hw/isa/register_map.h"
#include "hw/rtl/sources.h"
#include "sim/rtl/model_builder.h"

namespace vantage::cli {

namespace fs = std::filesystem;

namespace {

struct BuildArguments {
  std::vector<std::string> configs;
  bool waves = false;
  bool json = false;
};

int build(const BuildArguments& a) {
  std::vector<isa::Config> configs;
  for (const std::string& name : a.configs) configs.push_back(load_config(name));
  Json list = Json::array();
  for (const isa::Config& config : configs) {
    const auto tell = [&](const std::string& what) { build_progress()(what + " " + config.name()); };
    const fs::path library = sim::build_model(config, {default_cache(), a.waves, tell}).path();
    list.push_back({{"config", config.name()}, {"waves", a.waves}, {"library", library.string()}});
    if (!a.json) print_out("{} {}\n", config.name(), library.string());
  }
  if (a.json) print_out("{}\n", json_text(list));
  return 0;
}

struct ExportArguments {
  ConfigOption config;
  std::string folder;
  std::string board;
};

int export_sources(const ExportArguments& a) {
  const isa::Config config = a.config.load();
  NewDirectory folder(a.folder);
  if (a.board.empty()) {
    rtl::write_sources(config, folder.path());
  } else {
    fpga::write_vivado_project(config, load_board(a.board), folder.path());
  }
  folder.commit();
  print_out("{}: the core for {}; its top module is vta, vta_pkg.sv comes first\n", a.folder, config.name());
  if (!a.board.empty()) {
    print_out("A bitstream for {}: vivado -mode batch -source {}\n", a.board, shell_word(a.folder + "/vivado.tcl"));
  }
  return 0;
}

int print_registers(bool json) {
  if (!json) {
    print_out("{}", isa::register_tables());
    return 0;
  }
  Json list = Json::array();
  for (const isa::Register& reg : isa::all_registers()) {
    list.push_back({{"name", reg.name},
                    {"offset", reg.offset},
                    {"bits", reg.bits},
                    {"access", isa::name(reg.access)},
                    {"meaning", reg.meaning}});
  }
  print_out("{}\n", json_text(list));
  return 0;
}

}  // namespace

void add_rtl(CLI::App& app, int& status) {
  CLI::App* rtl = app.add_subcommand("rtl", "the core's SystemVerilog: models for simulation, sources for other tools");
  rtl->footer(
      "Examples:\n"
      "  vantage rtl build --config 8x8\n"
      "  vantage rtl export vta-8x8 --config 8x8\n"
      "  vantage rtl registers");

  auto b = std::make_shared<BuildArguments>();
  CLI::App* build_command = rtl->add_subcommand("build", "build the model that rtl: runs, unless the cache has it");
  b->configs = {"default"};
  build_command->add_option("--config", b->configs, "accelerators: JSON files, or names from configs/accelerators")
      ->type_name("NAME|FILE")
      ->check(such_as(configuration_names()))
      ->capture_default_str();
  build_command->add_flag("--waves", b->waves, "the slower model that --trace needs");
  add_json_flag(*build_command, b->json);
  build_command->footer(
      "Models lie in $VANTAGE_CACHE_DIR, or in vantage in $XDG_CACHE_HOME or ~/.cache.\n"
      "Examples:\n"
      "  vantage rtl build\n"
      "  vantage rtl build --config 8x8 32x32 --json");
  build_command->callback([b, &status] { status = build(*b); });

  auto e = std::make_shared<ExportArguments>();
  CLI::App* export_command =
      rtl->add_subcommand("export", "write the sources for a configuration into a new directory");
  export_command->add_option("folder", e->folder, "the directory to make")
      ->type_name("DIR")
      ->required()
      ->check(not_empty());
  e->config.add_to(*export_command);
  export_command
      ->add_option("--board", e->board, "also a Vivado project for it: a JSON file, or a name from configs/boards")
      ->type_name("NAME|FILE")
      ->check(such_as(board_names()));
  export_command->footer(
      "Vivado is not part of the project's tests: the project for a board has not been run by them.\n"
      "Examples:\n"
      "  vantage rtl export vta-8x8 --config 8x8\n"
      "  vantage rtl export vta-pynq --config pynq --board pynq-z1");
  export_command->callback([e, &status] { status = export_sources(*e); });

  auto json = std::make_shared<bool>(false);
  CLI::App* registers = rtl->add_subcommand("registers", "the core's registers and what its error causes mean");
  add_json_flag(*registers, *json);
  registers->footer(
      "Examples:\n"
      "  vantage rtl registers\n"
      "  vantage rtl registers --json");
  registers->callback([json, &status] { status = print_registers(*json); });
}

}  // namespace vantage::cli
