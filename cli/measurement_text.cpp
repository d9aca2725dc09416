#include "cli/measurement_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"

namespace vantage::cli {

using workload::Measurement;

namespace {

template <typename T>
std::string or_dash(const std::optional<T>& value, const char* format) {
  return value ? fmt::format(fmt::runtime(format), *value) : "-";
}

std::optional<uint64_t> cycles(const Measurement& row) {
  return row.cycles ? std::optional(row.cycles->count()) : std::nullopt;
}

std::optional<double> milliseconds(const Measurement& row) {
  return row.seconds ? std::optional(*row.seconds * 1e3) : std::nullopt;
}

}  // namespace

std::string table(const std::vector<Measurement>& rows) {
  if (rows.empty()) return {};
  std::string text = rows.front().workload + "\n";
  size_t width = 10;  // an address may be longer
  for (const Measurement& row : rows) width = std::max(width, row.target.size());
  text += fmt::format("{:<{}} {:<8} {:>10} {:>10} {:>9} {:>12} {:>9} {:>9}  {}\n", "target", width, "type", "cycles",
                      "ms", "GOPS", "bytes", "ops/byte", "roofline", "result");
  for (const Measurement& row : rows) {
    const auto share = row.roofline_share();
    text += fmt::format("{:<{}} {:<8} {:>10} {:>10} {:>9} {:>12} {:>9.1f} {:>9}  {}\n", row.target, width, row.dtype,
                        or_dash(cycles(row), "{}"), or_dash(milliseconds(row), "{:.3f}"), or_dash(row.gops(), "{:.1f}"),
                        row.bytes.count(), row.intensity(), share ? fmt::format("{:.0f} %", 100 * *share) : "-",
                        row.ok() ? "right" : "WRONG: " + row.difference);
  }
  return text;
}

Json to_json(const std::vector<Measurement>& rows) {
  Json list = Json::array();
  for (const Measurement& row : rows) {
    Json json = {{"workload", row.workload}, {"target", row.target}, {"dtype", row.dtype}, {"ok", row.ok()}};
    if (row.cycles) json["cycles"] = row.cycles->count();
    if (row.seconds) json["time_ms"] = *milliseconds(row);
    if (row.seconds) json["gops"] = *row.gops();
    json["bytes"] = row.bytes.count();
    json["intensity"] = row.intensity();
    if (row.roofline) {
      json["roofline"] = {{"gops", row.roofline->operations * 1e-9}, {"gbytes_per_s", row.roofline->bytes * 1e-9}};
    }
    if (const auto share = row.roofline_share()) json["roofline_share"] = *share;
    if (!row.ok()) json["mismatch"] = row.difference;
    list.push_back(std::move(json));
  }
  return list;
}

std::string csv(const std::vector<Measurement>& rows) {
  std::string text = "workload,target,dtype,cycles,time_ms,gops,bytes,intensity,roofline_share,ok\n";
  const auto or_empty = [](const auto& value) { return value ? fmt::format("{}", *value) : std::string(); };
  for (const Measurement& row : rows) {
    text += fmt::format("\"{}\",{},{},{},{},{},{},{},{},{}\n", row.workload, row.target, row.dtype,
                        or_empty(cycles(row)), or_empty(milliseconds(row)), or_empty(row.gops()), row.bytes.count(),
                        row.intensity(), or_empty(row.roofline_share()), row.ok() ? "true" : "false");
  }
  return text;
}

}  // namespace vantage::cli
