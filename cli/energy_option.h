// --energy: what a run spends, by component, and how that is told (docs/energy.md).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/json.h"
#include "hw/energy/energy.h"
#include "hw/isa/config.h"
#include "sim/machine.h"

namespace CLI {
class App;
}

namespace vantage::energy {
class EnergyModel;
}

namespace vantage::cli {

// What is told of it; nothing where the option was not given.
struct EnergyReport {
  std::string text = {};  // lines that follow a run's table
  Json json = {};         // docs/json.md; null: nothing
};

// A run of which energy is told.
struct NamedRun {
  std::string name;
  const sim::RunResult& result;
};

class EnergyOption {
 public:
  EnergyOption() = default;
  explicit EnergyOption(std::string text) : text_(std::move(text)) {}
  void add_to(CLI::App& app, const std::string& meaning = "also say what the run spends, by component");
  bool given() const { return !text_.empty(); }
  // Reads the model, if one was given, before anything runs. Throws Error.
  void load();

  // Throws Error where `target` does not count what its memories do. `useful`: operations, where they are known.
  EnergyReport report(const isa::Config& config, const sim::RunResult& result, const std::string& target,
                      std::optional<uint64_t> useful) const;
  // Of a network's programs: all of them together, and each in JSON. The processor's part is not counted.
  EnergyReport report(const isa::Config& config, std::span<const NamedRun> runs, const std::string& target,
                      std::optional<uint64_t> useful) const;
  // Nothing where the option was not given, or the machine does not count.
  std::optional<energy::Energy> energy_of(const isa::Config& config, const sim::RunResult& result) const;
  std::string technology() const;
  // As it was given; empty: it was not.
  const std::string& text() const { return text_; }
  // Null where the option was not given.
  const energy::EnergyModel* model() const { return model_.get(); }

 private:
  std::string text_;  // a JSON file, or a name from configs/energy
  std::shared_ptr<const energy::EnergyModel> model_;
};

// "1.234 uJ": four digits, and the prefix that suits them.
std::string si_text(double value, const std::string& unit);

}  // namespace vantage::cli
