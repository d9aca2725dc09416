#include "cli/front_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/part_option.h"

namespace vantage::cli {

std::string front_table(const std::vector<std::string>& minimize, const std::vector<explore::Measured>& measured,
                        const explore::Space& space) {
  const size_t width = std::max<size_t>(9, std::to_string(space.size()).size());
  std::string text = fmt::format("{:>{}} {:<36}", "point", width, "design");
  for (const std::string& name : minimize) text += fmt::format(" {:>16}", name);
  text += space.fit() != nullptr ? "  fits\n" : "\n";
  bool has_star = false;
  std::vector<const explore::Measured*> front;
  for (const explore::Measured& design : measured) {
    if (design.on_front) front.push_back(&design);
  }
  std::ranges::sort(front, {}, [](const auto* design) { return std::pair(design->values, design->number); });
  for (const auto* on_front : front) {
    const explore::Design design = *space.at(on_front->number).design;
    text += fmt::format("{:>{}} {:<36}", on_front->number, width, design.config.name() + " " + design.memory.name);
    for (const double value : on_front->values) text += fmt::format(" {:>16.10g}", value);
    if (space.fit() != nullptr) {
      const DesignFit fit = fit_of(*space.fit(), design.config);
      text += "  " + fit.text;
      has_star |= fit.is_extrapolated;
    }
    text += "\n";
  }
  return has_star ? text + "\n" + star_note() : text;
}

}  // namespace vantage::cli
