#include "hw/isa/timing.h"

#include <fmt/format.h>

namespace vantage::isa {

std::string timing_table() {
  std::string text = "| name | value | unit | meaning |\n| --- | --- | --- | --- |\n";
  const auto add = [&](const Timing& row) {
    text += fmt::format("| `{}` | {} | {} | {} |\n", row.name, row.value, row.unit, row.meaning);
  };
  for (const Timing& row : kTimings) add(row);
  for (const Timing& row : kAssumedTimings) add(row);
  return text;
}

}  // namespace vantage::isa
