#include "cli/energy_option.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cmath>

#include "base/error.h"
#include "base/installation.h"
#include "base/settings.h"
#include "cli/known_values.h"
#include "cli/wrap.h"
#if VANTAGE_HAS_TIME
#include "hw/energy/energy_json.h"
#include "hw/energy/energy_model.h"
#endif
#include "sim/profile/work.h"

namespace vantage::cli {

namespace {

struct Prefix {
  double scale;
  const char* text;
};
constexpr std::array<Prefix, 8> kPrefixes = {
    {{1, ""}, {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}, {1e-12, "p"}, {1e-15, "f"}, {1e-18, "a"}, {1e-21, "z"}}};

Prefix prefix_of(double value) {
  for (const Prefix& prefix : kPrefixes) {
    if (std::abs(value) >= prefix.scale) return prefix;
  }
  return value == 0 ? kPrefixes.front() : kPrefixes.back();
}

}  // namespace

std::string si_text(double value, const std::string& unit) {
  const Prefix prefix = prefix_of(value);
  const double scaled = value / prefix.scale;
  const int whole = scaled == 0 ? 1 : static_cast<int>(std::floor(std::log10(std::abs(scaled)))) + 1;
  return fmt::format("{:.{}f} {}{}", scaled, std::max(0, 4 - std::max(1, whole)), prefix.text, unit);
}

#if VANTAGE_HAS_TIME

using energy::Energy;
using energy::Part;

namespace {

constexpr size_t kEnergyLabel = 18;

std::string energy_row(std::string_view label, const std::string& text) {
  return fmt::format("{:>{}} {}", label, kEnergyLabel, wrapped(text, kEnergyLabel + 1));
}

std::string parts_text(const Energy& energy) {
  const double total = energy.total_pj() * 1e-12;
  const Prefix prefix = prefix_of(total / 10);  // so that small parts have digits, too
  std::string text;
  for (const Part part : energy::kAllParts) {
    if (part == Part::kStatic && !energy.seconds) continue;
    const double joules = energy.of(part) * 1e-12;
    text += fmt::format("{:>{}} {:>12.3f} {}J {:>6.1f} %\n", energy::name(part), kEnergyLabel, joules / prefix.scale,
                        prefix.text, total > 0 ? 100 * joules / total : 0.0);
  }
  return text;
}

std::string energy_text(const energy::EnergyModel& model, const Energy& energy, std::optional<uint64_t> useful,
                        uint64_t executed) {
  std::string text = "\n";
  text += energy_row(
      "energy", fmt::format("{}, by {}: {}", si_text(energy.total_pj() * 1e-12, "J"), model.name(), model.meaning()));
  text += parts_text(energy);
  const auto watts = energy.watts();
  if (!watts) {
    return text + energy_row("power", "not known, nor what is static: the target has no time");
  }
  text += energy_row("power", si_text(*watts, "W") + " on average");
  text += energy_row("energy x time", si_text(*energy.edp(), "J s"));
  const auto tops = [&](uint64_t operations) { return energy.tops_per_watt(operations).value_or(0); };
  if (executed == 0) return text;
  const std::string of_useful = useful ? fmt::format("{:.4f} useful, ", tops(*useful)) : "";
  return text + energy_row("TOPS/W", fmt::format("{}{:.4f} executed", of_useful, tops(executed)));
}

void require_activity(const sim::RunResult& result, const std::string& target) {
  if (result.activity) return;
  fail("--energy: {} does not tell how its memories are used; take fsim:, systemc: or rtl:, or leave --energy out",
       target);
}

}  // namespace

void EnergyOption::add_to(CLI::App& app, const std::string& meaning) {
  app.add_option("--energy", text_, meaning + ": a JSON file, or a name from configs/energy (docs/energy.md)")
      ->type_name("NAME|FILE")
      ->check(such_as(energy_names()));
}

void EnergyOption::load() {
  if (!given()) return;
  model_ = std::make_shared<const energy::EnergyModel>(
      energy::EnergyModel::load(find_settings(text_, data_folder() / "configs" / "energy", "energy model")));
}

std::optional<Energy> EnergyOption::energy_of(const isa::Config& config, const sim::RunResult& result) const {
  if (!model_ || !result.activity) return std::nullopt;
  return model_->spent(config, result.counters, *result.activity, result.cycles);
}

std::string EnergyOption::technology() const {
  return model_ ? model_->name() : "";
}

EnergyReport EnergyOption::report(const isa::Config& config, const sim::RunResult& result, const std::string& target,
                                  std::optional<uint64_t> useful) const {
  if (!model_) return {};
  require_activity(result, target);
  const Energy energy = *energy_of(config, result);
  EnergyReport report;
  report.text = energy_text(*model_, energy, useful, sim::executed(config, result.counters).operations);
  report.json = to_json(model_->name(), energy, useful);
  report.json["activity"] = energy::to_json(*result.activity);
  return report;
}

EnergyReport EnergyOption::report(const isa::Config& config, std::span<const NamedRun> runs, const std::string& target,
                                  std::optional<uint64_t> useful) const {
  if (!model_ || runs.empty()) return {};
  Energy total;
  core::Activity activity;
  uint64_t executed = 0;
  Json layers = Json::array();
  for (const NamedRun& run : runs) {
    require_activity(run.result, target);
    const Energy energy = *energy_of(config, run.result);
    total += energy;
    activity += *run.result.activity;
    executed += sim::executed(config, run.result.counters).operations;
    layers.push_back({{"name", run.name}, {"total", energy.total_pj()}});
  }
  EnergyReport report;
  report.text = energy_text(*model_, total, useful, executed) +
                wrapped("That is the accelerator's part; what the processor takes is not counted.", 0);
  report.json = to_json(model_->name(), total, useful);
  report.json["activity"] = energy::to_json(activity);
  report.json["layers"] = std::move(layers);
  return report;
}

#else

// The tool for boards has no model, as boards do not count.
void EnergyOption::add_to(CLI::App&, const std::string&) {}
void EnergyOption::load() {}
EnergyReport EnergyOption::report(const isa::Config&, const sim::RunResult&, const std::string&,
                                  std::optional<uint64_t>) const {
  return {};
}
EnergyReport EnergyOption::report(const isa::Config&, std::span<const NamedRun>, const std::string&,
                                  std::optional<uint64_t>) const {
  return {};
}
std::optional<energy::Energy> EnergyOption::energy_of(const isa::Config&, const sim::RunResult&) const {
  return std::nullopt;
}
std::string EnergyOption::technology() const {
  return "";
}

#endif

}  // namespace vantage::cli
