#include "cli/front_table.h"

#include <fmt/format.h>

#include "cli/part_option.h"

namespace vantage::cli {

std::string front_table(const std::vector<std::string>& minimize, const std::vector<explore::Measured>& measured,
                        const explore::Space& space) {
  const size_t width = std::max<size_t>(9, std::to_string(space.size()).size());
  std::string text = fmt::format("{:>{}} {:<36}", "point", width, "design");
  for (const std::string& name : minimize) text += fmt::format(" {:>16}", name);
  text += space.fit() != nullptr ? "  fits\n" : "\n";
  bool has_star = false;
  for (const explore::Measured* one : explore::designs_on_front(measured)) {
    const explore::Design design = *space.at(one->number).design;
    text += fmt::format("{:>{}} {:<36}", one->number, width, design.config.name() + " " + design.memory.name);
    for (const double value : one->values) text += fmt::format(" {:>16.10g}", value);
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
