#include "report/config_table.h"

#include <fmt/format.h>

#include "base/json.h"

namespace vantage::report {

using isa::Memory;

namespace {

Json row(std::string_view name, const std::string& value, const std::string& note = {}) {
  return {{"name", name}, {"value", value}, {"note", note}};
}

std::string size(Bytes bytes) {
  const uint64_t count = bytes.count();
  if (count % 1024 != 0) return fmt::format("{} B", count);
  return count % (1 << 20) == 0 ? fmt::format("{} MiB", count >> 20) : fmt::format("{} KiB", count >> 10);
}

Json scratchpad(std::string_view name, const isa::Config& config, Memory memory) {
  return row(name, size(config.scratchpad_size(memory)),
             fmt::format("{} entries of {}", config.depth(memory).count(), size(config.element_size(memory))));
}

}  // namespace

Json config_table(const isa::Config& config, double clock_mhz) {
  const int macs = config.batch() * config.block_in() * config.block_out();
  const double bus = 1e-3 * static_cast<double>(config.bus_width().count()) * clock_mhz;
  const double peak = 2e-3 * macs * clock_mhz;
  Json core = {{"name", "Core"},
               {"rows",
                {row("GEMM tile", fmt::format("{} × {} × {}", config.batch(), config.block_in(), config.block_out()),
                     "rows × depth × columns"),
                 row("multipliers", fmt::format("{}", macs)), row("clock", fmt::format("{:.6g} MHz", clock_mhz)),
                 row("peak", fmt::format("{:.1f} GOPS", peak), "two operations for each multiply-accumulate")}}};
  Json data = {{"name", "Data"},
               {"rows",
                {row("inputs", fmt::format("{} bits", config.inp_bits())),
                 row("weights", fmt::format("{} bits", config.wgt_bits())),
                 row("accumulators", fmt::format("{} bits", config.acc_bits())),
                 row("outputs", fmt::format("{} bits", config.out_bits()))}}};
  Json pads = {{"name", "Scratchpads"},
               {"rows",
                {scratchpad("inputs", config, Memory::kInp), scratchpad("weights", config, Memory::kWgt),
                 scratchpad("accumulators", config, Memory::kAcc), scratchpad("micro-ops", config, Memory::kUop)}}};
  Json memory = {{"name", "Bus"},
                 {"rows",
                  {row("width", fmt::format("{} bytes a cycle", config.bus_width().count()), "each way"),
                   row("bandwidth", fmt::format("{:.2f} GB/s", bus), "each way"),
                   row("ridge", fmt::format("{:.1f} operations a byte", peak / bus), "below it the bus binds")}}};
  Json keys = {{"name", "Keys"}, {"rows", Json::array()}};
  const Json written = config.to_json();
  for (const auto& [key, value] : written.items()) {
    keys["rows"].push_back(row(key, value.is_string() ? value.get<std::string>() : value.dump()));
  }
  return {core, data, pads, memory, keys};
}

}  // namespace vantage::report
