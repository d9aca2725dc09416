#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>

#include "base/json.h"
#include "cli/commands.h"
#include "cli/known_values.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/wrap.h"
#include "workload/published_times.h"

namespace vantage::cli {

namespace {

using workload::ValidatedLayer;

struct SiliconArguments {
  std::string times = "resnet18-pynq-z1";
  std::vector<std::string> layers;
  double within = 2;  // percent
  uint64_t seed = 1;
  bool json = false;
};

// All, or those that were asked for, in the order of the file.
std::vector<workload::PublishedLayer> chosen(const workload::PublishedTimes& times, const SiliconArguments& a) {
  std::vector<std::string> names;
  for (const auto& layer : times.layers) names.push_back(layer.layer.name);
  for (const std::string& name : a.layers) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      fail("--layer {}: nothing was published of it; there are {}", name, fmt::join(names, ", "));
    }
  }
  std::vector<workload::PublishedLayer> layers;
  for (const auto& layer : times.layers) {
    const auto& wanted = a.layers;
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), layer.layer.name) != wanted.end()) {
      layers.push_back(layer);
    }
  }
  return layers;
}

bool is_near(const ValidatedLayer& layer, double percent) {
  return 100 * std::abs(layer.error()) <= percent;
}

void print_table(const workload::PublishedTimes& times, const std::vector<ValidatedLayer>& layers) {
  print_out("{}\n", wrapped(fmt::format("{}: {}", times.machine, times.source), 0));
  print_out("{:>8} {:>13} {:>10} {:>10} {:>10} {:>10} {:>7}\n", "layer", "instructions", "device", "host", "model",
            "published", "error");
  for (const ValidatedLayer& layer : layers) {
    print_out("{:>8} {:>13} {:>10} {:>10} {:>10} {:>10} {:>+6.2f}%\n", layer.name, layer.instructions,
              layer.device.count(), layer.host.count(), layer.model().count(), layer.published.count(),
              100 * layer.error());
  }
}

void print_json(const workload::PublishedTimes& times, const std::vector<ValidatedLayer>& layers, double within,
                bool ok) {
  Json list = Json::array();
  for (const ValidatedLayer& layer : layers) {
    list.push_back({{"layer", layer.name},
                    {"ok", layer.difference.empty() && is_near(layer, within)},
                    {"results_right", layer.difference.empty()},
                    {"instructions", layer.instructions},
                    {"cycles", layer.device.count()},
                    {"host_cycles", layer.host.count()},
                    {"published_cycles", layer.published.count()},
                    {"error", layer.error()}});
  }
  print_out("{}\n", json_text({{"ok", ok},
                               {"within", within},
                               {"machine", times.machine},
                               {"config", times.config.name()},
                               {"clock_mhz", times.config.clock_mhz()},
                               {"source", times.source},
                               {"layers", std::move(list)}}));
}

int validate_silicon(const SiliconArguments& a) {
  const auto times = workload::PublishedTimes::find(a.times);
  const auto layers = chosen(times, a);
  const auto machine = TargetOptions("published:" + times.machine).open(times.config);
  std::vector<ValidatedLayer> validated;
  {
    Progress progress("layers", layers.size());
    for (const auto& layer : layers) {
      validated.push_back(workload::validate(*machine, layer, a.seed));
      progress.advance(validated.size());
    }
  }
  const bool ok = std::all_of(validated.begin(), validated.end(), [&](const ValidatedLayer& layer) {
    return layer.difference.empty() && is_near(layer, a.within);
  });
  a.json ? print_json(times, validated, a.within, ok) : print_table(times, validated);
  for (const ValidatedLayer& layer : validated) {
    if (!layer.difference.empty()) {
      print_error("error: {}: the result is wrong: {}\n", layer.name, layer.difference);
    } else if (!is_near(layer, a.within)) {
      print_error("error: {}: the model takes {} cycles, {:+.2f} % of the {} that were published; the limit is {} %\n",
                  layer.name, layer.model().count(), 100 * layer.error(), layer.published.count(), a.within);
    }
  }
  return ok ? 0 : 1;
}

void add_silicon(CLI::App& validate, int& status) {
  auto a = std::make_shared<SiliconArguments>();
  CLI::App* silicon = validate.add_subcommand("silicon", "the times of a published bitstream, beside its model's");
  silicon->add_option("--times", a->times, "what was published: a JSON file, or a name from configs/silicon")
      ->type_name("NAME|FILE")
      ->check(such_as([] { return workload::published_times_names(); }))
      ->capture_default_str();
  std::vector<std::string> layers;
  for (const auto& layer : workload::resnet18_layers()) layers.push_back(layer.name);
  silicon->add_option("--layer", a->layers, "these alone")->type_name("NAME")->check(one_of(layers));
  silicon->add_option("--within", a->within, "fail where the model is farther off than so many percent")
      ->check(number(0, 1000))
      ->capture_default_str();
  silicon->add_option("--seed", a->seed, "seed of the random operands")
      ->check(whole_number(0, UINT64_MAX))
      ->capture_default_str();
  add_json_flag(*silicon, a->json);
  silicon->footer(
      "Builds every layer's program as the bitstream's compiler made it, checks its results, and adds up the device's "
      "cycles and the board's processor's, as the published times do (docs/published.md).\n"
      "Exit status: 0 all are as near as that, 1 one is not.\n"
      "Examples:\n"
      "  vantage validate silicon\n"
      "  vantage validate silicon --layer C2 C10 --json");
  silicon->callback([a, &status] { status = validate_silicon(*a); });
}

}  // namespace

void add_validate(CLI::App& app, int& status) {
  CLI::App* validate = app.add_subcommand("validate", "models, held against what was measured of real hardware");
  validate->footer(
      "Examples:\n"
      "  vantage validate silicon");
  add_silicon(*validate, status);
}

}  // namespace vantage::cli
