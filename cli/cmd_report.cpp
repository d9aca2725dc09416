#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/suggest.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/idle_options.h"
#include "cli/known_values.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/output_file.h"
#include "cli/sweep_report.h"
#include "cli/what_if.h"
#include "frontend/models/models.h"

namespace vantage::cli {

namespace {

struct ReportArguments {
  std::string what, out, config, target, memory, energy;
  std::vector<std::string> sizes;  // NAME=N
  bool what_if = false;
  SweepReport sweep;
};

std::vector<std::string> network_names() {
  std::vector<std::string> names;
  for (const models::Model& model : models::models()) names.push_back(model.name);
  return names;
}

bool is_file(const std::string& what) {
  return std::filesystem::exists(what) || what.find_first_of("./") != std::string::npos;
}

// By its first bytes, whoever made it.
bool is_database(const std::string& file) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  std::string begin(kMagic.size(), ' ');
  return std::ifstream(file, std::ios::binary).read(begin.data(), static_cast<std::streamsize>(begin.size())) &&
         begin == kMagic;
}

// Files that have other uses, of which what is said of a bad program would say nothing.
std::string use_of(const Json& json) {
  const auto has = [&](const char* key) { return json.is_object() && json.contains(key); };
  if (has("parameters") || has("points")) return "a space of designs, which `vantage sweep` makes a database of";
  if (has("ruled_out")) return "a certificate, which `vantage explore --verify` checks";
  if (has("LOG_BLOCK")) return "an accelerator, which --config takes";
  return "JSON";
}

void require_kind(const std::string& what) {
  constexpr std::string_view kKinds =
      "report takes the folder of a bundle, a program, a network's name, FILE.onnx, what `vantage compile` made, or a "
      "database of designs";
  if (std::filesystem::is_directory(what)) {
    if (std::filesystem::exists(std::filesystem::path(what) / "bundle.json")) return;
    fail("{}: is a folder without bundle.json; {}", what, kKinds);
  }
  char first = 0;
  if (!(std::ifstream(what) >> first) || (first != '{' && first != '[')) return;  // no program begins so
  constexpr Bytes kLargest{64 << 20};
  const bool is_large = std::filesystem::file_size(what) > kLargest.count();
  fail("{}: is {}; {}", what, is_large ? "JSON" : use_of(parse_json(read_file(what, kLargest), what)), kKinds);
}

// "results.html" of "some/results.sqlite".
std::string page_beside(const std::string& what) {
  const auto path = std::filesystem::path(what).lexically_normal();
  const auto name = path.has_filename() ? path.filename() : path.parent_path().filename();
  return name.stem().string() + ".html";
}

int report_database(const CLI::App& command, const ReportArguments& a) {
  refuse_options(command, {"--config", "--target", "--memory", "--size", "--what-if"},
                 fmt::format("is for what is run, and {} is a database of what was", a.what));
  require_distinct("--workload", a.sweep.workloads);
  if constexpr (VANTAGE_HAS_PROCESSOR) {
    SweepReport sweep = a.sweep;
    sweep.energy = a.energy;
    write_sweep_report(sweep, a.what, a.out);
    print_out("report: {}\n", a.out);
    return 0;
  } else {
    fail("this build leaves out sweeps; in a checkout, ./vantage sweep builds them when it is first called");
  }
}

// What `vantage run` is told, which does all of it.
int run_report(const CLI::App& command, ReportArguments a) {
  const std::vector<std::string> names = network_names();
  if (std::find(names.begin(), names.end(), a.what) == names.end()) {
    if (!is_file(a.what)) fail("'{}' is no file and no network{}", a.what, did_you_mean(a.what, names));
    if (!std::filesystem::exists(a.what)) fail("{}: there is no such file", a.what);
  }
  if (a.out.empty()) a.out = page_beside(a.what);
  require_file_name("--output", a.out);
  require_other_file("--output", a.out, a.what);
  require_kind(a.what);
  if (is_database(a.what)) return report_database(command, a);
  refuse_options(command, {"--workload", "--x", "--y"},
                 fmt::format("is for databases of designs, and {} is none", a.what));
  std::vector<std::string> words = {"run", a.what, "--html", a.out};
  const auto pass_on = [&](const char* option, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  pass_on("--config", a.config);
  pass_on("--target", a.target);
  pass_on("--memory", a.memory);
  pass_on("--energy", a.energy);
  for (const std::string& size : a.sizes) pass_on("--size", size);
  if (a.what_if) words.emplace_back("--what-if");
  CLI::App app;
  int status = 0;
  make_command_line(app, status);
  words = spelled_out(std::move(words), app);
  if (words[1] == "program" && !a.config.empty()) fail("{} says what it is for; leave --config out", a.what);
  // What takes how long does not depend on values.
  const bool may_have_open_inputs =
      words[1] == "archive" || (words[1] == "program" && !std::filesystem::is_directory(a.what));
  if (may_have_open_inputs) words.insert(words.end(), {"--random", "1"});
  std::reverse(words.begin(), words.end());
  app.parse(std::move(words));
  if (status == 0) print_out("report: {}\n", a.out);
  return status;
}

}  // namespace

void add_report(CLI::App& app, int& status) {
  auto a = std::make_shared<ReportArguments>();
  CLI::App* command = app.add_subcommand("report", "write a page about a run, which it makes, or about a sweep");
  command
      ->add_option(
          "what", a->what,
          "a replay bundle, a program, a network's name, FILE.onnx, what `vantage compile` made, or a database "
          "of designs (`vantage sweep`)")
      ->type_name("RUN|NETWORK|DB")
      ->check(such_as(network_names))
      ->required();
  command
      ->add_option("-o,--output", a->out,
                   "the page; without it one in this folder that is called as what it is about, with .html")
      ->type_name("FILE")
      ->check(not_empty());
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
  command
      ->add_option("--size", a->sizes,
                   "of a model that has sizes, as sequence=64; of an ONNX file what a symbol in its shapes is")
      ->type_name("NAME=N")
      ->expected(1)
      ->take_all();
  add_what_if_flag(*command, a->what_if, "cores and memories with more of something");
  command
      ->add_option("--workload", a->sweep.workloads,
                   "of a database: what designs ran, by name, separated by commas; without it all there is")
      ->type_name("NAMES")
      ->expected(1)
      ->take_all()
      ->delimiter(',')
      ->check(not_empty());
  command->add_option("--x", a->sweep.x, "of a database: what is drawn to the right at first; without it luts")
      ->type_name("AXIS")
      ->check(not_empty());
  command->add_option("--y", a->sweep.y, "of a database: what is drawn upwards at first; without it ms")
      ->type_name("AXIS")
      ->check(not_empty());
  command->footer(
      "It runs as `vantage run` does, which has more options, and writes the same page with --html. A database of "
      "designs is read as it is, also while a sweep goes on. docs/report.md says what is on the pages.\n"
      "Examples:\n"
      "  vantage run gemm --m 16 --k 16 --n 16 --record run.bundle\n"
      "  vantage report run.bundle -o run.html\n"
      "  vantage report lenet -o lenet.html --config 8x8 --energy 45nm --what-if\n"
      "  vantage sweep shapes-of-256-macs --workloads conv:C2,conv:C5 --db s.sqlite\n"
      "  vantage report s.sqlite -o sweep.html --workload conv:C5 --x dsps --y ms\n"
      "  vantage report s.sqlite -o sweep.html --energy 45nm --x energy_mj --y ms");
  command->callback([a, command, &status] { status = run_report(*command, *a); });
}

}  // namespace vantage::cli
