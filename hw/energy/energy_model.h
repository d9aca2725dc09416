// What the events of a run take, from a file: a technology, or a table of Accelergy's kind with what its components are
// here (docs/energy.md has both formats).
//
// Thread safety: const access from any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

#include "hw/energy/accelergy.h"
#include "hw/energy/energy.h"
#include "hw/energy/technology.h"

namespace vantage::energy {

class EnergyModel {
 public:
  // Each throws Error naming the file, the key, the value and what would be right. To load(), a table's name counts
  // from the folder of the file that names it.
  static EnergyModel load(const std::filesystem::path& path);
  static EnergyModel parse(std::string_view json_text, std::string_view source, const ReadTable& read);

  const std::string& name() const { return name_; }
  const std::string& meaning() const { return meaning_; }
  // The SHA-256 of all that it says, tables included: models of one name may be others.
  const std::string& content() const { return content_; }

  // The same for every run on a configuration; takes less than a microsecond or two.
  EventEnergies of(const isa::Config& config) const;

  // The two steps in one.
  Energy spent(const isa::Config& config, const isa::Counters& counters, const core::Activity& activity,
               std::optional<Cycles> cycles) const {
    return of(config).spent(config, counters, activity, cycles);
  }

 private:
  using Source = std::variant<Technology, AccelergyTable>;
  EnergyModel(std::string name, std::string meaning, std::string content, Source source)
      : name_(std::move(name)),
        meaning_(std::move(meaning)),
        content_(std::move(content)),
        source_(std::move(source)) {}

  std::string name_, meaning_, content_;
  Source source_;
};

}  // namespace vantage::energy
