#include "cli/part_table.h"

#include <fmt/format.h>

#include "base/json.h"
#include "hw/fpga/area/part_fit.h"

namespace vantage::cli {

std::string part_table(const std::vector<PartUse>& cores, const fpga::Part& part, const std::string& by) {
  constexpr size_t kNames = 20;
  std::string out = fmt::format("{} ({}), by {}\n{:<{}}", part.name, part.part, by, "", kNames);
  const auto end_line = [&] { out.replace(out.find_last_not_of(' ') + 1, std::string::npos, "\n"); };
  for (const fpga::PartResource& r : fpga::part_resources()) out += fmt::format("{:>14} ", r.name);
  end_line();
  out += fmt::format("{:<{}}", "the part has", kNames);
  for (const fpga::PartResource& r : fpga::part_resources()) out += fmt::format("{:>7}        ", part.*r.available);
  end_line();
  for (const PartUse& core : cores) {
    // A file's name may be longer than its column.
    if (core.given.size() >= kNames) out += core.given + "\n";
    out += fmt::format("{:<{}}", core.given.size() < kNames ? core.given : "", kNames);
    for (const fpga::PartResource& r : fpga::part_resources()) {
      const uint64_t used = core.used.*r.used;
      const uint64_t available = part.*r.available;
      const std::string share =
          available == 0 ? "-"
                         : fmt::format("{:.1f}%", 100.0 * static_cast<double>(used) / static_cast<double>(available));
      out += fmt::format("{:>7} {:>6}{}", used, share, used <= available ? ' ' : '!');
    }
    end_line();
  }
  return out;
}

Json available_json(const fpga::Part& part) {
  Json json = Json::object();
  for (const fpga::PartResource& r : fpga::part_resources()) json[r.key] = part.*r.available;
  return json;
}

Json used_json(const fpga::Resources& used) {
  Json json = Json::object();
  for (const fpga::PartResource& r : fpga::part_resources()) json[r.key] = used.*r.used;
  return json;
}

std::vector<std::string> shortages(const PartUse& core, const fpga::Part& part) {
  std::vector<std::string> lines;
  for (const fpga::PartResource& r : fpga::part_resources()) {
    if (core.used.*r.used <= part.*r.available) continue;
    lines.push_back(fmt::format("{} does not fit the {}: it takes {} {}, the part has {}", core.given, part.part,
                                core.used.*r.used, r.name, part.*r.available));
  }
  return lines;
}

}  // namespace vantage::cli
