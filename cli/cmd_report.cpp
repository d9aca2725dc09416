#include <CLI/CLI.hpp>
#include <filesystem>

#include "base/error.h"
#include "base/suggest.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/known_values.h"
#include "cli/options.h"
#include "cli/output.h"
#include "frontend/models/models.h"

namespace vantage::cli {

namespace {

struct ReportArguments {
  std::string what, out, config, target, memory, energy;
};

std::vector<std::string> network_names() {
  std::vector<std::string> names;
  for (const models::Model& model : models::models()) {
    if (model.name != "mlp") names.push_back(model.name);
  }
  return names;
}

bool is_file(const std::string& what) {
  return std::filesystem::exists(what) || what.find_first_of("./") != std::string::npos;
}

// What `vantage run` is told, which does all of it.
int run_report(const ReportArguments& a) {
  const std::vector<std::string> names = network_names();
  if (!is_file(a.what) && std::find(names.begin(), names.end(), a.what) == names.end()) {
    fail("'{}' is no file and no network{}", a.what, did_you_mean(a.what, names));
  }
  std::vector<std::string> words = {"run", a.what, "--html", a.out};
  const auto pass_on = [&](const char* option, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  pass_on("--config", a.config);
  pass_on("--target", a.target);
  pass_on("--memory", a.memory);
  pass_on("--energy", a.energy);
  CLI::App app;
  int status = 0;
  make_command_line(app, status);
  words = spelled_out(std::move(words), app);
  if (words[1] == "program" && !a.config.empty()) fail("{} says what it is for; leave --config out", a.what);
  std::reverse(words.begin(), words.end());
  app.parse(std::move(words));
  if (status == 0) print_out("report: {}\n", a.out);
  return status;
}

}  // namespace

void add_report(CLI::App& app, int& status) {
  auto a = std::make_shared<ReportArguments>();
  CLI::App* command = app.add_subcommand("report", "run a program or a network, and write a page about it");
  command
      ->add_option("what", a->what,
                   "a replay bundle, a program, a network's name, FILE.onnx, or what `vantage compile` made")
      ->type_name("RUN|NETWORK")
      ->check(such_as(network_names))
      ->required();
  command->add_option("-o,--output", a->out, "the page")->type_name("FILE")->check(not_empty())->required();
  command->add_option("--config", a->config, "of a network: a JSON file, or a name from configs/accelerators")
      ->type_name("NAME|FILE")
      ->check(such_as(configuration_names()));
  command->add_option("--target", a->target, "device to run on; without it systemc:")
      ->type_name("TARGET")
      ->check(such_as(target_names()));
  command->add_option("--memory", a->memory, "memory of the device: a JSON file, or a name from configs/memory")
      ->type_name("NAME|FILE")
      ->check(such_as(memory_names()));
  command->add_option("--energy", a->energy, "what it spends, too: a JSON file, or a name from configs/energy")
      ->type_name("NAME|FILE")
      ->check(such_as(energy_names()));
  command->footer(
      "It runs as `vantage run` does, which has more options, and writes the same page with --html. docs/report.md "
      "says what is on it.\n"
      "Examples:\n"
      "  vantage run gemm --m 16 --k 16 --n 16 --record run.bundle\n"
      "  vantage report run.bundle -o run.html\n"
      "  vantage report lenet -o lenet.html --config 8x8 --energy 45nm");
  command->callback([a, &status] { status = run_report(*a); });
}

}  // namespace vantage::cli
