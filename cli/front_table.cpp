#include "cli/front_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/part_option.h"
#include "cli/wrap.h"
#include "explore/objectives.h"

namespace vantage::cli {

std::string front_table(const std::vector<std::string>& minimize, const std::vector<explore::Measured>& measured,
                        const explore::Space& space) {
  const std::vector<const explore::Measured*> front = explore::designs_on_front(measured);
  const bool has_left = std::ranges::any_of(front, [](const auto* one) { return one->left_ms > 0; });
  const bool is_of_area =
      std::ranges::any_of(minimize, [](const std::string& name) { return explore::resource_of(name) != nullptr; });
  const size_t width = std::max<size_t>(9, std::to_string(space.size()).size());
  std::string text = fmt::format("{:>{}} {:<34} {:>4} {:>3}", "point", width, "design", "MHz", "bus");
  for (const std::string& name : minimize) text += fmt::format(" {:>16}", name);
  text += fmt::format("{}{}\n", has_left ? "   left ms" : "", space.fit() != nullptr ? "  fits" : "");
  bool has_star = false;
  for (const explore::Measured* one : front) {
    const explore::Design design = *space.at(one->number).design;
    text +=
        fmt::format("{:>{}} {:<34} {:>4} {:>3}", one->number, width, design.config.name() + " " + design.memory.name,
                    design.config.clock_mhz(), design.config.bus_width().count());
    for (const double value : one->values) text += fmt::format(" {:>16.10g}", value);
    if (has_left) text += fmt::format(" {:>9.3g}", one->left_ms);
    if (space.fit() != nullptr) {
      const DesignFit fit = fit_of(*space.fit(), design.config);
      text += "  " + fit.text;
      has_star |= fit.is_extrapolated;
    } else if (is_of_area && !explore::is_area_known(design.config)) {
      text += " *";
      has_star = true;
    }
    text += "\n";
  }
  if (has_star) text += "\n" + star_note();
  // Who leaves more is not faster for that.
  const bool differs = std::ranges::any_of(front, [&](const auto* one) { return one->left_ms != front[0]->left_ms; });
  if (differs && std::ranges::find(minimize, "total_ms") == minimize.end()) {
    text += "\n" + wrapped(
                       "left ms: what a processor beside it takes for layers that the accelerator leaves, roughly; "
                       "--minimize total_ms counts it",
                       0);
  }
  return text;
}

}  // namespace vantage::cli
