#include <CLI/CLI.hpp>

#include "base/json.h"
#include "cli/commands.h"
#include "cli/known_values.h"
#include "cli/model_options.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/placement_text.h"
#include "cli/wrap.h"

namespace vantage::cli {

namespace {

struct ExplainArguments {
  std::string model;
  ConfigOption config;
  MemoryOption memory;
  ModelOptions options;
  bool json = false;
};

int explain(const ExplainArguments& a) {
  const isa::Config config = a.config.load();
  const MemoryTiming memory = a.memory.load(config.clock_mhz());
  const workload::PreparedNetwork prepared = a.options.prepare(a.model, config, memory).network;
  if (a.json) {
    const Json json = {{"model", a.model}, {"config", config.name()}, {"nodes", placements_json(prepared)}};
    print_out("{}\n", json_text(json));
    return 0;
  }
  print_out("{}{}", wrapped(fmt::format("{} for {}, memory {}", a.model, config.name(), memory.name), 0),
            placement_table(prepared));
  return 0;
}

}  // namespace

void add_explain(CLI::App& app, int& status) {
  auto a = std::make_shared<ExplainArguments>();
  CLI::App* command = app.add_subcommand("explain", kExplain);
  command->add_option("model", a->model, "the network: one that is built in code, or an ONNX file")
      ->required()
      ->type_name("MODEL|FILE.onnx")
      ->check(such_as(model_names));
  a->config.add_to(*command);
  a->memory.add_to(*command, "memory")->default_str("m64");
  a->options.add_to(*command);
  a->options.add_weights_to(*command);
  a->options.add_file_options_to(*command);
  add_json_flag(*command, a->json);
  command->footer(
      "Examples:\n"
      "  vantage explain resnet18\n"
      "  vantage explain net.onnx --size batch=1\n"
      "  vantage explain mobilenet --config 32x32 --json");
  command->callback([a, &status] { status = explain(*a); });
}

}  // namespace vantage::cli
