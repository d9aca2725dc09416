#include "driver/device/time_evaluator.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "base/error.h"

namespace vantage::driver {

namespace {

// Of one run.
double seconds_of(const std::function<void()>& run, int number) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < number; ++i) run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / number;
}

}  // namespace

double Timing::min() const {
  VANTAGE_CHECK(!samples.empty());
  return *std::min_element(samples.begin(), samples.end());
}

double Timing::mean() const {
  VANTAGE_CHECK(!samples.empty());
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

double Timing::median() const {
  VANTAGE_CHECK(!samples.empty());
  std::vector<double> sorted = samples;
  std::sort(sorted.begin(), sorted.end());
  const size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

double Timing::deviation() const {
  if (samples.size() < 2) return 0;
  const double average = mean();
  double squares = 0;
  for (const double sample : samples) squares += (sample - average) * (sample - average);
  return std::sqrt(squares / static_cast<double>(samples.size() - 1));
}

Timing time_evaluator(const std::function<void()>& run, const TimeOptions& options) {
  return time_samples([&run](int number) { return seconds_of(run, number); }, options);
}

Timing time_samples(const std::function<double(int number)>& seconds, const TimeOptions& options) {
  if (options.number < 1) fail("time_evaluator: number is {}, expected at least 1", options.number);
  if (options.repeat < 1) fail("time_evaluator: repeat is {}, expected at least 1", options.repeat);
  if (!(options.min_ms >= 0)) fail("time_evaluator: the least time is {} ms, expected 0 or more", options.min_ms);
  seconds(1);
  Timing timing;
  timing.number = options.number;
  // A bit more than it takes by the last measurement, so that it does not fall short by a hair.
  constexpr int kMostRuns = 1 << 24;
  for (double took = 0; options.min_ms > 0 && timing.number < kMostRuns;) {
    took = seconds(timing.number) * timing.number * 1e3;
    if (took >= options.min_ms) break;
    const double wanted = timing.number * std::min(1.2 * options.min_ms / std::max(took, 1e-6), 100.0);
    timing.number = static_cast<int>(std::clamp<double>(std::ceil(wanted), timing.number + 1, kMostRuns));
  }
  for (int i = 0; i < options.repeat; ++i) timing.samples.push_back(seconds(timing.number));
  return timing;
}

}  // namespace vantage::driver
