// Runs registered benchmarks, prints Google Benchmark's table, then one line per target: what was reached, what must
// be. Exit status 1 when a target is missed, 2 when a result was wrong.
#pragma once

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace vantage::bench {

// Rates (items per second of CPU) of every repetition, by benchmark name.
class RateReporter : public benchmark::ConsoleReporter {
 public:
  RateReporter() : ConsoleReporter(wants_colour() ? OO_ColorTabular : OO_Tabular) {}

  // On a terminal, unless its user wants none (no-color.org).
  static bool wants_colour() {
    const char* refused = std::getenv("NO_COLOR");
    return ::isatty(STDOUT_FILENO) != 0 && (refused == nullptr || *refused == '\0');
  }

  void ReportRuns(const std::vector<Run>& runs) override {
    std::vector<Run> shown;  // the medians alone, where there are repetitions
    for (const Run& run : runs) {
      if (run.error_occurred) failed_ = true;
      if (run.run_type == Run::RT_Iteration && run.counters.count("items_per_second") > 0) {
        rates_[run.run_name.function_name].push_back(run.counters.at("items_per_second").value);
      }
      if (run.repetitions <= 1 || run.error_occurred || run.aggregate_name == "median") shown.push_back(run);
    }
    ConsoleReporter::ReportRuns(shown);
  }

  bool failed() const { return failed_; }

  // The best repetition: what disturbs a run only ever makes it slower.
  double best(const std::string& name) const {
    const auto it = rates_.find(name);
    return it == rates_.end() ? 0 : *std::max_element(it->second.begin(), it->second.end());
  }

 private:
  std::map<std::string, std::vector<double>> rates_;
  bool failed_ = false;
};

struct Target {
  std::string what;
  double reached;
  double wanted;
  bool at_least;  // otherwise at most
  const char* unit;

  bool met() const { return at_least ? reached >= wanted : reached <= wanted; }
};

inline int report(const std::vector<Target>& targets) {
  int status = 0;
  std::printf("\n");
  for (const Target& t : targets) {
    if (!std::isfinite(t.reached)) {  // one side of the ratio was filtered out
      std::printf("skipped %s\n", t.what.c_str());
      continue;
    }
    std::printf("%-6s %-68s %8.2f %s (wanted %s %.2f)\n", t.met() ? "ok" : "MISSED", t.what.c_str(), t.reached, t.unit,
                t.at_least ? ">=" : "<=", t.wanted);
    if (!t.met()) status = 1;
  }
  return status;
}

// The whole of a benchmark's main() that measures by itself: what it throws is a wrong result.
inline int guarded(int (*run)()) {
  try {
    return run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}

// The whole of a benchmark's main(), its benchmarks registered: runs them and reports on `targets(reporter)`.
inline int run_benchmarks(int argc, char** argv,
                          const std::function<std::vector<Target>(const RateReporter&)>& targets) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  RateReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::Shutdown();
  return reporter.failed() ? 2 : report(targets(reporter));
}

}  // namespace vantage::bench
