#include "cli/measurement_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/json.h"
#include "cli/wrap.h"
#include "hw/energy/energy_json.h"

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

constexpr size_t kTargetColumns = 10;

// A line of the table, 80 columns wide where every cell fits its own.
std::string line(const std::array<std::string, 9>& cells) {
  std::string text = fmt::format("{:<{}} {:<7} {:>9} {:>9} {:>8} {:>8} {:>10} {:>5} {}", cells[0], kTargetColumns,
                                 cells[1], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7], cells[8]);
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

// A cell of CSV that may hold commas: quoted unless it is empty or a plain word.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n ") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + "\"";
}

// The first accelerator among the rows; null without one.
const Measurement* first_accelerator(const std::vector<Measurement>& rows) {
  const auto found = std::find_if(rows.begin(), rows.end(), [](const Measurement& row) { return !row.config.empty(); });
  return found == rows.end() ? nullptr : &*found;
}

// What the accelerators among the rows are, of which this is the first.
std::string setup(const Measurement& accelerator, const std::vector<Measurement>& rows) {
  std::string text = fmt::format("accelerators: {} at {:.6g} MHz", accelerator.config, accelerator.clock_mhz);
  const auto timed = std::find_if(rows.begin(), rows.end(), [](const Measurement& r) { return !r.memory.empty(); });
  return wrapped(text + (timed == rows.end() ? "" : ", memory " + timed->memory), 0);
}

}  // namespace

std::string table(const std::vector<Measurement>& rows) {
  if (rows.empty()) return {};
  const Measurement* first = first_accelerator(rows);
  std::string text = wrapped(rows.front().workload, 0);
  if (first != nullptr) text += setup(*first, rows);
  text += line({"", "", "", "", "useful", "executed", "", "roof-", ""});
  text += line({"target", "type", "cycles", "ms", "GOPS", "GOPS", "bytes", "line", "result"});
  for (const Measurement& row : rows) {
    const auto share = row.roofline_share();
    // An address that is too long for its column has a line of its own, and so has another clock than the first's
    const bool same_clock = row.config.empty() || row.clock_mhz == first->clock_mhz;
    const bool fits = same_clock && row.target.size() <= kTargetColumns;
    if (!fits) text += row.target + (same_clock ? "" : fmt::format(" at {:.6g} MHz", row.clock_mhz)) + "\n";
    text += line({fits ? row.target : "", row.dtype, or_dash(cycles(row), "{}"), or_dash(milliseconds(row), "{:.3f}"),
                  or_dash(row.useful_gops(), "{:.1f}"), or_dash(row.executed_gops(), "{:.1f}"),
                  fmt::format("{}", row.bytes.count()), share ? fmt::format("{:.0f} %", 100 * *share) : "-",
                  row.ok() ? "right" : "WRONG: " + row.difference});
  }
  for (const Measurement& row : rows) {
    if (!row.host_cycles) continue;
    text +=
        wrapped(fmt::format("before the run of {}, {} cycles of its host", row.target, row.host_cycles->count()), 0);
  }
  return text;
}

std::string energy_table(const std::vector<Measurement>& rows, const std::string& technology) {
  if (technology.empty()) return "";
  const auto cell = [](double pj) { return fmt::format("{:.3f}", pj * 1e-6); };
  const auto cells = [](std::string_view target, const std::array<std::string, 8>& c) {
    std::string text = fmt::format("{:<10} {:>9} {:>9} {:>9} {:>8} {:>7} {:>7} {:>6} {:>6}", target, c[0], c[1], c[2],
                                   c[3], c[4], c[5], c[6], c[7]);
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  std::string text = fmt::format("energy in uJ, by {}\n", technology);
  text += cells("", {"", "", "scratch-", "GEMM", "", "", "", "useful"});
  text += cells("target", {"total", "memory", "pads", "core", "ALU", "static", "W", "TOPS/W"});
  for (const Measurement& row : rows) {
    const bool fits = row.target.size() <= kTargetColumns;
    if (!fits) text += row.target + "\n";
    const std::string_view target = fits ? std::string_view(row.target) : "";
    if (!row.energy) {
      text += cells(target, {"-", "-", "-", "-", "-", "-", "-", "-"});
      continue;
    }
    const energy::Energy& e = *row.energy;
    using energy::Part;
    text += cells(target, {cell(e.total_pj()), cell(e.of(Part::kDram)), cell(e.scratchpads_pj()),
                           cell(e.of(Part::kMac)), cell(e.of(Part::kAlu)), e.seconds ? cell(e.of(Part::kStatic)) : "-",
                           or_dash(e.watts(), "{:.3f}"), or_dash(e.tops_per_watt(row.useful_operations), "{:.3f}")});
  }
  return text;
}

Json to_json(const std::vector<Measurement>& rows, const std::string& technology) {
  Json list = Json::array();
  for (const Measurement& row : rows) {
    Json json = {{"workload", row.workload}, {"target", row.target}, {"dtype", row.dtype}, {"ok", row.ok()}};
    if (!row.config.empty()) json["config"] = row.config;
    if (!row.config.empty()) json["clock_mhz"] = json_number(row.clock_mhz);
    if (!row.memory.empty()) json["memory"] = row.memory;
    if (row.cycles) json["cycles"] = row.cycles->count();
    if (row.host_cycles) json["host_cycles"] = row.host_cycles->count();
    if (row.seconds) json["seconds"] = *row.seconds;
    json["useful_operations"] = row.useful_operations;
    if (row.executed_operations) json["executed_operations"] = *row.executed_operations;
    if (row.seconds) json["useful_gops"] = *row.useful_gops();
    if (const auto gops = row.executed_gops()) json["executed_gops"] = *gops;
    json["bytes"] = row.bytes.count();
    json["intensity"] = row.intensity();
    if (row.roofline) {
      json["roofline"] = {{"gops", row.roofline->operations * 1e-9}, {"gbytes_per_s", row.roofline->bytes * 1e-9}};
    }
    if (const auto share = row.roofline_share()) json["roofline_share"] = *share;
    if (row.energy) json["energy"] = energy::to_json(technology, *row.energy, row.useful_operations);
    if (!row.ok()) json["mismatch"] = row.difference;
    list.push_back(std::move(json));
  }
  return list;
}

std::string csv(const std::vector<Measurement>& rows, const std::string& technology) {
  std::string text =
      "workload,target,config,clock_mhz,memory,dtype,cycles,seconds,useful_gops,executed_gops,bytes,intensity,"
      "roofline_share,ok";
  text += technology.empty() ? "\n" : ",energy_pj,watts,edp,tops_per_watt\n";
  const auto or_empty = [](const auto& value) { return value ? fmt::format("{}", *value) : std::string(); };
  for (const Measurement& row : rows) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}", quoted(row.workload), quoted(row.target),
                        row.config, row.clock_mhz == 0 ? "" : fmt::format("{:.6g}", row.clock_mhz), quoted(row.memory),
                        row.dtype, or_empty(cycles(row)), or_empty(row.seconds), or_empty(row.useful_gops()),
                        or_empty(row.executed_gops()), row.bytes.count(), row.intensity(),
                        or_empty(row.roofline_share()), row.ok() ? "true" : "false");
    if (!technology.empty()) {
      const auto& e = row.energy;
      text += e ? fmt::format(",{},{},{},{}", e->total_pj(), or_empty(e->watts()), or_empty(e->edp()),
                              or_empty(e->tops_per_watt(row.useful_operations)))
                : ",,,,";
    }
    text += "\n";
  }
  return text;
}

}  // namespace vantage::cli
