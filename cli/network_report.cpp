#include "cli/network_report.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/json.h"
#include "cli/layer_text.h"
#include "cli/what_if.h"
#include "cli/wrap.h"
#include "report/layers.h"

namespace vantage::cli {

namespace {

bool is_on_gpu(const NetworkReport& report) {
  return report.functions_on.starts_with("cuda:");
}

// Of what runs on an accelerator.
double clock_of(const NetworkReport& report) {
  return report.measured.has_cycles ? report.measured.clock_mhz : report.network.config->clock_mhz();
}

}  // namespace

std::string NetworkReport::text(bool layers) const {
  std::string text;
  if (network.programs.empty()) {
    text = fmt::format("{} on {}\n", network.name, functions_on);
  } else {
    const isa::Config& config = *network.config;
    const std::string memory = target.memory_name(config);
    text = wrapped(fmt::format("{} on {} {} at {:.6g} MHz{}", network.name, target.uri, config.name(), clock_of(*this),
                               memory.empty() ? "" : ", memory " + memory),
                   0);
  }
  if (layers) text += layer_table(measured) + "\n";
  if (measured.has_cycles) {
    text += fmt::format("accelerator {:>12} cycles  {:>9.3f} ms\n", measured.accelerator_cycles.count(),
                        1e3 * measured.accelerator_seconds);
  }
  text += fmt::format("{:<11} {:>12}         {:>9.3f} ms\n", is_on_gpu(*this) ? "GPU" : "processor", "",
                      1e3 * measured.processor_seconds);
  if (measured.has_cycles) {
    text += fmt::format("end to end  {:>12}         {:>9.3f} ms\n", "", 1e3 * measured.latency_seconds);
  }
#if VANTAGE_HAS_TIME
  if (what_ifs) text += "\n" + what_if_text(*what_ifs) + "\n";
#endif
  return text + energy.text;
}

Json NetworkReport::json() const {
  const bool is_accelerated = !network.programs.empty();
  Json json = {{"model", network.name},
               {"target", is_accelerated ? target.uri : functions_on},
               {is_on_gpu(*this) ? "gpu_ms" : "cpu_ms", 1e3 * measured.processor_seconds},
               {"layers", layers_json(measured)}};
  if (!is_accelerated) return json;
  const isa::Config& config = *network.config;
  json["config"] = config.name();
  json["clock_mhz"] = json_number(clock_of(*this));
  if (const std::string name = target.memory_name(config); !name.empty()) json["memory"] = name;
  if (measured.has_cycles) {
    json["accelerator_cycles"] = measured.accelerator_cycles.count();
    json["latency_ms"] = 1e3 * measured.latency_seconds;
  }
#if VANTAGE_HAS_TIME
  if (what_ifs) json["what_ifs"] = report::to_json(*what_ifs);
#endif
  if (!energy.json.is_null()) json["energy"] = energy.json;
  return json;
}

#if VANTAGE_HAS_TIME
void NetworkReport::write(const ReportOptions& options, bool prints_json) const {
  if (!options.wanted()) return;
  report::Report page;
  page.title = network.name;
  page.target = network.programs.empty() ? functions_on : target.uri;
  if (!network.programs.empty()) {
    const isa::Config& config = *network.config;
    page.memory = target.memory_name(config);
    report::set_accelerator(page, config, target.memory_setting(config), clock_of(*this));
  }
  page.seconds = measured.latency_seconds;
  page.layers = report::layers_of(network, measured);
  page.bottleneck = report::bottleneck_of(network, measured);
  page.what_ifs = what_ifs;
  page.energy = energy.json;
  options.write(std::move(page), prints_json);
}
#else
void NetworkReport::write(const ReportOptions&, bool) const {}
#endif

EnergyReport energy_report(const EnergyOption& option, const Network& network, const std::string& target,
                           const workload::NetworkMeasurement& measured) {
  if (network.programs.empty()) {
    if (option.given())
      fail("--energy: nothing of {} runs on an accelerator, and what a processor takes is not known", network.name);
    return {};
  }
  std::vector<NamedRun> runs;
  uint64_t useful = 0;
  for (const workload::LayerMeasurement& layer : measured.layers) {
    if (!layer.run) continue;
    runs.push_back({layer.name, *layer.run});
    useful += 2 * layer.useful;
  }
  return option.report(*network.config, runs, target, useful);
}

std::string NetworkReport::text(const driver::Timing& timing) const {
  return fmt::format("a run takes {:.3f} ms of {}, the median of {}; the fastest took {:.3f} ms\n",
                     1e3 * timing.median(), is_on_gpu(*this) ? "the GPU" : "this machine", timing.samples.size(),
                     1e3 * timing.min());
}

void NetworkReport::add(const driver::Timing& timing, Json& json) const {
  json[is_on_gpu(*this) ? "gpu_run_ms" : "host_ms"] = {
      {"median", 1e3 * timing.median()}, {"min", 1e3 * timing.min()}, {"runs", timing.samples.size()}};
}

}  // namespace vantage::cli
