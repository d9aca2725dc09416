#include "cli/compare/row.h"
#include "base/json.h"

#include <fmt/format.h>

#include <algorithm>

namespace vantage::cli {

namespace {

template <typename T>
std::string or_dash(const std::optional<T>& value, const char* format) {
  return value ? fmt::format(fmt::runtime(format), *value) : "-";
}

std::optional<double> milliseconds(const CompareRow& row) {
  return row.seconds ? std::optional(*row.seconds * 1e3) : std::nullopt;
}

}  // namespace

std::optional<double> CompareRow::gops() const {
  if (!seconds) return std::nullopt;
  return static_cast<double>(operations) / *seconds * 1e-9;
}

std::optional<double> CompareRow::roofline_share() const {
  if (!seconds || !roofline) return std::nullopt;
  return *gops() * 1e9 / roofline->attainable(intensity());
}

std::string table(const std::vector<CompareRow>& rows) {
  if (rows.empty()) return {};
  std::string text = rows.front().workload + "\n";
  size_t width = 10;  // an address may be longer
  for (const CompareRow& row : rows) width = std::max(width, row.target.size());
  text += fmt::format("{:<{}} {:<8} {:>10} {:>10} {:>9} {:>12} {:>9} {:>9}  {}\n", "target", width, "type", "cycles",
                      "ms", "GOPS", "bytes", "ops/byte", "roofline", "result");
  for (const CompareRow& row : rows) {
    const auto share = row.roofline_share();
    text += fmt::format("{:<{}} {:<8} {:>10} {:>10} {:>9} {:>12} {:>9.1f} {:>9}  {}\n", row.target, width, row.dtype,
                        or_dash(row.cycles, "{}"), or_dash(milliseconds(row), "{:.3f}"), or_dash(row.gops(), "{:.1f}"),
                        row.bytes, row.intensity(), share ? fmt::format("{:.0f} %", 100 * *share) : "-",
                        row.ok() ? "right" : "WRONG: " + row.difference);
  }
  return text;
}

Json to_json(const std::vector<CompareRow>& rows) {
  Json list = Json::array();
  for (const CompareRow& row : rows) {
    Json json = {{"workload", row.workload}, {"target", row.target}, {"dtype", row.dtype}, {"ok", row.ok()}};
    if (row.cycles) json["cycles"] = *row.cycles;
    if (row.seconds) json["time_ms"] = *milliseconds(row);
    if (row.seconds) json["gops"] = *row.gops();
    json["bytes"] = row.bytes;
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

std::string csv(const std::vector<CompareRow>& rows) {
  std::string text = "workload,target,dtype,cycles,time_ms,gops,bytes,intensity,roofline_share,ok\n";
  const auto or_empty = [](const auto& value) { return value ? fmt::format("{}", *value) : std::string(); };
  for (const CompareRow& row : rows) {
    text += fmt::format("\"{}\",{},{},{},{},{},{},{},{},{}\n", row.workload, row.target, row.dtype,
                        or_empty(row.cycles), or_empty(milliseconds(row)), or_empty(row.gops()), row.bytes,
                        row.intensity(), or_empty(row.roofline_share()), row.ok() ? "true" : "false");
  }
  return text;
}

}  // namespace vantage::cli
