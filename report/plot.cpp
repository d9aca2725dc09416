#include "report/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace vantage::report {

namespace {

constexpr int kColumns = 62, kRows = 14;  // of the roofline's area
constexpr int kBar = 36;                  // characters of the longest bar
constexpr size_t kName = 16;

// A name as far as there is room for it.
std::string cut(const std::string& name) {
  return name.size() <= kName ? name : fmt::format("{}..", name.substr(0, kName - 2));
}

std::string bytes_text(uint64_t bytes) {
  if (bytes < 10'240) return fmt::format("{} B", bytes);
  const double kib = static_cast<double>(bytes) / 1024;
  return kib < 10'240 ? fmt::format("{:.0f} KiB", kib) : fmt::format("{:.1f} MiB", kib / 1024);
}

// Three digits that count.
std::string number_text(double value) {
  return value >= 99.5 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

// A place of numbers that are drawn by their logarithms.
struct LogScale {
  double low, high;
  int cells;

  int cell(double value) const {
    const double at = std::log(value / low) / std::log(high / low) * (cells - 1);
    return std::clamp(static_cast<int>(std::lround(at)), 0, cells - 1);
  }
  double value(int cell) const { return low * std::pow(high / low, static_cast<double>(cell) / (cells - 1)); }
};

struct Point {
  double intensity, rate;
  char mark;
};

std::vector<Point> points_of(const Report& report) {
  std::vector<Point> points;
  for (const Layer& layer : report.layers) {
    if (!layer.cycles || layer.bytes == 0 || layer.seconds <= 0) continue;
    const auto add = [&](std::optional<uint64_t> operations, char mark) {
      if (!operations || *operations == 0) return;
      const auto count = static_cast<double>(*operations);
      points.push_back({count / static_cast<double>(layer.bytes), count / layer.seconds, mark});
    };
    add(layer.executed, 'o');
    add(layer.useful, '*');  // last, so that it is what is seen where both are
  }
  return points;
}

std::string roofline(const Report& report) {
  const std::vector<Point> points = points_of(report);
  if (points.empty() || report.operations_per_second <= 0) return "";
  const double peak = report.operations_per_second, bandwidth = report.bytes_per_second, ridge = peak / bandwidth;
  LogScale x{ridge / 16, ridge * 16, kColumns}, y{peak / 64, peak * 1.2, kRows};
  for (const Point& p : points) {
    x.low = std::min(x.low, p.intensity / 1.5);
    x.high = std::max(x.high, p.intensity * 1.5);
    y.low = std::min(y.low, p.rate / 1.5);
  }
  std::array<std::string, kRows> rows;
  rows.fill(std::string(kColumns, ' '));
  for (int column = 0; column < kColumns; ++column) {
    const double roof = std::min(peak, x.value(column) * bandwidth);
    if (roof < y.low) continue;
    rows[static_cast<size_t>(y.cell(roof))][static_cast<size_t>(column)] = roof < peak ? '/' : '-';
  }
  for (const Point& p : points) {
    rows[static_cast<size_t>(y.cell(p.rate))][static_cast<size_t>(x.cell(p.intensity))] = p.mark;
  }
  std::string text = fmt::format("{:>8} |  * useful, o with padding, by operations a byte\n", "GOPS");
  const int top = y.cell(peak);
  for (int row = kRows - 1; row >= 0; --row) {
    const bool is_labelled = row == top || row == 0 || (row != top - 1 && row < top && row % 4 == 0);
    const double gops = 1e-9 * (row == top ? peak : y.value(row));
    std::string line = rows[static_cast<size_t>(row)];
    line.erase(line.find_last_not_of(' ') + 1);
    text += is_labelled ? fmt::format("{:>8} |{}\n", number_text(gops), line) : fmt::format("{:>8} |{}\n", "", line);
  }
  text += fmt::format("{:>8} +{}\n", "", std::string(kColumns, '-'));
  std::string axis(kColumns + 8, ' ');
  for (const double value : {x.low, ridge, x.high}) {
    const std::string label = number_text(value);
    const int at = std::clamp(x.cell(value) - static_cast<int>(label.size()) / 2, 0, kColumns + 6);
    axis.replace(static_cast<size_t>(at), label.size(), label);
  }
  axis.erase(axis.find_last_not_of(' ') + 1);
  return text + fmt::format("{:>8}  {}\n", "", axis);
}

std::string bar(double share, char mark = '#') {
  return std::string(static_cast<size_t>(std::lround(kBar * std::clamp(share, 0.0, 1.0))), mark);
}

std::string traffic(const Report& report) {
  constexpr std::array<std::pair<const char*, uint64_t workload::Traffic::*>, 5> kKinds = {
      {{"inputs", &workload::Traffic::inputs},
       {"weights", &workload::Traffic::weights},
       {"accumulators", &workload::Traffic::accumulators},
       {"micro-ops", &workload::Traffic::micro_ops},
       {"outputs", &workload::Traffic::outputs}}};
  std::array<uint64_t, kKinds.size()> moved{}, least{};
  bool knows_least = true;
  for (const Layer& layer : report.layers) {
    if (!layer.moved) continue;
    knows_least = knows_least && layer.least.has_value();
    for (size_t i = 0; i < kKinds.size(); ++i) {
      const uint64_t bytes = (*layer.moved).*kKinds[i].second;
      moved[i] += bytes;
      if (layer.least) least[i] += std::min(bytes, (*layer.least).*kKinds[i].second);
    }
  }
  const uint64_t most = *std::max_element(moved.begin(), moved.end());
  std::string text;
  for (size_t i = 0; i < kKinds.size(); ++i) {
    if (moved[i] == 0) continue;
    std::string line =
        fmt::format("{:>{}} {:<{}} {}", kKinds[i].first, kName,
                    bar(static_cast<double>(moved[i]) / static_cast<double>(most)), kBar, bytes_text(moved[i]));
    if (knows_least && least[i] != 0 && moved[i] > least[i]) {
      line += fmt::format(", {:.2f} x least", static_cast<double>(moved[i]) / static_cast<double>(least[i]));
    }
    text += line + "\n";
  }
  return text.empty() ? text : "\n" + text;
}

std::string stages(const Report& report) {
  std::vector<sim::StageCycles> total(isa::kAllStages.size());
  bool any = false;
  for (const Layer& layer : report.layers) {
    for (size_t s = 0; s < layer.stages.size(); ++s) {
      any = true;
      total[s].busy += layer.stages[s].busy;
      total[s].memory_wait += layer.stages[s].memory_wait;
      total[s].token_wait += layer.stages[s].token_wait;
      total[s].idle += layer.stages[s].idle;
    }
  }
  if (!any) return "";
  std::string text = fmt::format("\n{:>{}} # busy, m waits for memory, t waits for a token\n", "stage", kName);
  for (const isa::Stage stage : isa::kAllStages) {
    const sim::StageCycles& c = total[static_cast<size_t>(stage)];
    const auto all = static_cast<double>((c.busy + c.memory_wait + c.token_wait + c.idle).count());
    const auto share = [&](Cycles cycles) { return all > 0 ? static_cast<double>(cycles.count()) / all : 0; };
    const std::string parts = bar(share(c.busy)) + bar(share(c.memory_wait), 'm') + bar(share(c.token_wait), 't');
    text += fmt::format("{:>{}} {:<{}} {:.0f} % busy\n", isa::name(stage), kName, parts.substr(0, kBar), kBar,
                        100 * share(c.busy));
  }
  return text;
}

std::string layers(const Report& report) {
  if (report.layers.size() < 2) return "";
  double most = 0;
  for (const Layer& layer : report.layers) most = std::max(most, layer.seconds);
  if (most <= 0) return "";
  std::string text = "\n";
  for (const Layer& layer : report.layers) {
    std::string line = fmt::format("{:>{}} {:<{}} {:.3f} ms", cut(layer.name), kName,
                                   bar(layer.seconds / most, layer.cycles ? '#' : 'c'), kBar, 1e3 * layer.seconds);
    if (layer.cycles && layer.bound && *layer.cycles != 0) {
      line += fmt::format(", {:.0f} % of bound",
                          100 * static_cast<double>(*layer.bound) / static_cast<double>(*layer.cycles));
    }
    text += line + "\n";
  }
  return text;
}

}  // namespace

std::string plot(const Report& report) {
  return roofline(report) + traffic(report) + stages(report) + layers(report);
}

}  // namespace vantage::report
